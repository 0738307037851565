/**
 * What clients hold at the same time, by where they come from. Where there is too much, who holds most gives way, so a
 * client that takes all it can get takes it from itself.
 */
export class HeldBySource<T> {
  /** The oldest of each source first. */
  readonly #bySource = new Map<string, Set<T>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(source: string, item: T): void {
    const held = this.#bySource.get(source);
    if (held) held.add(item);
    else this.#bySource.set(source, new Set([item]));
    this.#size++;
  }

  delete(source: string, item: T): void {
    const held = this.#bySource.get(source);
    if (held?.delete(item) !== true) return;
    this.#size--;
    if (held.size === 0) this.#bySource.delete(source);
  }

  /** The oldest item of the source that holds most; undefined where nothing is held. */
  oldestOfMost(): T | undefined {
    let most: Set<T> | undefined;
    for (const held of this.#bySource.values()) {
      if (held.size > (most?.size ?? 0)) most = held;
    }
    const [oldest] = most ?? [];
    return oldest;
  }
}
