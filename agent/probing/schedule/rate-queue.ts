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

/** The burst after a pause, in milliseconds of the rate. */
const burstMs = 20;

/** Runs actions in order at no more than a rate. Urgent ones go first. */
export class RateQueue {
  readonly #clock: Clock;
  readonly #spacingMs: number;
  readonly #urgent: Entry[] = [];
  readonly #ordinary: Entry[] = [];
  #dueMs = -Infinity;
  #cancelTimer: (() => void) | undefined;
  #draining = false;

  constructor({ clock, perSecond }: RateQueueOptions) {
    this.#clock = clock;
    this.#spacingMs = 1000 / perSecond;
  }

  /**
   * Runs the action as soon as the rate allows, perhaps now. Returns a function that cancels it.
   * @param turns how often it runs, one turn after the other, before what is asked for later
   */
  run(action: () => void, { urgent = false, turns = 1 } = {}): () => void {
    const entry: Entry = { action, turns };
    (urgent ? this.#urgent : this.#ordinary).push(entry);
    if (!this.#cancelTimer && !this.#draining) this.#drain();
    return () => (entry.action = undefined);
  }

  stop(): void {
    this.#cancelTimer?.();
    this.#urgent.length = 0;
    this.#ordinary.length = 0;
  }

  #drain(): void {
    this.#cancelTimer = undefined;
    const nowMs = this.#clock.nowMs();
    this.#dueMs = Math.max(this.#dueMs, nowMs - burstMs);
    this.#draining = true;
    this.#runDue(this.#urgent, nowMs);
    this.#runDue(this.#ordinary, nowMs);
    this.#draining = false;
    if (this.#urgent.length + this.#ordinary.length === 0) return;
    const delayMs = Math.max(this.#dueMs - nowMs, burstMs / 4);
    this.#cancelTimer = this.#clock.after(delayMs, () => this.#drain());
  }

  #runDue(entries: Entry[], nowMs: number): void {
    let taken = 0;
    while (taken < entries.length && this.#dueMs <= nowMs) {
      const entry = entries[taken] as Entry;
      const { action } = entry;
      entry.turns--;
      if (!action || entry.turns <= 0) taken++;
      if (!action) continue;
      this.#dueMs += this.#spacingMs;
      action();
    }
    entries.splice(0, taken);
  }
}
