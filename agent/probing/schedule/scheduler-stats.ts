import type { Clock } from '../../platform/clock.js';
import type { LanePlan } from './plan.js';
import type { Sample } from '../../model/sample.js';

/** How a lane is doing, whatever its peers do. */
export interface LaneVitals {
  /** How many paths there are, and how many of them were probed at least once. */
  readonly paths: number;
  readonly probed: number;
  /** How much later than it must come the next sample is; 0 while it may still come, or none is to. */
  readonly overdueMs: number;
  /** Probes in a row that this machine could not send, and why the last one. */
  readonly notSentInARow: number;
  readonly notSent: string | undefined;
}

/** What a lane's samples say of the lane itself. */
export class Pulse {
  readonly #clock: Clock;
  #probed = 0;
  #quietSinceMs = 0;
  #notSentInARow = 0;
  #notSent: string | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** There is something to probe from now on. */
  begin(): void {
    this.#quietSinceMs = this.#clock.nowMs();
  }

  /** A sample came, perhaps the first of its path. */
  beat(sample: Sample, isFirst: boolean): void {
    if (isFirst) this.#probed++;
    this.#quietSinceMs = this.#clock.nowMs();
    const notSent = sample.outcome === 'not-sent';
    this.#notSentInARow = notSent ? this.#notSentInARow + 1 : 0;
    this.#notSent = notSent ? sample.detail : undefined;
  }

  /** A path that was probed is gone. */
  forget(): void {
    this.#probed--;
  }

  /** Time in which the whole process stood still shifts the schedule, so no sample is late for it. */
  forgive(ms: number): void {
    this.#quietSinceMs += ms;
  }

  /** Probes are an interval's share of a path apart, and each has its sample within the timeout. */
  vitals({ paths, intervalMs }: LanePlan, timeoutMs: number): LaneVitals {
    const quietMs = paths === 0 ? 0 : this.#clock.nowMs() - this.#quietSinceMs;
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
