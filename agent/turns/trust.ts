import { hasQuorum } from './quorum.js';
import type { TurnSituation } from './turn-situation.js';

/** What an agent believed while it was alone may still be among its findings for so long. */
const trustMs = 10_000;

/** Since when this agent's view is one that the cluster may be told. */
export class Trust {
  readonly #hears: (situation: TurnSituation) => boolean;
  #trustedMs: number | undefined;

  /** @param hears whether it hears enough of the others; left out, half of them */
  constructor(hears: (situation: TurnSituation) => boolean = hasQuorum) {
    this.#hears = hears;
  }

  /**
   * Since when it is ready and has heard half of the others for a while, in monotonic milliseconds. Undefined while it has
   * not.
   */
  sinceMs(situation: TurnSituation): number | undefined {
    const { nowMs, isReady } = situation;
    if (!isReady || !this.#hears(situation)) this.#trustedMs = undefined;
    else this.#trustedMs ??= nowMs + trustMs;
    if (this.#trustedMs === undefined || nowMs < this.#trustedMs) return undefined;
    return this.#trustedMs;
  }
}
