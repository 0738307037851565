/**
 * Doubts an empty collection that was full before: a server in trouble lists nothing, too. It is
 * believed once it has been empty for so long.
 */
export class EmptyListGuard<T> {
  readonly #graceMs: number;
  #last: ReadonlyMap<string, T> = new Map();
  #emptySince: number | undefined;

  constructor(graceMs: number) {
    this.#graceMs = graceMs;
  }

  /** What to take for true at a given time (milliseconds), given what is listed. */
  accept(listed: ReadonlyMap<string, T>, now: number): ReadonlyMap<string, T> {
    if (listed.size > 0 || this.#last.size === 0) {
      this.#emptySince = undefined;
    } else {
      this.#emptySince ??= now;
      if (now < this.#emptySince + this.#graceMs) return this.#last;
    }
    // A copy, as the listed ones are live.
    this.#last = new Map(listed);
    return this.#last;
  }

  /** When a doubted emptiness will be believed; undefined while there is none. */
  get until(): number | undefined {
    return this.#last.size > 0 && this.#emptySince !== undefined
      ? this.#emptySince + this.#graceMs
      : undefined;
  }
}
