import type { LevelMeasure } from './measure.js';
import type { RateState } from './rate-watch.js';
import type { LevelRule } from './rules.js';

/** A sign ends when the share is by so much below that at which it begins. */
const releaseShare = 0.05;

/** Watches how much of a table is taken. */
export class LevelWatch {
  readonly #rule: LevelRule;
  #sinceMs: number | undefined;

  constructor(rule: LevelRule) {
    this.#rule = rule;
  }

  /** Takes a reading. Returns the sign that it makes, if any. */
  note(
    { value, limit }: Pick<LevelMeasure, 'value' | 'limit'>,
    nowMs: number,
  ): RateState | undefined {
    const least = this.#sinceMs === undefined ? this.#rule.share : this.#rule.share - releaseShare;
    if (value < least * limit) this.#sinceMs = undefined;
    else this.#sinceMs ??= nowMs;
    return this.#sinceMs === undefined ? undefined : { value, limit, sinceMs: this.#sinceMs };
  }
}
