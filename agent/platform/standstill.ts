import { untilBeatMs, type Clock } from './clock.js';

export interface StandstillOptions {
  readonly clock: Pick<Clock, 'nowMs' | 'after'>;
  /** Whether it was the lack of a processor that kept this process: it goes on to look as far as it can, and says so. */
  readonly isStarved: () => boolean;
  /** Called with the time for which this process stood still, in milliseconds. */
  readonly onGoesOn: (ms: number) => void;
}

const checkEveryMs = 1000;
/** Work of this process at a stretch is shorter. */
const leastMs = 3000;
/**
 * Within this time all paths of a small cluster are probed, peers that had given this agent up reach it again, and their rows tell
 * it: they answer with a row once in 5 s.
 */
const settlesMs = 5000;
/** A process that stands still again and again must tell what it sees all the same. */
const oncePerMs = 60_000;

/**
 * Tells when this process goes on after it was stopped: by a signal, by its frozen cgroup, or with its virtual machine. What it
 * knows is then old, and what peers tell is of the time in which they got no answer from it. For some seconds it judges nothing.
 */
export class Standstill {
  readonly #options: StandstillOptions;
  #dueMs = 0;
  #settledMs = -Infinity;
  #cancel: () => void = () => undefined;

  constructor(options: StandstillOptions) {
    this.#options = options;
    this.#wait();
  }

  /** Whether this process goes on just now, so that what is known must first come anew. */
  isSettling(): boolean {
    this.#check();
    return this.#options.clock.nowMs() < this.#settledMs;
  }

  /** Begins to settle, if it did not just do so. It is known from elsewhere that this process stood still. */
  settle(): void {
    const nowMs = this.#options.clock.nowMs();
    if (nowMs - this.#settledMs >= oncePerMs) this.#settledMs = nowMs + settlesMs;
  }

  stop(): void {
    this.#cancel();
  }

  /** Others may ask before the beat that is late comes. */
  #check(): void {
    const { clock, isStarved, onGoesOn } = this.#options;
    const lateMs = clock.nowMs() - this.#dueMs;
    if (lateMs < leastMs) return;
    this.#dueMs = clock.nowMs();
    if (isStarved()) return;
    this.settle();
    onGoesOn(lateMs);
  }

  #wait(): void {
    const { clock } = this.#options;
    const waitMs = untilBeatMs(checkEveryMs, clock.nowMs());
    this.#dueMs = clock.nowMs() + waitMs;
    this.#cancel = clock.after(waitMs, () => {
      this.#check();
      this.#wait();
    });
  }
}
