import type { Path } from '../../model/path.js';
import type { Clock } from '../../platform/clock.js';
import { hintKey, type HintSubject } from './hint.js';
import { TokenBuckets } from '../../platform/token-buckets.js';

/** A hint, the probes of others and their verdicts take up to two seconds. Who has heard of none by then sees it alone. */
export const aloneAfterMs = 2500;
/** The same where that node says that it does not reach this agent: by then the other failing paths to it have a verdict too. */
export const otherEndAfterMs = 500;
/** All agents follow a call, so an agent calls twice, for a failure and its end, and then once in this time. */
const calls = { most: 2, perSecond: 1 / 30 } as const;
/** Nobody else meets the end of what it alone sees, so it probes for it this often, so many nodes by turns. */
export const probeAgainMs = 5000;
const mostProbedAgain = 4;

/** An agent of which no probe is answered waits no longer than this, so that few of many call. */
const mostUnansweredMs = 2000;
/** So many nodes of which hints tell are a larger trouble: others know of it, or have called. */
export const manyNodes = 4;
/** Once it is answered again it waits for so long, so that its row tells so of all channels. */
export const answeredAfterMs = 500;

/**
 * How long an agent of which no probe is answered waits before it calls. Where that is so of many at once, as where echoes
 * are filtered everywhere, few of them have called by the time at which the others hear it: truncated exponential backoff, as of
 * negative acknowledgements in multicast (RFC 5401, section 3.2.2), with the number of nodes for that of the group.
 * @param share a number from 0 to below 1
 */
export function unansweredAfterMs(share: number, nodes: number): number {
  if (nodes < 2) return mostUnansweredMs;
  const least = 1 / nodes;
  return mostUnansweredMs * (1 + Math.log(least + (1 - least) * share) / Math.log(nodes));
}

export interface LoneWitnessOptions {
  readonly clock: Clock;
  /** Whether another agent told that it saw a path to that node fail, or may have. */
  readonly mayBeSeenByOthers: (node: string) => boolean;
  /** Asks all others to probe this agent: whoever does gets its row. */
  readonly call: () => void;
  /** Probes a path now that fails. */
  readonly probeAgain: (subject: HintSubject) => void;
  /** A number from 0 to below 1. */
  readonly random: () => number;
  /** How many nodes there are. */
  readonly nodes: () => number;
  /** Of how many nodes hints tell that paths to them fail. */
  readonly failingNodes: () => number;
}

/** A path to a node, by one protocol. */
type Subject = Path & HintSubject;

interface Failing {
  readonly subject: Subject;
  /** Ends the wait for others that see it too. */
  readonly cancel: () => void;
}

/** A node that this agent does not reach. */
interface Watched {
  readonly failing: Map<string, Failing>;
  /** Whether the others were called to know. */
  isCalled: boolean;
}

/** No probe of this agent is answered. */
interface Unanswered {
  readonly cancel: () => void;
  /** Whether the others were called to know. */
  isCalled: boolean;
}

/**
 * Calls the others when this agent alone sees that a node is not reached, and when it reaches it again. Only its own row tells of
 * it, and in a large cluster its turn would come a minute later. Where no call is left it calls as soon as there is one: one call tells
 * of all nodes. It probes such a node more often than in its turn, as hints make others probe what many see.
 *
 * It calls too when no probe of its own is answered. Then it tells no hint of any node, as the fault may be its own, and its row is
 * all that tells of it. What it tells goes with the answers to the GETs of others.
 */
export class LoneWitness {
  readonly #options: LoneWitnessOptions;
  readonly #calls = new TokenBuckets(calls);
  readonly #nodes = new Map<string, Watched>();
  /** The nodes of which the others are to be told with the next call, and whether one is reached again of which they know. */
  readonly #due = new Set<string>();
  #isEndDue = false;
  #unanswered: Unanswered | undefined;
  #isUnansweredDue = false;
  #cancelAnswered: () => void = () => undefined;
  #cancelCall: () => void = () => undefined;
  #cancelProbe: (() => void) | undefined;

  constructor(options: LoneWitnessOptions) {
    this.#options = options;
  }

