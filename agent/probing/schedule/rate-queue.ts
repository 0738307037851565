import type { Clock } from '../../platform/clock.js';

export interface RateQueueOptions {
  readonly clock: Clock;
  /** How many actions a second may run. */
  readonly perSecond: number;
}

/** An item in a queue. If it is cancelled before its turn, it never runs. */
interface Entry {
  action: (() => void) | undefined;
  /** How often it still runs. */
  turns: number;
}

export interface RunOptions {
  /** It runs before all that is not. */
  readonly urgent?: boolean;
  /** How often it runs, one turn after the other, before what is asked for later. */
  readonly turns?: number;
  /** Of what is not urgent, each lane has one turn after the other, so that many in one lane do not hold up the others. */
  readonly lane?: string;
}

/** The burst after a pause, in milliseconds of the rate. */
const burstMs = 20;

/** Runs actions in order at no more than a rate. Urgent ones go first, and lanes take turns (fair queueing, RFC 970). */
export class RateQueue {
  readonly #clock: Clock;
  readonly #spacingMs: number;
  readonly #urgent: Entry[] = [];
  /** What is not urgent, the lane whose turn is next first. None is empty. */
  readonly #lanes = new Map<string, Entry[]>();
  #dueMs = -Infinity;
  #cancelTimer: (() => void) | undefined;
  #draining = false;

  constructor({ clock, perSecond }: RateQueueOptions) {
    this.#clock = clock;
    this.#spacingMs = 1000 / perSecond;
  }

  /** Runs the action as soon as the rate allows, perhaps now. Returns a function that cancels it. */
  run(action: () => void, { urgent = false, turns = 1, lane = '' }: RunOptions = {}): () => void {
    const entry: Entry = { action, turns };
    if (urgent) this.#urgent.push(entry);
    else {
      const waiting = this.#lanes.get(lane);
      if (waiting) waiting.push(entry);
      else this.#lanes.set(lane, [entry]);
    }
    if (!this.#cancelTimer && !this.#draining) this.#drain();
    return () => (entry.action = undefined);
  }

  stop(): void {
    this.#cancelTimer?.();
    this.#urgent.length = 0;
    this.#lanes.clear();
  }

  #drain(): void {
    this.#cancelTimer = undefined;
    const nowMs = this.#clock.nowMs();
    this.#dueMs = Math.max(this.#dueMs, nowMs - burstMs);
    this.#draining = true;
    this.#runUrgent(nowMs);
    this.#runLanes(nowMs);
    this.#draining = false;
    if (this.#urgent.length + this.#lanes.size === 0) return;
    const delayMs = Math.max(this.#dueMs - nowMs, burstMs / 4);
    this.#cancelTimer = this.#clock.after(delayMs, () => this.#drain());
  }

  #runUrgent(nowMs: number): void {
    while (this.#dueMs <= nowMs) {
      const action = takeTurn(this.#urgent);
      if (!action) return;
      this.#dueMs += this.#spacingMs;
      action();
    }
  }

  #runLanes(nowMs: number): void {
    // A lane that is set anew comes last, and once more in this loop.
    for (const [lane, waiting] of this.#lanes) {
      if (this.#dueMs > nowMs) return;
      const action = takeTurn(waiting);
      this.#lanes.delete(lane);
      if (waiting.length > 0) this.#lanes.set(lane, waiting);
      if (!action) continue;
      this.#dueMs += this.#spacingMs;
      action();
    }
  }
}

/** The next action, which has one turn less then; undefined if none is left that was not cancelled. */
function takeTurn(waiting: Entry[]): (() => void) | undefined {
  const first = waiting.findIndex(({ action }) => action !== undefined);
  const entry = waiting[first];
  if (!entry) {
    waiting.length = 0;
    return undefined;
  }
  entry.turns--;
  waiting.splice(0, first + (entry.turns > 0 ? 0 : 1));
  return entry.action;
}
