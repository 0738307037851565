interface Item {
  readonly key: string;
  readonly dueMs: number;
}

/** What is due next of thousands, without a look at all of them: a binary heap. */
export class DueQueue {
  readonly #dueMs = new Map<string, number>();
  /** Each item is due no earlier than the one at half its place. What was changed since is passed over. */
  #heap: Item[] = [];

  /** Sets when a key is due, in the place of what was set before. */
  set(key: string, dueMs: number): void {
    if (this.#dueMs.get(key) === dueMs) return;
    this.#dueMs.set(key, dueMs);
    if (this.#heap.length > 2 * this.#dueMs.size) this.#rebuild();
    else this.#push({ key, dueMs });
  }

  delete(key: string): void {
    this.#dueMs.delete(key);
  }

  /** The key that is due first; undefined if there is none. */
  first(): Item | undefined {
    for (;;) {
      const [first] = this.#heap;
      if (!first || this.#dueMs.get(first.key) === first.dueMs) return first;
      this.#pop();
    }
  }

  #rebuild(): void {
    this.#heap = [...this.#dueMs]
      .map(([key, dueMs]) => ({ key, dueMs }))
      .sort((a, b) => a.dueMs - b.dueMs);
  }

  #push(item: Item): void {
    const heap = this.#heap;
    let at = heap.length;
    while (at > 0) {
      const parent = heap[(at - 1) >> 1];
      if (!parent || parent.dueMs <= item.dueMs) break;
      heap[at] = parent;
      at = (at - 1) >> 1;
    }
    heap[at] = item;
  }

  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (!last || heap.length === 0) return;
    let at = 0;
    for (;;) {
      const [left, right] = [heap[2 * at + 1], heap[2 * at + 2]];
      const isRight = left !== undefined && right !== undefined && right.dueMs < left.dueMs;
      const child = isRight ? right : left;
      if (!child || child.dueMs >= last.dueMs) break;
      heap[at] = child;
      at = 2 * at + (isRight ? 2 : 1);
    }
    heap[at] = last;
  }
}
