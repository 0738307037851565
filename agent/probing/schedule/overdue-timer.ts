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
  /** When the timer fires, in monotonic milliseconds. */
  #dueMs = Infinity;

  constructor(clock: Clock, onOverdue: (item: T) => void) {
    this.#clock = clock;
    this.#onOverdue = onOverdue;
  }

  add(item: T): void {
    this.#waiting.push(item);
    if (item.overdueMs + checkEveryMs < this.#dueMs) this.#wakeAt(item.overdueMs);
  }

  stop(): void {
    this.#cancelTimer?.();
    this.#waiting = [];
  }

  /** Most probes are answered long before: nothing wakes the process for them until then. */
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
    const unsettled = this.#waiting.filter(({ settled }) => !settled);
    this.#waiting = unsettled.filter(({ overdueMs }) => overdueMs > nowMs);
    for (const item of unsettled) if (item.overdueMs <= nowMs) this.#onOverdue(item);
    if (this.#waiting.length === 0) return;
    const nextMs = this.#waiting.reduce((ms, { overdueMs }) => Math.min(ms, overdueMs), Infinity);
    if (nextMs + checkEveryMs < this.#dueMs) this.#wakeAt(nextMs);
  }
}
