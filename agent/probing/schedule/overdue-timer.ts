import type { Clock } from '../../platform/clock.js';

/** Something that is waited for. */
export interface OverdueItem {
  /** When it becomes overdue, in monotonic milliseconds. */
  readonly overdueMs: number;
}

/** How late the notice may be. A timer for each probe would cost as much as the probe. */
const checkEveryMs = 20;

/** Calls back once for each item that is overdue and not settled, soon after it is. */
export class OverdueTimer<T extends OverdueItem> {
  readonly #clock: Clock;
  readonly #onOverdue: (item: T) => void;
  readonly #waiting = new Set<T>();
  #cancelTimer: (() => void) | undefined;
  /** When the timer fires, in monotonic milliseconds. */
  #dueMs = Infinity;

  constructor(clock: Clock, onOverdue: (item: T) => void) {
    this.#clock = clock;
    this.#onOverdue = onOverdue;
  }

  add(item: T): void {
    this.#waiting.add(item);
    if (item.overdueMs + checkEveryMs < this.#dueMs) this.#wakeAt(item.overdueMs);
  }

  /** The item is waited for no more. Without one, nothing wakes the process. */
  settle(item: T): void {
    if (this.#waiting.delete(item) && this.#waiting.size === 0) this.stop();
  }

  stop(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    this.#dueMs = Infinity;
    this.#waiting.clear();
  }

  #wakeAt(overdueMs: number): void {
    this.#cancelTimer?.();
    const nowMs = this.#clock.nowMs();
    this.#dueMs = Math.max(overdueMs, nowMs + checkEveryMs);
    this.#cancelTimer = this.#clock.after(this.#dueMs - nowMs, () => this.#check());
  }

  #check(): void {
    this.#cancelTimer = undefined;
    this.#dueMs = Infinity;
    const nowMs = this.#clock.nowMs();
    for (const item of this.#waiting) {
      if (item.overdueMs > nowMs) continue;
      this.#waiting.delete(item);
      this.#onOverdue(item);
    }
    let nextMs = Infinity;
    for (const { overdueMs } of this.#waiting) nextMs = Math.min(nextMs, overdueMs);
    if (nextMs + checkEveryMs < this.#dueMs) this.#wakeAt(nextMs);
  }
}
