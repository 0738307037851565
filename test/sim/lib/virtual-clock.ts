import type { Clock } from '../../../agent/platform/clock.js';

interface Timer {
  readonly atMs: number;
  /** Timers that are due at the same time run in the order in which they were set. */
  readonly order: number;
  callback: (() => void) | undefined;
}

/** A clock that never waits: it jumps to the next timer. Each run is the same. */
export class VirtualClock implements Clock {
  /** A binary heap, the earliest first. */
  readonly #heap: Timer[] = [];
  /** The wall clock is ahead of the monotonic one by this much. A test may set it. */
  wallOffsetMs = 1_700_000_000_000;
  #nowMs: number;
  #order = 0;

  constructor(startMs = 0) {
    this.#nowMs = startMs;
  }

  nowMs(): number {
    return this.#nowMs;
  }

  wallMs(): number {
    return this.wallOffsetMs + this.#nowMs;
  }

  after(delayMs: number, callback: () => void): () => void {
    const timer: Timer = {
      atMs: this.#nowMs + Math.max(delayMs, 0),
      order: this.#order++,
      callback,
    };
    this.#push(timer);
    return () => (timer.callback = undefined);
  }

  /** Lets time pass while code runs, or while the process is stopped: timers that become due wait. */
  stall(ms: number): void {
    this.#nowMs += ms;
  }

  /** Runs all timers that are due until then. */
  runUntil(endMs: number): void {
    while (this.runNext(endMs));
    this.#nowMs = Math.max(this.#nowMs, endMs);
  }

  /** Runs the next timer that is due until then. Returns whether there was one. */
  protected runNext(endMs: number): boolean {
    for (let next = this.#heap[0]; next && next.atMs <= endMs; next = this.#heap[0]) {
      this.#pop();
      const { callback } = next;
      next.callback = undefined;
      if (!callback) continue;
      this.#nowMs = Math.max(this.#nowMs, next.atMs);
      callback();
      return true;
    }
    return false;
  }

  /** How many timers are set. */
  get pendingTimers(): number {
    return this.#heap.filter(({ callback }) => callback).length;
  }

  #push(timer: Timer): void {
    const heap = this.#heap;
    let at = heap.push(timer) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = heap[parent] as Timer;
      if (!isBefore(timer, above)) break;
      heap[at] = above;
      at = parent;
    }
    heap[at] = timer;
  }

  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (!last || heap.length === 0) return;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      const right = child + 1;
      if (right < heap.length && isBefore(heap[right] as Timer, heap[child] as Timer))
        child = right;
      if (!isBefore(heap[child] as Timer, last)) break;
      heap[at] = heap[child] as Timer;
      at = child;
    }
    heap[at] = last;
  }
}

function isBefore(a: Timer, b: Timer): boolean {
  return a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order);
}
