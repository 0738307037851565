import type { Clock } from '../../platform/clock.js';
import type { Judgement } from '../../results/next-state.js';
import type { Path } from '../../model/path.js';
import type { RateQueue } from './rate-queue.js';

/** A path as a lane probes it, with everything of it that is under way and can be taken back. */
export class Task {
  readonly path: Path;
  /** It waits for its very first probe, and the steady round leaves it alone. */
  isNew = true;
  /** Its path is listed no more. */
  isGone = false;
  /** Takes back a look at it that waits for its turn. */
  takeBackCheck: (() => void) | undefined;
  /** Called when the train of probes that is under way to confirm a change has ended. */
  afterTrain: (() => void)[] | undefined;
  known: Judgement | undefined;
  /** Most paths have nothing pending most of the time, and a set costs more than the rest. */
  #pending: Set<() => void> | undefined;

  constructor(path: Path) {
    this.path = path;
  }

  /** Notes how something under way is taken back. */
  note(takeBackOne: () => void): void {
    (this.#pending ??= new Set()).add(takeBackOne);
  }

  /** It is under way no more. */
  forget(takeBackOne: () => void): void {
    this.#pending?.delete(takeBackOne);
    if (this.#pending?.size === 0) this.#pending = undefined;
  }

  takeBackAll(): void {
    for (const takeBackOne of [...(this.#pending ?? [])]) takeBackOne();
    this.#pending = undefined;
  }

  /** Runs an action when a queue allows; undefined where that was at once, else what takes it back. */
  later(queue: RateQueue, action: () => void, priority = {}): (() => void) | undefined {
    const done = { ran: false };
    let take = (): void => undefined;
    const takeBackStep = (): void => {
      this.forget(takeBackStep);
      take();
    };
    const run = (): void => {
      done.ran = true;
      this.forget(takeBackStep);
      action();
    };
    take = queue.run(run, priority);
    if (done.ran) return undefined;
    this.note(takeBackStep);
    return takeBackStep;
  }

  /** Runs an action after a time; the result takes it back. */
  after(clock: Clock, delayMs: number, action: () => void): () => void {
    const stop = clock.after(delayMs, () => {
      this.forget(takeBackStep);
      action();
    });
    const takeBackStep = (): void => {
      this.forget(takeBackStep);
      stop();
    };
    this.note(takeBackStep);
    return takeBackStep;
  }
}
