import type { Clock } from '../platform/clock.js';
import type { DiagnosisOutput } from '../diagnosis/diagnosis-input.js';

export interface FindingsRunnerOptions {
  readonly clock: Clock;
  /** Computes the findings step by step. Other work may run between two steps. */
  readonly diagnose: (previous: DiagnosisOutput | undefined) => Generator<unknown, DiagnosisOutput>;
  /** Called with each new result and the one before. */
  readonly onResult: (result: DiagnosisOutput, before: DiagnosisOutput | undefined) => void;
}

/** Findings are computed at most twice a second. */
const minGapMs = 500;
/**
 * They are computed at least this often without a change too, because rows become stale by age.
 */
const maxGapMs = 2000;
/** A slice ends after this many milliseconds. */
const sliceMs = 4;

/**
 * Computes the findings when something changed, in short slices, so that probing is not disturbed.
 */
export class FindingsRunner {
  readonly #options: FindingsRunnerOptions;
  #result: DiagnosisOutput | undefined;
  #steps: Generator<unknown, DiagnosisOutput> | undefined;
  #startedMs = -Infinity;
  #cancelTimer: (() => void) | undefined;
  #dueMs = Infinity;
  #changedMeanwhile = false;
  #stopped = false;

  constructor(options: FindingsRunnerOptions) {
    this.#options = options;
    this.#schedule(0);
  }

  /** The newest findings; undefined before the first run is complete. */
  get result(): DiagnosisOutput | undefined {
    return this.#result;
  }

  /** Rows, own states or the node list changed. */
  notify(): void {
    if (this.#steps === undefined) this.#schedule(this.#untilAllowedMs());
    else this.#changedMeanwhile = true;
  }

  stop(): void {
    this.#stopped = true;
    this.#cancelTimer?.();
  }

  #untilAllowedMs(): number {
    return Math.max(this.#startedMs + minGapMs - this.#options.clock.nowMs(), 0);
  }

  /** Of two requested times the earlier one wins. */
  #schedule(delayMs: number): void {
    const { clock } = this.#options;
    const dueMs = clock.nowMs() + delayMs;
    if (this.#stopped || dueMs >= this.#dueMs) return;
    this.#cancelTimer?.();
    this.#dueMs = dueMs;
    this.#cancelTimer = clock.after(delayMs, () => this.#run());
  }

  #run(): void {
    const { clock, diagnose, onResult } = this.#options;
    if (this.#steps === undefined) {
      this.#dueMs = Infinity;
      this.#startedMs = clock.nowMs();
      this.#steps = diagnose(this.#result);
    }
    const untilMs = clock.nowMs() + sliceMs;
    for (;;) {
      const step = this.#steps.next();
      if (step.done === true) {
        const before = this.#result;
        this.#result = step.value;
        this.#steps = undefined;
        onResult(step.value, before);
        this.#schedule(
          this.#changedMeanwhile
            ? this.#untilAllowedMs()
            : Math.max(
                this.#untilAllowedMs(),
                Math.min(step.value.opensInMs ?? maxGapMs, maxGapMs),
              ),
        );
        this.#changedMeanwhile = false;
        return;
      }
      if (clock.nowMs() < untilMs) continue;
      this.#cancelTimer = clock.after(0, () => this.#run());
      return;
    }
  }
}
