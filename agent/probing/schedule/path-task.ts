import type { Clock } from '../../platform/clock.js';
import type { PathState } from '../../model/path-state.js';
import type { Path } from '../../model/path.js';
import type { Confirmation } from './confirmation.js';
import type { RateQueue } from './rate-queue.js';

/** A path as a scheduler probes it, with everything of it that is under way and can be taken back. */
export class PathTask {
  readonly path: Path;
  /** It waits for its very first probe, and the steady round leaves it alone. */
  isNew = true;
  /** Its path is listed no more. */
  isGone = false;
  /** Takes back a look at it that waits for its turn. */
  cancelCheck: (() => void) | undefined;
  /** When its last probe was sent, in monotonic milliseconds. */
  sentMs = -Infinity;
  /** It waits to be looked at because a peer hinted at it. */
  hasLook = false;
  /** The probes that are under way to confirm a change of it. */
  confirmation: Confirmation | undefined;
  state: PathState | undefined;
  /** Most paths have nothing pending most of the time, and a set costs more than the rest. */
  #pending: Set<() => void> | undefined;

  constructor(path: Path) {
    this.path = path;
  }

  /** Notes how something under way is taken back. */
  track(cancel: () => void): void {
    (this.#pending ??= new Set()).add(cancel);
  }

  /** It is under way no more. */
  untrack(cancel: () => void): void {
    this.#pending?.delete(cancel);
    if (this.#pending?.size === 0) this.#pending = undefined;
  }

  cancelAll(): void {
    for (const cancel of [...(this.#pending ?? [])]) cancel();
    this.#pending = undefined;
  }

  /** Runs an action when a queue allows; undefined where that was at once, else what takes it back. */
  enqueue(queue: RateQueue, action: () => void, priority = {}): (() => void) | undefined {
    const done = { ran: false };
    let take = (): void => undefined;
    const cancelStep = (): void => {
      this.untrack(cancelStep);
      take();
    };
    const run = (): void => {
      done.ran = true;
      this.untrack(cancelStep);
      action();
    };
    take = queue.run(run, priority);
    if (done.ran) return undefined;
    this.track(cancelStep);
    return cancelStep;
  }

  /** Runs an action after a time; the result takes it back. */
  after(clock: Clock, delayMs: number, action: () => void): () => void {
    const stop = clock.after(delayMs, () => {
      this.untrack(cancelStep);
      action();
    });
    const cancelStep = (): void => {
      this.untrack(cancelStep);
      stop();
    };
    this.track(cancelStep);
    return cancelStep;
  }
}
