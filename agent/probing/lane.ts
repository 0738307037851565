import { setMaxListeners } from 'node:events';
import type { Clock } from '../clock.js';
import type { Judgement } from '../results/judge.js';
import type { Path } from '../results/path.js';
import { Pacer } from './pacer.js';
import type { Prober } from './prober.js';
import type { Sample } from './sample.js';

/** Between probes that confirm a failure. */
export const confirmationGapMs = 200;

export interface LaneOptions {
  readonly prober: Prober;
  readonly intervalMs: number;
  readonly timeoutMs: number;
  readonly failureThreshold: number;
  /** How fast new paths and sweeps are probed. */
  readonly errandsPerSecond: number;
  readonly clock: Clock;
  /** A number from 0 to below 1, for the phase and the order of the steady round. */
  readonly random?: () => number;
  /** Takes a sample and says what is now known of its path. */
  readonly record: (path: Path, sample: Sample) => Judgement | undefined;
}

interface Task {
  readonly path: Path;
  readonly abort: AbortController;
  /** Trains of probes under way: while there is one, a failure starts no other. */
  trains: number;
}

/** All probing with one protocol: the steady round, confirmations and sweeps. */
export class Lane {
  readonly #options: LaneOptions;
  readonly #pacer: Pacer<Task>;
  readonly #tasks = new Map<Path, Task>();

  constructor(options: LaneOptions) {
    this.#options = options;
    this.#pacer = new Pacer({ ...options, visit: (task) => void this.#probe(task) });
  }

  add(paths: readonly Path[]): void {
    const tasks = paths.map((path): Task => ({ path, abort: new AbortController(), trains: 0 }));
    for (const task of tasks) {
      this.#tasks.set(task.path, task);
      // Each probe under way listens, and a long timeout has many of them.
      setMaxListeners(0, task.abort.signal);
    }
    this.#pacer.add(tasks);
  }

  /** Forgets paths; what is under way to them is cancelled at once. */
  remove(paths: readonly Path[]): void {
    const tasks = new Set<Task>();
    for (const path of paths) {
      const task = this.#tasks.get(path);
      if (task) tasks.add(task);
      this.#tasks.delete(path);
    }
    this.#pacer.remove(tasks);
    for (const { abort } of tasks) abort.abort();
  }

  /**
   * Probes every path now. One that does not answer is probed as often as the threshold says, a
   * gap apart and without waiting, so all dead paths together cost one timeout and the gaps.
   */
  async sweep(): Promise<void> {
    const { failureThreshold } = this.#options;
    const swept = [...this.#tasks.values()].map(
      (task) =>
        new Promise<void>((resolve) => {
          this.#pacer.errand(() => this.#train(task, failureThreshold, resolve));
        }),
    );
    await Promise.all(swept);
  }

  stop(): void {
    this.#pacer.stop();
    for (const { abort } of this.#tasks.values()) abort.abort();
    this.#options.prober.close();
  }

  /** Sends one probe; true where it was answered. */
  async #probe(task: Task): Promise<boolean> {
    const { prober, timeoutMs, failureThreshold, record } = this.#options;
    const sample = await prober.probe(task.path.ip, timeoutMs, task.abort.signal);
    if (task.abort.signal.aborted) return false;
    const judgement = record(task.path, sample);
    if (sample.outcome === 'failure' && judgement && task.trains === 0) {
      const missing = failureThreshold - judgement.failures;
      const confirm = judgement.failures > 0 && judgement.state !== 'unreachable' && missing > 0;
      if (confirm) this.#confirm(task, missing);
    }
    return sample.outcome === 'reply';
  }

  #confirm(task: Task, count: number): void {
    task.trains++;
    const cancel = this.#options.clock.after(confirmationGapMs, () => {
      task.abort.signal.removeEventListener('abort', cancel);
      task.trains--;
      this.#train(task, count, () => undefined);
    });
    task.abort.signal.addEventListener('abort', cancel, { once: true });
  }

  /** Up to `count` probes a gap apart, none waiting for another, until one is answered. */
  #train(task: Task, count: number, onEnd: () => void): void {
    const { signal } = task.abort;
    let sent = 0;
    let open = 0;
    let ended = false;
    let cancelNext = (): void => undefined;
    const end = (): void => {
      if (ended) return;
      ended = true;
      cancelNext();
      signal.removeEventListener('abort', end);
      task.trains--;
      onEnd();
    };
    const next = (): void => {
      sent++;
      open++;
      if (sent < count) cancelNext = this.#options.clock.after(confirmationGapMs, next);
      void this.#probe(task).then((answered) => {
        open--;
        if (answered || (open === 0 && sent === count)) end();
      });
    };
    task.trains++;
    signal.addEventListener('abort', end, { once: true });
    if (signal.aborted) end();
    else next();
  }
}
