import type { Clock } from '../../platform/clock.js';
import { groupPeriodMs, type Grouping } from './group-period.js';
import { shuffled } from '../../platform/shuffled.js';

export interface PacerOptions<T> {
  /** The time in which each of `count` items is visited once. */
  readonly intervalMsOf: (count: number) => number;
  readonly grouping: Grouping;
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
/** The sum of many spacings may be that far from what it is to be. */
const roundingMs = 0.01;

/**
 * Visits every item once per interval: evenly spaced, in random order and with a random phase.
 * After a stall the schedule moves; missed visits are not made up in a burst.
 */
export class Pacer<T> {
  readonly #options: PacerOptions<T> & Required<Pick<PacerOptions<T>, 'random'>>;
  readonly #ring: T[] = [];
  #cursor = 0;
  #dueMs = 0;
  /** When the next visits are to be made; they are those that are due until then. */
  #wakeMs = 0;
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
    this.#insert(shuffled(items, random));
    const spacingMs = this.#spacingMs();
    if (wasEmpty) this.#dueMs = clock.nowMs() + this.#firstMs();
    // With few items the next visit may be far away. Many new items must not wait for it.
    else this.#dueMs = Math.min(this.#dueMs, clock.nowMs() + spacingMs);
    this.#arm();
  }

  /** Items to visit no more. */
  remove(items: ReadonlySet<T>): void {
    const ring = this.#ring;
    let [kept, keptBefore] = [0, 0];
    for (let at = 0; at < ring.length; at++) {
      const item = ring[at] as T;
      if (at === this.#cursor) keptBefore = kept;
      if (!items.has(item)) ring[kept++] = item;
    }
    ring.length = kept;
    this.#cursor = keptBefore < kept ? keptBefore : 0;
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

  #periodMs(): number {
    const { intervalMsOf, grouping } = this.#options;
    return groupPeriodMs(intervalMsOf(this.#ring.length), this.#ring.length, grouping);
  }

  #firstMs(): number {
    const { firstMs, random } = this.#options;
    return firstMs?.() ?? random() * this.#spacingMs();
  }

  /**
   * Puts items at random places, from the last one down. The others keep their order. A list of 40,000 comes in many
   * parts, so nothing is copied.
   */
  #insert(items: readonly T[]): void {
    const { random } = this.#options;
    const ring = this.#ring;
    let [old, left] = [ring.length, items.length];
    for (const item of items) ring.push(item);
    const cursor = this.#cursor;
    for (let at = ring.length - 1; left > 0; at--) {
      if (random() * (old + left) < left) {
        ring[at] = items[--left] as T;
        continue;
      }
      ring[at] = ring[--old] as T;
      if (old === cursor) this.#cursor = at;
    }
  }

  #arm(): void {
    this.#cancelTimer?.();
    if (this.#stopped || this.#ring.length === 0) return;
    const { clock, grouping } = this.#options;
    const nowMs = clock.nowMs();
    const periodMs = this.#periodMs();
    this.#wakeMs =
      periodMs === grouping.shortestMs
        ? Math.max(this.#dueMs, nowMs + periodMs)
        : Math.ceil((Math.max(this.#dueMs, nowMs) - roundingMs) / periodMs) * periodMs;
    this.#cancelTimer = clock.after(this.#wakeMs - nowMs, () => {
      this.#run();
      this.#arm();
    });
  }

  #run(): void {
    const { clock, visit } = this.#options;
    // A timer may fire somewhat early.
    const nowMs = Math.max(clock.nowMs(), this.#wakeMs + roundingMs);
    const spacingMs = this.#spacingMs();
    this.#dueMs = Math.max(this.#dueMs, nowMs - this.#periodMs() - catchUpMs);
    while (this.#ring.length > 0 && this.#dueMs <= nowMs) {
      const item = this.#ring[this.#cursor] as T;
      this.#cursor = (this.#cursor + 1) % this.#ring.length;
      this.#visitedMs = this.#dueMs;
      this.#dueMs += spacingMs;
      visit(item);
    }
  }
}
