import type { Sample } from '../../model/sample.js';
import type { Clock } from '../../platform/clock.js';
import type { PathTask } from './path-task.js';
import type { RateQueue } from './rate-queue.js';

/** In which way a path may be changing. */
export type SuspectedChange = 'failure' | 'recovery';

export interface ConfirmationOptions {
  readonly task: PathTask;
  readonly change: SuspectedChange;
  /** How many answers or failures the verdict lacks now; 0 once it is reached. */
  readonly countMissing: () => number;
  /** Where the probes wait for their turn. */
  readonly queue: RateQueue;
  readonly clock: Clock;
  /** The time between two of its probes. */
  readonly gapMs: number;
  /** Sends one probe and calls back with its sample. */
  readonly probe: (onSettled: (sample: Sample) => void) => void;
}

/** A confirmation replaces at most this many probes that said nothing of the path. */
const mostReplaced = 3;

/**
 * The probes that confirm a suspected change of a path. They go out one gap apart, and none waits
 * for the answer of another. The first one that refutes the change ends the confirmation. Probes
 * that were not sent, or whose failure is tainted, are replaced at the end.
 */
export class Confirmation {
  readonly #options: ConfirmationOptions;
  readonly #endListeners: (() => void)[] = [];
  #count: number;
  #replaced = 0;
  #sent = 0;
  #open = 0;
  #hasEnded = false;
  #cancelNext: (() => void) | undefined;

  /** @param count how many probes it takes, if each of them says something of the path */
  constructor(count: number, options: ConfirmationOptions) {
    this.#count = count;
    this.#options = options;
  }

  /** Sends the first probe after a delay, as soon as the queue allows. */
  start(delayMs: number): void {
    const { task, clock } = this.#options;
    if (delayMs > 0) this.#cancelNext = task.after(clock, delayMs, () => this.#queueNext());
    else this.#queueNext();
  }

  /** Calls back when the confirmation has ended, with any result. */
  onEnd(listener: () => void): void {
    this.#endListeners.push(listener);
  }

  #queueNext(): void {
    const { task, queue } = this.#options;
    const cancel = task.enqueue(queue, () => this.#sendNext(), { urgent: true });
    // If it was sent at once, it has already scheduled the next one.
    if (cancel) this.#cancelNext = cancel;
  }

  #sendNext(): void {
    const { task, clock, gapMs, probe } = this.#options;
    this.#sent++;
    this.#open++;
    if (this.#sent < this.#count) {
      this.#cancelNext = task.after(clock, gapMs, () => this.#queueNext());
    }
    probe(({ outcome }) => this.#onSettled(outcome));
  }

  #onSettled(outcome: Sample['outcome']): void {
    this.#open--;
    const isRefuted = outcome === (this.#options.change === 'failure' ? 'reply' : 'failure');
    const isComplete = this.#open === 0 && this.#sent === this.#count;
    if (this.#hasEnded || !(isRefuted || isComplete)) return;
    if (!isRefuted && this.#replace()) return;
    this.#hasEnded = true;
    this.#cancelNext?.();
    this.#options.task.confirmation = undefined;
    for (const listener of this.#endListeners) listener();
  }

  #replace(): boolean {
    const missing = Math.min(this.#options.countMissing(), mostReplaced - this.#replaced);
    if (missing <= 0) return false;
    this.#replaced += missing;
    this.#count += missing;
    this.#queueNext();
    return true;
  }
}
