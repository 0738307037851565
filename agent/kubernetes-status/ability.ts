import { hasQuorum } from './quorum.js';
import type { Situation } from './situation.js';

/** What an agent believed while it was alone may still be among its findings for so long. */
const trustMs = 10_000;

/** Whether this agent may write at all, and since when. */
export class Ability {
  #trustedMs: number | undefined;
  #servedMs: number | undefined;

  /**
   * Since when this agent may write, in monotonic milliseconds: it is ready and hears half of the
   * others for a while, and the API server answers. Undefined while it may not.
   */
  sinceMs(situation: Situation): number | undefined {
    const { nowMs, isReady, listed } = situation;
    if (!isReady || !hasQuorum(situation)) this.#trustedMs = undefined;
    else this.#trustedMs ??= nowMs + trustMs;
    if (listed?.isCurrent === true) this.#servedMs ??= nowMs;
    else this.#servedMs = undefined;
    if (this.#trustedMs === undefined || this.#servedMs === undefined) return undefined;
    if (nowMs < this.#trustedMs) return undefined;
    return Math.max(this.#trustedMs, this.#servedMs);
  }
}
