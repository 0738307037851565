import type { PathTask } from './path-task.js';
import type { RateQueue } from './rate-queue.js';

export interface FirstProbesOptions {
  readonly queue: RateQueue;
  readonly probe: (task: PathTask) => void;
}

/** The paths that wait for their first probe. They may be many, so the queue holds one action for all. */
export class FirstProbes {
  readonly #options: FirstProbesOptions;
  readonly #waiting: PathTask[] = [];
  #next = 0;

  constructor(options: FirstProbesOptions) {
    this.#options = options;
  }

  /** Puts new paths behind those that wait. */
  add(tasks: readonly PathTask[]): void {
    if (tasks.length === 0) return;
    for (const task of tasks) this.#waiting.push(task);
    this.#options.queue.run(() => this.#probeNext(), { urgent: true, turns: tasks.length });
  }

  /** Probes the next one that is still listed. */
  #probeNext(): void {
    let task: PathTask | undefined;
    do task = this.#waiting[this.#next++];
    while (task?.isGone);
    if (this.#next >= this.#waiting.length) {
      this.#waiting.length = 0;
      this.#next = 0;
    }
    if (!task) return;
    task.isNew = false;
    this.#options.probe(task);
  }
}