  /**
   * Takes that this agent saw a path to a node fail, before any other agent told so.
   * @param isToldByOtherEnd that node says that it does not reach this one
   */
  noteFailure(subject: Subject, isSeenByOtherEnd = false): void {
    const { node } = subject;
    const watched = this.#nodes.get(node) ?? {
      failing: new Map<string, Failing>(),
      isCalled: false,
    };
    this.#nodes.set(node, watched);
    const key = hintKey(subject);
    watched.failing.get(key)?.cancel();
    const afterMs = isSeenByOtherEnd ? otherEndAfterMs : aloneAfterMs;
    const cancel = this.#options.clock.after(afterMs, () => {
      if (watched.isCalled) return;
      this.#due.add(node);
      this.#callIfLeft();
    });
    watched.failing.set(key, { subject, cancel });
  }

  /** Takes that a node says that it does not reach this agent either: nobody else is waited for. */
  noteOtherEnd(node: string): void {
    const watched = this.#nodes.get(node);
    if (!watched || watched.isCalled) return;
    for (const { subject } of [...watched.failing.values()]) this.noteFailure(subject, true);
  }

  /** Takes that this agent reaches a node by a path again. */
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

  /** Takes whether none of the last probes of this agent was answered. */
  noteUnanswered(isUnanswered: boolean): void {
    const { clock, random, nodes, failingNodes } = this.#options;
    if (isUnanswered === (this.#unanswered !== undefined)) return;
    this.#cancelAnswered();
    if (isUnanswered) {
      const unanswered = {
        isCalled: false,
        cancel: clock.after(unansweredAfterMs(random(), nodes()), () => {
          if (failingNodes() >= manyNodes) return;
          this.#isUnansweredDue = true;
          this.#callIfLeft();
        }),
      };
      this.#unanswered = unanswered;
      return;
    }
    const { isCalled = false, cancel } = this.#unanswered ?? {};
    cancel?.();
    this.#unanswered = undefined;
    this.#isUnansweredDue = false;
    if (!isCalled) return;
    this.#cancelAnswered = clock.after(answeredAfterMs, () => {
      this.#isEndDue = true;
      this.#callIfLeft();
    });
  }

  /** Forgets the nodes that are listed no more, and takes the end of paths of which no answer is expected any more. */
  retain(isListed: (node: string) => boolean, isExpected: (path: Path) => boolean): void {
    for (const [node, { failing }] of this.#nodes) {
      if (!isListed(node)) this.#forget(node);
      else
        for (const { subject } of failing.values()) if (!isExpected(subject)) this.noteEnd(subject);
    }
  }

  stop(): void {
    for (const node of this.#nodes.keys()) this.#forget(node);
    this.#unanswered?.cancel();
    this.#cancelAnswered();
    this.#cancelCall();
    this.#cancelProbe?.();
  }

  #forget(node: string): void {
    for (const { cancel } of this.#nodes.get(node)?.failing.values() ?? []) cancel();
    this.#nodes.delete(node);
    this.#due.delete(node);
  }

  #callIfLeft(): void {
    const { clock, mayBeSeenByOthers, call } = this.#options;
    for (const node of this.#due) if (mayBeSeenByOthers(node)) this.#due.delete(node);
    this.#cancelCall();
    if (this.#due.size === 0 && !this.#isEndDue && !this.#isUnansweredDue) return;
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
    if (this.#unanswered && this.#isUnansweredDue) this.#unanswered.isCalled = true;
    this.#due.clear();
    this.#isEndDue = this.#isUnansweredDue = false;
    this.#cancelProbe ??= clock.after(probeAgainMs, () => this.#probeAgain());
  }

  #probeAgain(): void {
    const { clock, probeAgain } = this.#options;
    const called = [...this.#nodes]
      .filter(([, { isCalled }]) => isCalled)
      .slice(0, mostProbedAgain);
    for (const [node, watched] of called) {
      // The others have their turn before it.
      this.#nodes.delete(node);
      this.#nodes.set(node, watched);
      for (const { subject } of watched.failing.values()) probeAgain(subject);
    }
    this.#cancelProbe =
      called.length === 0 ? undefined : clock.after(probeAgainMs, () => this.#probeAgain());
  }
}
