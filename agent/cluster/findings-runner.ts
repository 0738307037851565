import type { Clock } from '../platform/clock.js';
import type { DiagnosisOutput } from '../diagnosis/nouns/diagnosis-input.js';
import { runOnClock } from '../platform/time-slices.js';

export interface FindingsRunnerOptions {
  readonly clock: Clock;
  /** Whether what is known is too old to judge by; left out, it never is. */
  readonly isSettling?: () => boolean;
  /** Computes the findings step by step. Other work may run between two steps. */
  readonly diagnose: (previous: DiagnosisOutput | undefined) => Generator<unknown, DiagnosisOutput>;
  /** Called with each new result and the one before. */
  readonly onResult: (result: DiagnosisOutput, before: DiagnosisOutput | undefined) => void;
}

/** Findings are computed at most twice a second, and while one waits to open five times. */
export const [usualGapMs, waitingGapMs] = [500, 200];
/** In a large cluster they take a tenth of the time at most, and are computed once a second all the same. */
export const gapPerRun = 10;
export const longestGapMs = 1000;
/**
 * They are computed at least this often without a change too, because rows become stale by age.
 */
export const maxGapMs = 2000;
/** A slice ends after this many milliseconds. */
const sliceMs = 4;

/**
 * Computes the findings when something changed, in short slices, so that probing is not disturbed.
 */
export class FindingsRunner {
  readonly #options: FindingsRunnerOptions;
  #result: DiagnosisOutput | undefined;
  #isRunning = false;
  #startedMs = -Infinity;
  #tookMs = 0;
  #cancelTimer: (() => void) | undefined;
  #cancelRun: (() => void) | undefined;
  #dueMs = Infinity;
  #changedMeanwhile = false;
  #isHeld = false;
  #stopped = false;

  constructor(options: FindingsRunnerOptions) {
    this.#options = options;
    this.#schedule(0);
  }

  /** The newest findings; undefined before the first run is complete. */
  get result(): DiagnosisOutput | undefined {
    return this.#result;
  }

  /** Whether the newest findings are from before what is known became too old, as no run is complete since. */
  get isHeld(): boolean {
    return this.#isHeld;
  }

  /** Rows, own states or the node list changed. */
  notify(): void {
    if (this.#isRunning) this.#changedMeanwhile = true;
    else this.#schedule(this.#untilAllowedMs());
  }

  stop(): void {
    this.#stopped = true;
    this.#cancelTimer?.();
    this.#cancelRun?.();
  }

  #untilAllowedMs(): number {
    const leastMs = this.#result?.opensInMs === undefined ? usualGapMs : waitingGapMs;
    const gapMs = Math.min(Math.max(leastMs, gapPerRun * this.#tookMs), longestGapMs);
    return Math.max(this.#startedMs + gapMs - this.#options.clock.nowMs(), 0);
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
    const { clock, diagnose, isSettling = () => false } = this.#options;
    this.#dueMs = Infinity;
    if (isSettling()) {
      this.#isHeld = true;
      this.#schedule(usualGapMs);
      return;
    }
    this.#startedMs = clock.nowMs();
    this.#isRunning = true;
    const steps = diagnose(this.#result);
    this.#cancelRun = runOnClock(steps, { clock, sliceMs }, (result) => this.#take(result));
  }

  #take(result: DiagnosisOutput): void {
    const before = this.#result;
    this.#result = result;
    this.#isRunning = false;
    this.#isHeld = false;
    this.#tookMs = this.#options.clock.nowMs() - this.#startedMs;
    this.#options.onResult(result, before);
    const allowedMs = this.#untilAllowedMs();
    const againMs = Math.min(result.opensInMs ?? maxGapMs, maxGapMs);
    this.#schedule(this.#changedMeanwhile ? allowedMs : Math.max(allowedMs, againMs));
    this.#changedMeanwhile = false;
  }
}
