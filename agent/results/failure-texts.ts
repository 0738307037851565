import { failureKinds, targetFailureWords, type FailureKind } from '../model/failure.js';
import { systemErrorTexts } from '../model/system-error.js';

/** The texts that are used if a failure's own text cannot be kept. */
const wordsOfKind: Readonly<Record<FailureKind, string>> = {
  timeout: 'Connection timed out',
  refused: 'connection refused',
  unreachable: 'not reachable',
  prohibited: 'administratively prohibited',
  reset: 'connection closed by peer',
  protocol: 'the answer is not HTTP',
  status: 'unexpected status',
  'too-large': 'answer too large',
  local: 'this host cannot send',
  ...targetFailureWords,
};

/**
 * How many texts of each kind are kept beside the fixed ones. A peer that sends ever new texts
 * affects only its own kind.
 */
const textsPerKind = 4;

/** The most codes there can be. */
export const maxFailureTexts =
  failureKinds.length + systemErrorTexts.length + failureKinds.length * textsPerKind;

/**
 * Gives each failure text a small number. The text of each kind and those of this host's errors
 * have fixed numbers. Of other texts each kind keeps a limited number; further ones get the number
 * of their kind.
 */
export class FailureTexts {
  readonly #texts: string[] = [...new Set([...Object.values(wordsOfKind), ...systemErrorTexts])];
  readonly #codes = new Map(this.#texts.map((text, code) => [text, code]));
  readonly #kept = new Map<FailureKind, number>();

  codeOf(kind: FailureKind, text: string): number {
    const known = this.#codes.get(text);
    if (known !== undefined) return known;
    const kept = this.#kept.get(kind) ?? 0;
    if (kept >= textsPerKind) return this.#codes.get(wordsOfKind[kind]) ?? 0;
    this.#kept.set(kind, kept + 1);
    this.#codes.set(text, this.#texts.length);
    return this.#texts.push(text) - 1;
  }

  textOf(code: number): string | undefined {
    return this.#texts[code];
  }
}
