import type { Sample } from '../../model/sample.js';
import type { Clock } from '../../platform/clock.js';
import type { PathTask } from './path-task.js';
import { confirmationGapMs } from './plan.js';
import type { RateQueue } from './rate-queue.js';

/** In which way a path may be changing. */
export type SuspectedChange = 'failure' | 'recovery';

export interface ConfirmationOptions {
  readonly task: PathTask;
  readonly change: SuspectedChange;
  /** How many probes it takes. */
  readonly count: number;
  /** Where the probes wait for their turn. */
  readonly queue: RateQueue;
  readonly clock: Clock;
  /** Sends one probe and calls back with its sample. */
  readonly probe: (onSettled: (sample: Sample) => void) => void;
}

/** A confirmation replaces at most this many probes that say nothing of the path. */
const mostReplaced = 3;

/**
 * The probes that confirm a suspected change of a path. They go out one gap apart, and none waits
 * for the answer of another. The first one that refutes the change ends the confirmation. A probe
 * that was not sent, or whose failure is tainted, is replaced by another one.
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

  constructor(options: ConfirmationOptions) {
    this.#options = options;
    this.#count = options.count;
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
    const { probe } = this.#options;
    this.#sent++;
    this.#open++;
    if (this.#sent < this.#count) this.#scheduleNext();
    probe((sample) => this.#onSettled(sample));
  }

  #scheduleNext(): void {
    const { task, clock } = this.#options;
    this.#cancelNext = task.after(clock, confirmationGapMs, () => this.#queueNext());
  }

  #onSettled(sample: Sample): void {
    this.#open--;
    if (this.#hasEnded) return;
    const isInconclusive = saysNothing(sample);
    if (isInconclusive && this.#replaced < mostReplaced) {
      this.#replaced++;
      if (this.#sent === this.#count++) this.#scheduleNext();
    }
    const refutation = this.#options.change === 'failure' ? 'reply' : 'failure';
    const isRefuted = !isInconclusive && sample.outcome === refutation;
    const isComplete = this.#open === 0 && this.#sent === this.#count;
    if (!(isRefuted || isComplete)) return;
    this.#hasEnded = true;
    this.#cancelNext?.();
    this.#options.task.confirmation = undefined;
    for (const listener of this.#endListeners) listener();
  }
}

function saysNothing(sample: Sample): boolean {
  return sample.outcome === 'not-sent' || (sample.outcome === 'failure' && sample.tainted === true);
}
