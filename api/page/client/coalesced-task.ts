/**
 * Runs a task on request, one run at a time, with a minimum gap between two starts. All requests
 * during a run lead to one further run.
 */
export class CoalescedTask {
  readonly #run: () => Promise<void>;
  readonly #minGapMs: number;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #dueMs = Infinity;
  #startedMs = -Infinity;
  #isRunning = false;
  #isStopped = false;

  constructor(run: () => Promise<void>, minGapMs: number) {
    this.#run = run;
    this.#minGapMs = minGapMs;
  }

  /** Runs the task after `delayMs`, or earlier if an earlier run was requested. */
  request(delayMs = 0): void {
    if (this.#isStopped) return;
    const dueMs = Math.max(performance.now() + delayMs, this.#startedMs + this.#minGapMs);
    if (dueMs >= this.#dueMs) return;
    this.#dueMs = dueMs;
    if (!this.#isRunning) this.#arm();
  }

  /** Ends all further runs. A run that has started goes on. */
  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  #arm(): void {
    clearTimeout(this.#timer);
    if (this.#dueMs === Infinity) return;
    this.#timer = setTimeout(() => void this.#start(), this.#dueMs - performance.now());
  }

  async #start(): Promise<void> {
    this.#dueMs = Infinity;
    this.#startedMs = performance.now();
    this.#isRunning = true;
    try {
      await this.#run();
    } finally {
      this.#isRunning = false;
      if (!this.#isStopped) this.#arm();
    }
  }
}
