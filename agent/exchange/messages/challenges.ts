import type { Clock } from '../../platform/clock.js';

/** A challenge: which process gave it, and when, in milliseconds of that process. */
export const challengePattern = /^[a-z0-9]{1,16}\.[0-9]{1,15}$/;
/** A challenge, and how often it was used: a request that was sent before has used it already. */
export const proofPattern = /^([a-z0-9]{1,16})\.([0-9]{1,15})\.([0-9]{1,9})$/;

interface Use {
  readonly issuedMs: number;
  readonly times: number;
}

export interface ChallengesOptions {
  readonly clock: Pick<Clock, 'nowMs'>;
  /** Tells this process from an earlier one: lower-case letters and digits. */
  readonly processId: string;
}

/**
 * Tells the requests of a peer from those that somebody recorded and sends again. Each answer has a challenge, and the
 * next request to the same agent has it in its signed part, with a number that rises. No clocks of two hosts are
 * compared, and a few bytes a peer are kept.
 */
export class Challenges {
  readonly #options: ChallengesOptions;
  #issuedMs = 0;
  /** By peer, the last proof that was accepted. */
  readonly #accepted = new Map<string, Use>();
  /** By peer, the challenge of its last answer, and how often it was used. */
  readonly #received = new Map<string, { readonly challenge: string; times: number }>();

  constructor(options: ChallengesOptions) {
    this.#options = options;
  }

  /** The challenge for an answer. No two are the same. */
  issue(): string {
    this.#issuedMs = Math.max(this.#issuedMs + 1, Math.floor(this.#options.clock.nowMs()));
    return `${this.#options.processId}.${this.#issuedMs}`;
  }

  /**
   * Whether a request of a peer is new: it answers a challenge of this process that is no older than that, and comes after
   * all that were accepted.
   */
  accepts(peer: string, proof: string | undefined, holdsMs: number): boolean {
    const [, processId, issued, times] = proofPattern.exec(proof ?? '') ?? [];
    if (processId !== this.#options.processId) return false;
    const use = { issuedMs: Number(issued), times: Number(times) };
    if (use.issuedMs > this.#issuedMs) return false;
    if (this.#options.clock.nowMs() - use.issuedMs > holdsMs) return false;
    const last = this.#accepted.get(peer);
    if (last && !isLater(use, last)) return false;
    this.#accepted.set(peer, use);
    return true;
  }

  /** Keeps the challenge of a peer's answer. */
  keep(peer: string, challenge: string): void {
    this.#received.set(peer, { challenge, times: 0 });
  }

  /** What the next request to a peer has; undefined before its first answer. */
  prove(peer: string): string | undefined {
    const received = this.#received.get(peer);
    return received && `${received.challenge}.${received.times++}`;
  }

  /** Forgets peers that are listed no more. */
  retain(isListed: (peer: string) => boolean): void {
    for (const map of [this.#accepted, this.#received]) {
      for (const peer of map.keys()) if (!isListed(peer)) map.delete(peer);
    }
  }
}

function isLater(use: Use, last: Use): boolean {
  return use.issuedMs > last.issuedMs || (use.issuedMs === last.issuedMs && use.times > last.times);
}
