/**
 * Runs a task when asked to, one run at a time and with a least time between two starts. What is asked
 * for meanwhile is one further run, however often it is asked.
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

  /** Runs it after that time, or earlier where an earlier run was asked for. */
  request(delayMs = 0): void {
    if (this.#isStopped) return;
    const dueMs = Math.max(performance.now() + delayMs, this.#startedMs + this.#minGapMs);
    if (dueMs >= this.#dueMs) return;
    this.#dueMs = dueMs;
    if (!this.#isRunning) this.#arm();
  }

  /** Nothing starts any more. */
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
