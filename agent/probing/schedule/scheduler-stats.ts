import type { Clock } from '../../platform/clock.js';
import type { ProbingPlan } from '../../model/plan.js';
import type { Sample } from '../../model/sample.js';

/** The state of a scheduler itself, whatever its peers do. */
export interface SchedulerStats {
  /** How many paths there are, and how many of them were probed at least once. */
  readonly paths: number;
  readonly probed: number;
  /**
   * Milliseconds past the deadline of the next sample; 0 if it is not late or nothing is probed.
   */
  readonly overdueMs: number;
  /** Probes in a row that this machine could not send, and why the last one. */
  readonly notSentInARow: number;
  readonly notSent: string | undefined;
}

/** Derives the state of a scheduler from its samples. */
export class SchedulerStatsRecorder {
  readonly #clock: Clock;
  #probed = 0;
  #lastSampleMs = 0;
  #notSentInARow = 0;
  #notSent: string | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Starts: from now on there is something to probe. */
  start(): void {
    this.#lastSampleMs = this.#clock.nowMs();
  }

  /** A sample came, perhaps the first of its path. */
  record(sample: Sample, isFirst: boolean): void {
    if (isFirst) this.#probed++;
    this.#lastSampleMs = this.#clock.nowMs();
    const notSent = sample.outcome === 'not-sent';
    this.#notSentInARow = notSent ? this.#notSentInARow + 1 : 0;
    this.#notSent = notSent ? sample.detail : undefined;
  }

  /** A path that was probed is gone. */
  removePath(): void {
    this.#probed--;
  }

  /** Moves the deadlines by a time in which the whole process stood still. */
  extendDeadline(ms: number): void {
    this.#lastSampleMs += ms;
  }

  /**
   * Probes are spaced by the interval divided by the number of paths, and each has its sample
   * within the timeout.
   */
  stats({ paths, intervalMs }: ProbingPlan, timeoutMs: number): SchedulerStats {
    const quietMs = paths === 0 ? 0 : this.#clock.nowMs() - this.#lastSampleMs;
    // Twice, as the round is cut anew when paths come and go.
    const allowedMs = (2 * intervalMs) / Math.max(paths, 1) + timeoutMs;
    return {
      paths,
      probed: this.#probed,
      overdueMs: Math.max(quietMs - allowedMs, 0),
      notSentInARow: this.#notSentInARow,
      notSent: this.#notSent,
    };
  }
}
