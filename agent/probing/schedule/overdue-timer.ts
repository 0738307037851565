import type { Clock } from '../../platform/clock.js';

/** Something that is waited for. */
export interface OverdueItem {
  /** When it becomes overdue, in monotonic milliseconds. */
  readonly overdueMs: number;
  settled: boolean;
}

/** How late the notice may be. A timer for each probe would cost as much as the probe. */
const checkEveryMs = 20;

/** Calls back once for each item that is overdue and not settled, at most one tick late. */
export class OverdueTimer<T extends OverdueItem> {
  readonly #clock: Clock;
  readonly #onOverdue: (item: T) => void;
  #waiting: T[] = [];
  #cancelTimer: (() => void) | undefined;

  constructor(clock: Clock, onOverdue: (item: T) => void) {
    this.#clock = clock;
    this.#onOverdue = onOverdue;
  }

  add(item: T): void {
    this.#waiting.push(item);
    this.#cancelTimer ??= this.#clock.after(checkEveryMs, () => this.#check());
  }

  stop(): void {
    this.#cancelTimer?.();
    this.#waiting = [];
  }

  #check(): void {
    this.#cancelTimer = undefined;
    const nowMs = this.#clock.nowMs();
    const unsettled = this.#waiting.filter(({ settled }) => !settled);
    this.#waiting = unsettled.filter(({ overdueMs }) => overdueMs > nowMs);
    for (const item of unsettled) if (item.overdueMs <= nowMs) this.#onOverdue(item);
    if (this.#waiting.length > 0) {
      this.#cancelTimer ??= this.#clock.after(checkEveryMs, () => this.#check());
    }
  }
}
