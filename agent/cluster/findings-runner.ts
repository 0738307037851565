import type { Clock } from '../platform/clock.js';
import type { DiagnosisOutput } from '../diagnosis/diagnosis-input.js';

export interface FindingsRunnerOptions {
  readonly clock: Clock;
  /** Works out the findings step by step; between two steps other work may run. */
  readonly diagnose: (previous: DiagnosisOutput | undefined) => Generator<unknown, DiagnosisOutput>;
  /** Called with each new result and the one before. */
  readonly onResult: (result: DiagnosisOutput, before: DiagnosisOutput | undefined) => void;
}

/** Findings are worked out at most twice a second, */
const minGapMs = 500;
/** and once in this time though nothing changed, as ages alone make rows stale. */
const maxGapMs = 2000;
/** Other work runs after so many milliseconds of it. */
const sliceMs = 4;

/** Works out the findings when something changed, in short slices, so that probing is not disturbed. */
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

  /** Of two wishes the earlier one counts. */
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
        this.#schedule(this.#changedMeanwhile ? this.#untilAllowedMs() : maxGapMs);
        this.#changedMeanwhile = false;
        return;
      }
      if (clock.nowMs() < untilMs) continue;
      this.#cancelTimer = clock.after(0, () => this.#run());
      return;
    }
  }
}
