import type { RowRefutation } from '../../model/refutation.js';
import type { Clock } from '../../platform/clock.js';
import { TokenBuckets } from '../../platform/token-buckets.js';

/** A node that is cut off again and again refutes twice, and then once in this time. */
const refutations = { most: 2, perSecond: 1 / 30 } as const;

/** Timers come no earlier than they are due, but a remainder may be too small for a clock. */
const leastCheckMs = 1;

export interface RefuterOptions {
  readonly clock: Clock;
  /** How this agent refutes; undefined where it has too few peers. */
  readonly refutation: () => RowRefutation | undefined;
  /** Whether this agent did not get the processor, so that GETs may have come that it has not read. */
  readonly isStarved: () => boolean;
  /** All peers that ever exchanged something, in random order. */
  readonly peers: () => readonly string[];
  /** Sends a peer's next GET now. */
  readonly bringForward: (peer: string) => void;
}

/** A peer, and when its last GET came. */
interface LastGet {
  readonly peer: string;
  readonly atMs: number;
}

/**
 * Lets this agent be heard when no GET of its peers reaches it any more: they believe that its node is dead. It needs nobody
 * to tell it so, and nobody can make it send but who keeps the GETs of all its peers away from it.
 */
export class Refuter {
  readonly #options: RefuterOptions;
  readonly #bucket = new TokenBuckets(refutations);
  /** The last GETs of two peers. */
  #last: LastGet | undefined;
  #other: LastGet | undefined;
  /** Whether GETs came lately, so that it is noticed when they stop. */
  #isReached = false;
  #cancel: () => void = () => undefined;

  constructor(options: RefuterOptions) {
    this.#options = options;
  }

  /** Takes that a peer's own GET came. */
  noteGet(peer: string): void {
    const atMs = this.#options.clock.nowMs();
    if (this.#last?.peer !== peer) this.#other = this.#last;
    this.#last = { peer, atMs };
    const { afterMs } = this.#options.refutation() ?? { afterMs: 0 };
    if (this.#isReached || !this.#other || atMs - this.#other.atMs >= afterMs) return;
    this.#isReached = true;
    this.#checkAfter(afterMs);
  }

  /** How this agent would refute now; undefined where it cannot, or did so too often just now. */
  left(): RowRefutation | undefined {
    const { clock, refutation } = this.#options;
    return this.#bucket.has('', clock.nowMs()) ? refutation() : undefined;
  }

  stop(): void {
    this.#cancel();
  }

  #checkAfter(ms: number): void {
    this.#cancel();
    this.#cancel = this.#options.clock.after(ms, () => this.#check());
  }

  #check(): void {
    const { clock, refutation, isStarved } = this.#options;
    const current = refutation();
    const nowMs = clock.nowMs();
    const silentMs = nowMs - (this.#other?.atMs ?? nowMs);
    if (current && silentMs < current.afterMs) {
      this.#checkAfter(Math.max(current.afterMs - silentMs, leastCheckMs));
      return;
    }
    this.#isReached = false;
    if (current && !isStarved() && this.#bucket.take('', nowMs)) this.#refute(current, nowMs);
  }

  /** To all peers by turns, until enough or until it is reached again. */
  #refute({ forMs, perSecond }: RowRefutation, beganMs: number): void {
    const { clock, peers, bringForward } = this.#options;
    const order = peers();
    if (order.length === 0) return;
    const send = (turn: number): void => {
      bringForward(order[turn % order.length] ?? '');
      const nextMs = beganMs + ((turn + 1) * 1000) / perSecond;
      if (nextMs - beganMs >= forMs) return;
      this.#cancel = clock.after(nextMs - clock.nowMs(), () => send(turn + 1));
    };
    send(0);
  }
}
