import { Trust } from '../turns/trust.js';
import type { Situation } from './situation.js';

/** Whether this agent may write at all, and since when. */
export class Ability {
  readonly #trust = new Trust();
  #servedMs: number | undefined;

  /**
   * Since when this agent may write, in monotonic milliseconds: it is ready and hears half of the
   * others for a while, and the API server answers. Undefined while it may not.
   */
  sinceMs(situation: Situation): number | undefined {
    const { nowMs, listed } = situation;
    const trustedMs = this.#trust.sinceMs(situation);
    if (listed?.isCurrent === true) this.#servedMs ??= nowMs;
    else this.#servedMs = undefined;
    if (trustedMs === undefined || this.#servedMs === undefined) return undefined;
    return Math.max(trustedMs, this.#servedMs);
  }
}
