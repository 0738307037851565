import type { Clock } from '../../../agent/platform/clock.js';

/**
 * The clock of a process that can be frozen: what is due meanwhile runs when it goes on, as after
 * SIGSTOP and SIGCONT. Its monotonic time is ahead of that of others, so that beats of processes differ.
 */
export class PausableClock implements Clock {
  readonly #clock: Clock;
  readonly #aheadMs: number;
  #due: (() => void)[] = [];
  #isPaused = false;
  #pausedUntilMs = -Infinity;

  constructor(clock: Clock, aheadMs = 0) {
    this.#clock = clock;
    this.#aheadMs = aheadMs;
  }

  nowMs(): number {
    return this.#clock.nowMs() + this.#aheadMs;
  }

  wallMs(): number {
    return this.#clock.wallMs();
  }

  after(delayMs: number, callback: () => void): () => void {
    let isCancelled = false;
    const cancel = this.#clock.after(delayMs, () => {
      if (!this.#isPaused) callback();
      else
        this.#due.push(() => {
          if (!isCancelled) callback();
        });
    });
    return () => {
      isCancelled = true;
      cancel();
    };
  }

  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    this.#isPaused = false;
    this.#pausedUntilMs = this.nowMs();
    const due = this.#due;
    this.#due = [];
    for (const callback of due) callback();
  }

  /** Whether the process was frozen at some time in the last `lastMs` milliseconds. */
  wasPaused(lastMs: number): boolean {
    return this.#isPaused || this.#pausedUntilMs > this.nowMs() - lastMs;
  }
}
