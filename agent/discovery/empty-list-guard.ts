/**
 * Doubts a collection that was full and is empty now: a server in trouble also lists nothing. The
 * empty collection is accepted after it has been empty for some time.
 */
export class EmptyListGuard<T> {
  readonly #graceMs: number;
  #last: ReadonlyMap<string, T> = new Map();
  #emptySince: number | undefined;

  constructor(graceMs: number) {
    this.#graceMs = graceMs;
  }

  /** The collection to use at a given time (milliseconds), given what is listed. */
  accept(listed: ReadonlyMap<string, T>, now: number): ReadonlyMap<string, T> {
    if (listed.size > 0 || this.#last.size === 0) {
      this.#emptySince = undefined;
    } else {
      this.#emptySince ??= now;
      if (now < this.#emptySince + this.#graceMs) return this.#last;
    }
    // A copy, because the listed collection changes.
    this.#last = new Map(listed);
    return this.#last;
  }

  /** When an empty collection will be accepted; undefined if none is doubted. */
  get until(): number | undefined {
    return this.#last.size > 0 && this.#emptySince !== undefined
      ? this.#emptySince + this.#graceMs
      : undefined;
  }
}
