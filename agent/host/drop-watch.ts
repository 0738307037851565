import type { HighestMeasure } from './measure.js';
import type { RateState } from './rate-watch.js';

/** Watches something that should stay as high as it was. It is a sign while it is lower. */
export class DropWatch {
  #sinceMs: number | undefined;

  /** Takes a reading. Returns the sign that it makes, if any. */
  note(
    { value, highest }: Pick<HighestMeasure, 'value' | 'highest'>,
    nowMs: number,
  ): RateState | undefined {
    if (value >= highest) {
      this.#sinceMs = undefined;
      return undefined;
    }
    this.#sinceMs ??= nowMs;
    return { value, limit: highest, sinceMs: this.#sinceMs };
  }
}
