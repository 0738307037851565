import type { RateRule } from './rules.js';

const windowMs = 60_000;
/** What is usual is learned for so long before anything is called unusual. */
const learnMs = 20_000;
/** By how much a further reading moves what is usual: it follows within some ten minutes. */
const usualWeight = 0.02;

interface Reading {
  readonly atMs: number;
  readonly count: number;
  readonly of: number;
  readonly parts: string;
}

/** What became of a counter: how much it grew, and since when that is a sign. */
export interface RateState {
  readonly value: number;
  readonly limit: number;
  readonly sinceMs: number;
  /** It was a sign at the first reading already: nobody knows when it began. */
  readonly orBefore?: true;
}

/**
 * Watches one counter. It is a sign by its growth in the last minute alone; how high it is says nothing. A counter that
 * falls has started again: nothing is known of what it counted meanwhile. Nor of the last minute where nothing was read in it, as
 * while the agent was stopped, nor where it became the sum of other counters.
 *
 * usual = the mean growth in a minute while it was no sign; a sign = growth >= max(perMinute, timesUsual x usual). It ends below
 * half of that: while it grows more slowly than when it began, the limit that is told is the one at which it ends.
 */
export class RateWatch {
  readonly #rule: RateRule;
  /** The readings of the last minute, and the last one before it. */
  readonly #readings: Reading[] = [];
  #learnedMs = 0;
  #usual = 0;
  #sinceMs: number | undefined;
  #limit = 0;

  constructor(rule: RateRule) {
    this.#rule = rule;
  }

  /**
   * Takes a reading. Returns the sign that it makes, if any.
   * @param of the counter of which it is a part, where the rule has a share
   * @param parts of which counters it is the sum
   */
  note(count: number, nowMs: number, of = 0, parts = ''): RateState | undefined {
    const readings = this.#readings;
    const last = readings.at(-1);
    const isGap = last !== undefined && nowMs - last.atMs > windowMs;
    const isOther = last && (parts !== last.parts || count < last.count || of < last.of);
    if (isGap || isOther) readings.length = 0;
    else if (last) this.#learnedMs += nowMs - last.atMs;
    readings.push({ atMs: nowMs, count, of, parts });
    while (readings.length > 2 && nowMs - (readings[1]?.atMs ?? nowMs) >= windowMs)
      readings.shift();
    const first = readings[0] ?? { atMs: nowMs, count, of };
    const value = count - first.count;
    const { perMinute, timesUsual, leastShare = 0 } = this.#rule;
    const isLarge = value >= leastShare * (of - first.of);
    if (this.#sinceMs === undefined) {
      this.#limit = Math.max(perMinute, Math.ceil(timesUsual * this.#usual));
      const isSign = value >= this.#limit && isLarge && this.#learnedMs > learnMs;
      if (!isSign) this.#learn(value, nowMs - first.atMs);
      else this.#sinceMs = this.#began(nowMs);
    } else if (value < this.#limit / 2) this.#sinceMs = undefined;
    if (this.#sinceMs === undefined) return undefined;
    const limit = value < this.#limit ? Math.ceil(this.#limit / 2) : this.#limit;
    return { value, limit, sinceMs: this.#sinceMs };
  }

  /** What grew in less than a minute is taken for a minute's growth, and so never for less than it was. */
  #learn(value: number, overMs: number): void {
    if (overMs === 0) return;
    const perMinute = (value * windowMs) / Math.min(overMs, windowMs);
    const isFirst = this.#learnedMs <= learnMs;
    // While it learns, the most that was seen is usual.
    this.#usual = isFirst
      ? Math.max(this.#usual, perMinute)
      : this.#usual + usualWeight * (perMinute - this.#usual);
  }

  /** When it began to grow that fast: at the reading before the first growth of more than a tenth of the limit. */
  #began(nowMs: number): number {
    const readings = this.#readings;
    const at = readings.findIndex(
      ({ count }, index) =>
        index > 0 && count - (readings[index - 1]?.count ?? 0) > this.#limit / 10,
    );
    return readings[at - 1]?.atMs ?? nowMs;
  }
}
