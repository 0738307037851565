import type { Clock } from '../../platform/clock.js';
import type { ProbingPlan } from '../../model/plan.js';
import type { Sample } from '../../model/sample.js';

/** How a scheduler is doing, whatever its peers do. */
export interface SchedulerStats {
  /** How many paths there are, and how many of them were probed at least once. */
  readonly paths: number;
  readonly probed: number;
  /** How much later than it must come the next sample is; 0 while it may still come, or none is to. */
  readonly overdueMs: number;
  /** Probes in a row that this machine could not send, and why the last one. */
  readonly notSentInARow: number;
  readonly notSent: string | undefined;
}

/** What a scheduler's samples say of the scheduler itself. */
export class SchedulerStatsRecorder {
  readonly #clock: Clock;
  #probed = 0;
  #lastSampleMs = 0;
  #notSentInARow = 0;
  #notSent: string | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** There is something to probe from now on. */
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

  /** Time in which the whole process stood still shifts the schedule, so no sample is late for it. */
  extendDeadline(ms: number): void {
    this.#lastSampleMs += ms;
  }

  /** Probes are an interval's share of a path apart, and each has its sample within the timeout. */
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
