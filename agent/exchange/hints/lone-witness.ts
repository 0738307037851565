import type { Clock } from '../../platform/clock.js';
import { hintKey, type HintSubject } from './hint.js';
import { TokenBuckets } from '../../platform/token-buckets.js';

/** A hint, the looks of others and their verdicts take some two seconds. Who has heard of none by then sees it alone. */
export const aloneAfterMs = 3000;
/** All agents follow a call, so an agent calls twice, for a failure and its end, and then once in this time. */
const calls = { most: 2, perSecond: 1 / 30 } as const;
/** Nobody else meets the end of what it alone sees, so it looks for it this often, at so many nodes by turns. */
export const lookAgainMs = 5000;
const mostLookedAt = 4;

export interface LoneWitnessOptions {
  readonly clock: Clock;
  /** Whether another agent told that it saw a path to that node fail. */
  readonly isSeenByOthers: (node: string) => boolean;
  /** Asks all others to look at this agent: whoever does gets its row. */
  readonly call: () => void;
  /** Probes a path now that fails. */
  readonly lookAgain: (subject: HintSubject) => void;
}

interface Failing {
  readonly subject: HintSubject;
  /** Ends the wait for others that see it too. */
  readonly cancel: () => void;
}

/** A node that this agent does not reach. */
interface Watched {
  readonly failing: Map<string, Failing>;
  /** Whether the others were called to know. */
  isCalled: boolean;
}

/**
 * Calls the others when this agent alone sees that a node is not reached, and when it reaches it again. Only its own row tells of
 * it, and in a large cluster its turn would come a minute later. Where no call is left it calls as soon as there is one: one call tells
 * of all nodes. It looks at such a node more often than in its turn, as hints make others look at what many see.
 */
export class LoneWitness {
  readonly #options: LoneWitnessOptions;
  readonly #calls = new TokenBuckets(calls);
  readonly #nodes = new Map<string, Watched>();
  /** The nodes of which the others are to be told with the next call, and whether one is reached again of which they know. */
  readonly #due = new Set<string>();
  #isEndDue = false;
  #cancelCall: () => void = () => undefined;
  #cancelLook: (() => void) | undefined;

  constructor(options: LoneWitnessOptions) {
    this.#options = options;
  }

  /** Takes that this agent saw a path to a node fail, before any other agent told so. */
  noteFailure(subject: HintSubject): void {
    const { node } = subject;
    const watched = this.#nodes.get(node) ?? {
      failing: new Map<string, Failing>(),
      isCalled: false,
    };
    this.#nodes.set(node, watched);
    const key = hintKey(subject);
    watched.failing.get(key)?.cancel();
    const cancel = this.#options.clock.after(aloneAfterMs, () => {
      if (watched.isCalled) return;
      this.#due.add(node);
      this.#callIfLeft();
    });
    watched.failing.set(key, { subject, cancel });
  }

  /** Takes that this agent reaches a node by a path again, or that there is no such path any more. */
  noteEnd(subject: HintSubject): void {
    const { node } = subject;
    const watched = this.#nodes.get(node);
    const key = hintKey(subject);
    watched?.failing.get(key)?.cancel();
    if (!watched?.failing.delete(key) || watched.failing.size > 0) return;
    this.#forget(node);
    if (!watched.isCalled) return;
    this.#isEndDue = true;
    this.#callIfLeft();
  }

  /** Forgets the nodes that are listed no more. */
  retain(isListed: (node: string) => boolean): void {
    for (const node of this.#nodes.keys()) if (!isListed(node)) this.#forget(node);
  }

  stop(): void {
    for (const node of this.#nodes.keys()) this.#forget(node);
    this.#cancelCall();
    this.#cancelLook?.();
  }

  #forget(node: string): void {
    for (const { cancel } of this.#nodes.get(node)?.failing.values() ?? []) cancel();
    this.#nodes.delete(node);
    this.#due.delete(node);
  }

  #callIfLeft(): void {
    const { clock, isSeenByOthers, call } = this.#options;
    for (const node of this.#due) if (isSeenByOthers(node)) this.#due.delete(node);
    this.#cancelCall();
    if (this.#due.size === 0 && !this.#isEndDue) return;
    const nowMs = clock.nowMs();
    if (!this.#calls.take('', nowMs)) {
      this.#cancelCall = clock.after(this.#calls.waitMs('', nowMs), () => this.#callIfLeft());
      return;
    }
    call();
    for (const node of this.#due) {
      const watched = this.#nodes.get(node);
      if (watched) watched.isCalled = true;
    }
    this.#due.clear();
    this.#isEndDue = false;
    this.#cancelLook ??= clock.after(lookAgainMs, () => this.#lookAgain());
  }

  #lookAgain(): void {
    const { clock, lookAgain } = this.#options;
    const called = [...this.#nodes].filter(([, { isCalled }]) => isCalled).slice(0, mostLookedAt);
    for (const [node, watched] of called) {
      // The others have their turn before it.
      this.#nodes.delete(node);
      this.#nodes.set(node, watched);
      for (const { subject } of watched.failing.values()) lookAgain(subject);
    }
    this.#cancelLook =
      called.length === 0 ? undefined : clock.after(lookAgainMs, () => this.#lookAgain());
  }
}
