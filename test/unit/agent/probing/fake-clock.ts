import type { Clock } from '../../../../agent/platform/clock.js';

/** A clock that a test advances. Promises of a callback settle before the time goes on. */
export class FakeClock implements Clock {
  /** The wall clock is ahead of the monotonic one by this much. A test may set it. */
  wallOffsetMs = Date.UTC(2026, 0, 1);
  #nowMs = 1000;
  #timers: { readonly atMs: number; readonly callback: () => void }[] = [];

  nowMs(): number {
    return this.#nowMs;
  }

  wallMs(): number {
    return this.wallOffsetMs + this.#nowMs;
  }

  after(delayMs: number, callback: () => void): () => void {
    const timer = { atMs: this.#nowMs + delayMs, callback };
    this.#timers.push(timer);
    return () => (this.#timers = this.#timers.filter((other) => other !== timer));
  }

  /** Advances the time and runs each timer that becomes due, at its time. */
  async advance(ms: number): Promise<void> {
    const endMs = this.#nowMs + ms;
    for (;;) {
      await settled();
      const due = this.#timers.filter(({ atMs }) => atMs <= endMs);
      const next = due.sort((a, b) => a.atMs - b.atMs)[0];
      if (!next) break;
      this.#timers = this.#timers.filter((timer) => timer !== next);
      this.#nowMs = Math.max(this.#nowMs, next.atMs);
      next.callback();
    }
    this.#nowMs = endMs;
  }

  /** Advances the time without running any timer, as if the process was stopped. */
  stall(ms: number): void {
    this.#nowMs += ms;
  }

  get pendingTimers(): number {
    return this.#timers.length;
  }
}

function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
