import type { Clock } from '../../platform/clock.js';
import { shuffled } from '../../platform/shuffled.js';

export interface PacerOptions<T> {
  /** The time in which each of `count` items is visited once. */
  readonly intervalMsOf: (count: number) => number;
  /** Visits due within this time are made together, so that the process wakes up less often. */
  readonly groupMs: number;
  readonly clock: Clock;
  readonly visit: (item: T) => void;
  /**
   * The first visit comes after this time, and so does the next one where a new interval finds it overdue; left
   * out, it comes at a random time within the spacing of the visits.
   */
  readonly firstMs?: () => number;
  /** A number from 0 to below 1. */
  readonly random?: () => number;
}

/** How much time a late wake-up may catch up at once. The rest is skipped. */
const catchUpMs = 20;

/**
 * Visits every item once per interval: evenly spaced, in random order and with a random phase.
 * After a stall the schedule moves; missed visits are not made up in a burst.
 */
export class Pacer<T> {
  readonly #options: PacerOptions<T> & Required<Pick<PacerOptions<T>, 'random'>>;
  #ring: T[] = [];
  #cursor = 0;
  #dueMs = 0;
  /** When the last visit was due; undefined before the first. */
  #visitedMs: number | undefined;
  #cancelTimer: (() => void) | undefined;
  #stopped = false;

  constructor(options: PacerOptions<T>) {
    this.#options = { random: Math.random, ...options };
  }

  /** Items to visit from now on. */
  add(items: readonly T[]): void {
    const { clock, random } = this.#options;
    if (items.length === 0) return;
    const wasEmpty = this.#ring.length === 0;
    this.#ring = interleave(this.#rotated(), shuffled(items, random), random);
    const spacingMs = this.#spacingMs();
    if (wasEmpty) this.#dueMs = clock.nowMs() + this.#firstMs();
    // With few items the next visit may be far away. Many new items must not wait for it.
    else this.#dueMs = Math.min(this.#dueMs, clock.nowMs() + spacingMs);
    this.#arm();
  }

  /** Items to visit no more. */
  remove(items: ReadonlySet<T>): void {
    this.#ring = this.#rotated().filter((item) => !items.has(item));
    this.#arm();
  }

  /**
   * The interval has changed. The next visit comes one new spacing after the last one. Where that is over,
   * it comes as the first one did, because many processes learn of the change at the same moment.
   */
  replan(): void {
    const { clock } = this.#options;
    if (this.#ring.length === 0 || this.#visitedMs === undefined) return;
    this.#dueMs = this.#visitedMs + this.#spacingMs();
    const nowMs = clock.nowMs();
    if (this.#dueMs <= nowMs) this.#dueMs = nowMs + this.#firstMs();
    this.#arm();
  }

  stop(): void {
    this.#stopped = true;
    this.#cancelTimer?.();
  }

  #spacingMs(): number {
    return this.#options.intervalMsOf(this.#ring.length) / this.#ring.length;
  }

  #firstMs(): number {
    const { firstMs, random } = this.#options;
    return firstMs?.() ?? random() * this.#spacingMs();
  }

  #rotated(): T[] {
    const rotated = [...this.#ring.slice(this.#cursor), ...this.#ring.slice(0, this.#cursor)];
    this.#cursor = 0;
    return rotated;
  }

  #arm(): void {
    this.#cancelTimer?.();
    if (this.#stopped || this.#ring.length === 0) return;
    const { clock, groupMs } = this.#options;
    const delayMs = Math.max(this.#dueMs - clock.nowMs(), groupMs);
    this.#cancelTimer = clock.after(delayMs, () => {
      this.#run();
      this.#arm();
    });
  }

  #run(): void {
    const { clock, visit, groupMs } = this.#options;
    const nowMs = clock.nowMs();
    const spacingMs = this.#spacingMs();
    this.#dueMs = Math.max(this.#dueMs, nowMs - groupMs - catchUpMs);
    while (this.#ring.length > 0 && this.#dueMs <= nowMs) {
      const item = this.#ring[this.#cursor] as T;
      this.#cursor = (this.#cursor + 1) % this.#ring.length;
      this.#visitedMs = this.#dueMs;
      this.#dueMs += spacingMs;
      visit(item);
    }
  }
}

/** Merges both lists at random. Each keeps its own order. */
function interleave<T>(first: readonly T[], second: readonly T[], random: () => number): T[] {
  const mixed: T[] = [];
  let [a, b] = [0, 0];
  while (a < first.length || b < second.length) {
    const leftA = first.length - a;
    const leftB = second.length - b;
    mixed.push((random() * (leftA + leftB) < leftA ? first[a++] : second[b++]) as T);
  }
  return mixed;
}
