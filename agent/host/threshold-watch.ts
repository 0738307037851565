import type { ThresholdMeasure } from './measure.js';
import type { RateState } from './rate-watch.js';
import type { ThresholdRule } from './rules.js';

/** Watches a figure that is a sign by its height alone. */
export class ThresholdWatch {
  readonly #rule: ThresholdRule;
  #sinceMs: number | undefined;
  #isFirst = true;
  #orBefore = false;

  constructor(rule: ThresholdRule) {
    this.#rule = rule;
  }

  /** Takes a reading. Returns the sign that it makes, if any. */
  note(
    { value, outOf }: Pick<ThresholdMeasure, 'value' | 'outOf'>,
    nowMs: number,
  ): RateState | undefined {
    const { from, endsBelow } = this.#rule;
    if (value < (this.#sinceMs === undefined ? from : endsBelow)) this.#sinceMs = undefined;
    else if (this.#sinceMs === undefined) {
      this.#sinceMs = nowMs;
      this.#orBefore = this.#isFirst;
    }
    this.#isFirst = false;
    if (this.#sinceMs === undefined) return undefined;
    const limit = outOf ?? (value < from ? endsBelow : from);
    return { value, limit, sinceMs: this.#sinceMs, ...(this.#orBefore && { orBefore: true }) };
  }
}
