import type { Clock } from '../../platform/clock.js';
import { isFailing } from './cut-off-detector.js';
import type { PathTask } from './path-task.js';
import type { RateQueue } from './rate-queue.js';

export interface FailingProbesOptions {
  readonly clock: Clock;
  /** Where the probes wait for their turn. */
  readonly queue: RateQueue;
  readonly tasks: () => Iterable<PathTask>;
  readonly probe: (task: PathTask) => void;
}

/** How often failing paths are probed again, and the time in between. */
const passes = 3;
const passGapMs = 2000;

/**
 * Probes all failing paths again when the agent was cut off and is back: at once, and twice more
 * those that still fail, because not all paths come back at once. So each failing path gets at most
 * three probes, and those that confirm its first answer.
 */
export class FailingProbes {
  readonly #options: FailingProbesOptions;
  #passesLeft = 0;
  #isRunning = false;
  #startedMs = -Infinity;
  #cancelTimer: (() => void) | undefined;

  constructor(options: FailingProbesOptions) {
    this.#options = options;
  }

  /** Starts, or starts anew if it is under way. A pass that has just begun is the first one. */
  start(): void {
    const isYoung = this.#options.clock.nowMs() - this.#startedMs < passGapMs;
    this.#passesLeft = this.#isRunning && isYoung ? passes - 1 : passes;
    if (!this.#isRunning) this.#startPass();
  }

  stop(): void {
    this.#passesLeft = 0;
    this.#cancelTimer?.();
  }

  #startPass(): void {
    this.#isRunning = this.#passesLeft > 0;
    if (!this.#isRunning) return;
    this.#passesLeft--;
    this.#startedMs = this.#options.clock.nowMs();
    this.#next(this.#options.tasks()[Symbol.iterator](), this.#startedMs);
  }

  /** Probes one path after the other. Only one of them waits in the queue, so a pass costs little. */
  #next(tasks: Iterator<PathTask, unknown>, startMs: number): void {
    const { clock, queue, probe } = this.#options;
    for (let step = tasks.next(); step.done !== true; step = tasks.next()) {
      const task = step.value;
      if (!isDue(task, startMs)) continue;
      queue.run(() => {
        // Its turn in the round, or a hint, may have come first.
        if (isDue(task, startMs)) probe(task);
        this.#next(tasks, startMs);
      });
      return;
    }
    this.#cancelTimer = clock.after(passGapMs, () => this.#startPass());
  }
}

function isDue(task: PathTask, startMs: number): boolean {
  const isIdle = !task.isGone && !task.isNew && !task.confirmation && task.sentMs < startMs;
  return isIdle && isFailing(task.state);
}
