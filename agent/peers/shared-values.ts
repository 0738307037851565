/** More different values than all agents of a cluster have at the same time, unless one lies. */
const capacity = 256;

/**
 * Makes equal values one and the same, so that thousands of holders share its memory. It only
 * saves memory: if there are too many different values, it forgets them all and begins again.
 */
export class SharedValues<T> {
  readonly #values = new Map<string, T>();

  /** The value that was given with that key before, or else this one. */
  share(key: string, value: T): T {
    return this.of(key, () => value);
  }

  /** The same, with a value that is made where there is none. */
  of(key: string, create: () => T): T {
    const known = this.#values.get(key);
    if (known !== undefined) return known;
    if (this.#values.size >= capacity) this.#values.clear();
    const value = create();
    this.#values.set(key, value);
    return value;
  }
}
