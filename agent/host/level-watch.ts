import type { LevelMeasure } from './measure.js';
import type { RateState } from './rate-watch.js';
import type { LevelRule } from './rules.js';

/** A sign ends when the share is by so much below that at which it begins. */
const releaseShare = 0.05;

/** Watches how much of a table is taken. */
export class LevelWatch {
  readonly #rule: LevelRule;
  #sinceMs: number | undefined;
  #isFirst = true;
  #orBefore = false;

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
    else if (this.#sinceMs === undefined) {
      this.#sinceMs = nowMs;
      this.#orBefore = this.#isFirst;
    }
    this.#isFirst = false;
    if (this.#sinceMs === undefined) return undefined;
    return { value, limit, sinceMs: this.#sinceMs, ...(this.#orBefore && { orBefore: true }) };
  }
}
