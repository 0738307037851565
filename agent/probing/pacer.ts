import type { Clock } from '../clock.js';

export interface PacerOptions<T> {
  /** Every item is visited once in this time. */
  readonly intervalMs: number;
  /** How many errands a second may run. */
  readonly errandsPerSecond: number;
  readonly clock: Clock;
  readonly visit: (item: T) => void;
  /** A number from 0 to below 1. */
  readonly random?: () => number;
}

/** Timers finer than this would cost more wake-ups than they give evenness. */
const tickMs = 5;
/** What a late wake-up may make up for in one go; the rest shifts. */
const catchUpMs = 20;

/**
 * Visits every item once per interval, evenly spaced, in random order and with a random phase.
 * A stall shifts what was missed instead of making up for it in a burst. Errands (an item's first
 * visit, a probe on demand) run beside that, in order, at a rate of their own.
 */
export class Pacer<T> {
  readonly #options: Required<PacerOptions<T>>;
  #ring: T[] = [];
  #cursor = 0;
  #dueMs = 0;
  #waiting = new Set<T>();
  #errands: (() => void)[] = [];
  #errandDueMs = 0;
  #cancelTimer: (() => void) | undefined;
  #stopped = false;

  constructor(options: PacerOptions<T>) {
    this.#options = { random: Math.random, ...options };
  }

  /** Items to visit from now on, each for the first time as soon as the errands' rate allows. */
  add(items: readonly T[]): void {
    const { clock, intervalMs, random, visit } = this.#options;
    if (items.length === 0) return;
    if (this.#ring.length === 0) {
      this.#dueMs = clock.nowMs() + (random() * intervalMs) / items.length;
    }
    this.#ring = interleave(this.#rotated(), shuffle(items, random), random);
    for (const item of items) {
      this.#waiting.add(item);
      this.#errands.push(() => {
        if (this.#waiting.delete(item)) visit(item);
      });
    }
    this.#arm();
  }

  /** Items to visit no more. */
  remove(items: ReadonlySet<T>): void {
    for (const item of items) this.#waiting.delete(item);
    this.#ring = this.#rotated().filter((item) => !items.has(item));
    this.#arm();
  }

  /** Runs something as soon as the errands' rate allows. */
  errand(action: () => void): void {
    this.#errands.push(action);
    this.#arm();
  }

  stop(): void {
    this.#stopped = true;
    this.#errands = [];
    this.#cancelTimer?.();
  }

  #rotated(): T[] {
    const rotated = [...this.#ring.slice(this.#cursor), ...this.#ring.slice(0, this.#cursor)];
    this.#cursor = 0;
    return rotated;
  }

  #arm(): void {
    this.#cancelTimer?.();
    const dueMs = Math.min(
      this.#ring.length > 0 ? this.#dueMs : Infinity,
      this.#errands.length > 0 ? this.#errandDueMs : Infinity,
    );
    if (this.#stopped || dueMs === Infinity) return;
    const delayMs = Math.max(dueMs - this.#options.clock.nowMs(), 0);
    this.#cancelTimer = this.#options.clock.after(
      this.#errands.length > 0 ? delayMs : Math.max(delayMs, tickMs),
      () => {
        this.#runErrands();
        this.#runRing();
        this.#arm();
      },
    );
  }

  #runRing(): void {
    const { clock, intervalMs, visit } = this.#options;
    const spacingMs = intervalMs / this.#ring.length;
    const nowMs = clock.nowMs();
    this.#dueMs = Math.max(this.#dueMs, nowMs - catchUpMs);
    while (this.#ring.length > 0 && this.#dueMs <= nowMs) {
      const item = this.#ring[this.#cursor] as T;
      this.#cursor = (this.#cursor + 1) % this.#ring.length;
      this.#dueMs += spacingMs;
      if (!this.#waiting.has(item)) visit(item);
    }
  }

  #runErrands(): void {
    const spacingMs = 1000 / this.#options.errandsPerSecond;
    const nowMs = this.#options.clock.nowMs();
    this.#errandDueMs = Math.max(this.#errandDueMs, nowMs - catchUpMs);
    let count = 0;
    while (count < this.#errands.length && this.#errandDueMs <= nowMs) {
      this.#errandDueMs += spacingMs;
      this.#errands[count++]?.();
    }
    this.#errands.splice(0, count);
  }
}

function shuffle<T>(items: readonly T[], random: () => number): T[] {
  const shuffled = [...items];
  for (let last = shuffled.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    [shuffled[last], shuffled[other]] = [shuffled[other] as T, shuffled[last] as T];
  }
  return shuffled;
}

/** Both lists in one, each in its own order, mixed evenly by chance. */
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
