/**
 * Doubts a collection that was full and is empty now: a server in trouble also lists nothing. The
 * empty collection is accepted after it has been empty for some time.
 */
export class EmptyListGuard<T> {
  readonly #graceMs: number;
  #last: ReadonlyMap<string, T> = new Map();
  #emptySinceMs: number | undefined;

  constructor(graceMs: number) {
    this.#graceMs = graceMs;
  }

  /** The collection to use at a given time, in monotonic milliseconds, given what is listed. */
  accept(listed: ReadonlyMap<string, T>, nowMs: number): ReadonlyMap<string, T> {
    if (listed.size > 0 || this.#last.size === 0) {
      this.#emptySinceMs = undefined;
    } else {
      this.#emptySinceMs ??= nowMs;
      if (nowMs < this.#emptySinceMs + this.#graceMs) return this.#last;
    }
    // A copy, because the listed collection changes.
    this.#last = new Map(listed);
    return this.#last;
  }

  /** When an empty collection will be accepted, in monotonic milliseconds; undefined if none is doubted. */
  get untilMs(): number | undefined {
    return this.#last.size > 0 && this.#emptySinceMs !== undefined
      ? this.#emptySinceMs + this.#graceMs
      : undefined;
  }
}
