import type { ListWatchTimings } from './list-watch-timings.js';
import type { Verdict } from './row-lookups.js';

/** What a watch accepts. Where the server cannot make a Table (a proxy, say), it sends whole objects. */
export const asTable = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json';

/** Decides for each watch whether it asks for rows of a Table: not where the server makes none, nor where they save nothing. */
export class TableWatch {
  readonly #timings: Pick<ListWatchTimings, 'manyLookUps' | 'wholeMs'>;
  #isWanted: boolean;
  /** Of the watch that is open or was last: its rows, and those that called for a look-up. */
  #rows = 0;
  #lookUps = 0;
  /** Until then look-ups would be too many, in monotonic milliseconds. */
  #wholeUntilMs = -Infinity;

  /** @param isWanted whether rows can be read at all */
  constructor(isWanted: boolean, timings: Pick<ListWatchTimings, 'manyLookUps' | 'wholeMs'>) {
    this.#isWanted = isWanted;
    this.#timings = timings;
  }

  /** A watch begins. Returns whether it is to ask for a Table. */
  begin(): boolean {
    [this.#rows, this.#lookUps] = [0, 0];
    return this.#isWanted && performance.now() >= this.#wholeUntilMs;
  }

  /** Takes a row of this watch. */
  noteRow(lookUp: Verdict['lookUp']): void {
    this.#rows++;
    if (lookUp !== 'no') this.#lookUps++;
  }

  /** The watch has ended. */
  end(): void {
    const { manyLookUps, wholeMs } = this.#timings;
    if (this.#lookUps >= manyLookUps && this.#lookUps > this.#rows / 2) {
      this.#wholeUntilMs = performance.now() + wholeMs;
    }
  }

  /** The Tables of the server are none. */
  giveUp(): void {
    this.#isWanted = false;
  }
}
