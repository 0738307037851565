import type { Plane } from '../../model/path.js';
import { targetNamePattern } from '../../model/target.js';
import { maxHintAgeMs, type HintChange } from './hint.js';

/** What a hint about a target is about: a target of that definition, from one plane. */
export interface TargetSubject {
  readonly target: string;
  readonly digest: number;
  readonly plane: Plane;
  /** The number of the DNS server, where one changed and the target as a whole did not. */
  readonly server?: number;
}

/** One agent telling another: some node saw this target change. It never changes a state. */
export interface TargetHint extends TargetSubject {
  readonly change: HintChange;
  /** How long ago the change was seen first, in milliseconds. */
  readonly ageMs: number;
  /** A node that saw it itself: its row says so. */
  readonly witness: string;
}

/** At most so many hints about targets go with one request or answer. */
export const maxTargetHintsPerMessage = 16;

/** They take at most this many bytes of a message, and less where it has less room. */
export const maxTargetHintBytes = 1024;

/** A text that is the same for the same subject, and for no other. */
export function targetHintKey(subject: TargetSubject): string {
  return `${targetPlaneKey(subject)} ${subject.server ?? ''}`;
}

/** The same for all servers of a target. */
export function targetPlaneKey({ target, digest, plane }: TargetSubject): string {
  return `${target} ${digest} ${plane}`;
}

const pattern =
  /^([a-z0-9-]{1,63}):([0-9a-f]{1,8}):([he])([fr])(\d{1,5}):([A-Za-z0-9_.-]{1,253}\/[A-Za-z0-9_.-]{1,253})(?::(\d{1,2}))?$/;

/**
 * Writes hints as text without spaces, as many of the first as fit: `database:7f:hf120:c/n1` tells that node
 * c/n1 cannot reach the target database of digest 7f from the host plane, since 120 milliseconds. One of a DNS server has its number behind it, `:1`.
 */
export function encodeTargetHints(hints: readonly TargetHint[], room: number): string {
  const texts: string[] = [];
  let left = Math.min(room, maxTargetHintBytes) + 1;
  for (const hint of hints.slice(0, maxTargetHintsPerMessage)) {
    const { target, digest, plane, server, change, ageMs, witness } = hint;
    const code = `${plane === 'host' ? 'h' : 'e'}${change === 'failure' ? 'f' : 'r'}`;
    const text = `${target}:${digest.toString(16)}:${code}${Math.round(ageMs)}:${witness}${server === undefined ? '' : `:${server}`}`;
    left -= text.length + 1;
    if (left < 0) break;
    texts.push(text);
  }
  return texts.join(',');
}

/**
 * Reads what `encodeTargetHints` wrote. Undefined if there is too much. A hint of another form is left out:
 * newer agents may tell more.
 */
export function decodeTargetHints(text: string): TargetHint[] | undefined {
  if (text === '') return [];
  if (text.length > maxTargetHintBytes) return undefined;
  const parts = text.split(',');
  if (parts.length > maxTargetHintsPerMessage) return undefined;
  return parts.flatMap((part) => decodeTargetHint(part) ?? []);
}

function decodeTargetHint(text: string): TargetHint | undefined {
  const [, target = '', digest = '', plane, change, age, witness = '', server] =
    pattern.exec(text) ?? [];
  const ageMs = Number(age);
  if (!targetNamePattern.test(target) || !(ageMs <= maxHintAgeMs)) return undefined;
  return {
    target,
    digest: parseInt(digest, 16),
    plane: plane === 'h' ? 'host' : 'endpoint',
    ...(server !== undefined && { server: Number(server) }),
    change: change === 'f' ? 'failure' : 'recovery',
    ageMs,
    witness,
  };
}
