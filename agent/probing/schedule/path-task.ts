import type { Clock } from '../../platform/clock.js';
import type { PathState } from '../../model/path-state.js';
import type { Path } from '../../model/path.js';
import type { RateQueue, RunOptions } from './rate-queue.js';

/** Something under way that ends by itself. */
interface UnderWay {
  /** Calls back when it has ended, with any result. */
  onEnd(listener: () => void): void;
}

/** A path as a scheduler sees it, with everything under way that can be cancelled. */
export class PathTask {
  readonly path: Path;
  /** It waits for its first probe. The steady round skips it. */
  isNew = true;
  /**
   * A sample of it came, and it is counted as probed. Its state cannot say so: it has none once the results know
   * its path no more, which is before it is removed here.
   */
  wasProbed = false;
  /** Its path is listed no more. */
  isGone = false;
  /** Cancels a check of it that waits for its turn. */
  cancelCheck: (() => void) | undefined;
  /** When its last probe was sent, in monotonic milliseconds. */
  sentMs = -Infinity;
  /** Cancels a probe because of a peer's hint that waits for its turn; then it is a check. */
  cancelHinted: (() => void) | undefined;
  /** The probes that are under way to confirm a change of it. */
  confirmation: UnderWay | undefined;
  state: PathState | undefined;
  /** What cancels a probe under way: mostly there is one at most, and a set costs more than the rest. */
  #first: (() => void) | undefined;
  #others: Set<() => void> | undefined;

  constructor(path: Path) {
    this.path = path;
  }

  /** Adds a function that cancels something under way. */
  track(cancel: () => void): void {
    if (this.#first === undefined) this.#first = cancel;
    else (this.#others ??= new Set()).add(cancel);
  }

  /** Removes what is no longer under way. */
  untrack(cancel: () => void): void {
    if (this.#first === cancel) this.#first = undefined;
    else this.#others?.delete(cancel);
    if (this.#others?.size === 0) this.#others = undefined;
  }

  cancelAll(): void {
    const [first, others = []] = [this.#first, this.#others];
    first?.();
    for (const cancel of [...others]) cancel();
    this.#first = undefined;
    this.#others = undefined;
  }

  /**
   * Runs an action when a queue allows. Returns undefined if it ran at once, else a function that
   * cancels it.
   */
  enqueue(queue: RateQueue, action: () => void, options?: RunOptions): (() => void) | undefined {
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
    take = queue.run(run, options);
    if (done.ran) return undefined;
    this.track(cancelStep);
    return cancelStep;
  }

  /** Runs an action after a delay. Returns a function that cancels it. */
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
