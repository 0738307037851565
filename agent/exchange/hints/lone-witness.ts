import type { Clock } from '../../platform/clock.js';
import type { HintChange } from './hint.js';
import { TokenBuckets } from './token-buckets.js';

/** A hint, the looks of others and their verdicts take some two seconds. Who has heard of none by then sees it alone. */
export const aloneAfterMs = 3000;
/** All agents follow a call, so an agent calls twice, for a failure and its end, and then once in this time. */
const calls = { most: 2, perSecond: 1 / 30 } as const;

export interface LoneWitnessOptions {
  readonly clock: Clock;
  /** Whether another agent told that it saw a path to that node fail. */
  readonly isSeenByOthers: (node: string) => boolean;
  /** Asks all others to look at this agent: whoever does gets its row. */
  readonly call: () => void;
}

/**
 * Calls the others when this agent alone sees that a node is not reached, and when it reaches it again. Only its own row tells of
 * it, and in a large cluster its turn would come a minute later.
 */
export class LoneWitness {
  readonly #options: LoneWitnessOptions;
  readonly #calls = new TokenBuckets(calls);
  /** By node, how to cancel the wait for others that see it too. */
  readonly #waiting = new Map<string, () => void>();
  /** The nodes of which the others were called to know. */
  readonly #alone = new Set<string>();

  constructor(options: LoneWitnessOptions) {
    this.#options = options;
  }

  /** Takes that this agent saw a path to a node change, and was the first who did. */
  note(node: string, change: HintChange): void {
    const { clock, isSeenByOthers } = this.#options;
    if (change === 'recovery') {
      this.#stopWaiting(node);
      if (this.#alone.delete(node)) this.#call();
      return;
    }
    if (this.#alone.has(node) || this.#waiting.has(node)) return;
    const cancel = clock.after(aloneAfterMs, () => {
      this.#waiting.delete(node);
      if (isSeenByOthers(node) || !this.#call()) return;
      this.#alone.add(node);
    });
    this.#waiting.set(node, cancel);
  }

  /** Forgets the nodes that are listed no more. */
  retain(isListed: (node: string) => boolean): void {
    for (const node of this.#alone) if (!isListed(node)) this.#alone.delete(node);
    for (const node of this.#waiting.keys()) if (!isListed(node)) this.#stopWaiting(node);
  }

  stop(): void {
    for (const cancel of this.#waiting.values()) cancel();
    this.#waiting.clear();
  }

  #stopWaiting(node: string): void {
    this.#waiting.get(node)?.();
    this.#waiting.delete(node);
  }

  /** Returns whether there was a call left. */
  #call(): boolean {
    const { clock, call } = this.#options;
    if (!this.#calls.take('', clock.nowMs())) return false;
    call();
    return true;
  }
}
