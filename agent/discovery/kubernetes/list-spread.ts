import type { ListWatchTimings } from './list-watch-timings.js';

/** Lets the lists of agents that start at once, or whose versions expire at once, come one after the other. */
export class ListSpread {
  readonly #timings: Pick<ListWatchTimings, 'sleep' | 'spread'>;
  #isSpread = false;

  constructor(timings: Pick<ListWatchTimings, 'sleep' | 'spread'>) {
    this.#timings = timings;
  }

  /** The next list is due for all agents at once: it waits. */
  renew(): void {
    this.#isSpread = false;
  }

  /**
   * Waits before a list where that has not been done.
   * @param ask sends a small request, which shows how busy the server is
   * @param known how many objects are known already
   */
  async wait(run: AbortSignal, ask: () => Promise<void>, known: number): Promise<void> {
    const { sleep, spread } = this.#timings;
    if (this.#isSpread || spread.factor === 0) return;
    // The first request also connects and authenticates, so its duration says nothing about the
    // server's load.
    await ask();
    const startedAt = performance.now();
    await ask();
    const busyMs = performance.now() - startedAt;
    this.#isSpread = true;
    const maxMs = Math.max(spread.maxMs, known * spread.perKnownMs);
    await sleep(spread.random() * Math.min(busyMs * spread.factor, maxMs), run);
  }
}
