import type { Clock } from '../../platform/clock.js';

/**
 * How many GETs a second are sent early while there is news. After a pause, so many are sent at
 * once.
 */
export const broughtForwardPerSecond = 3;

/** Hints that come within this time go out together. */
const gatherMs = 20;

const refillMs = 1000 / broughtForwardPerSecond;

export interface NewsSpreaderOptions {
  readonly clock: Clock;
  /** A random peer that may not have heard the news; undefined if all have. */
  readonly nextPeer: () => string | undefined;
  /** Sends the peer's next GET now. */
  readonly bringForward: (peer: string) => void;
}

/** Brings news to random peers, so that it does not wait for the round: three at once, then three a second. */
export class NewsSpreader {
  readonly #options: NewsSpreaderOptions;
  #tokens = broughtForwardPerSecond;
  #countedMs: number;
  #cancelTimer: (() => void) | undefined;

  constructor(options: NewsSpreaderOptions) {
    this.#options = options;
    this.#countedMs = options.clock.nowMs();
  }

  /** Starts, because there is news. */
  start(): void {
    this.#cancelTimer ??= this.#options.clock.after(gatherMs, () => this.#spread());
  }

  stop(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }

  #spread(): void {
    const { clock, nextPeer, bringForward } = this.#options;
    this.#cancelTimer = undefined;
    const nowMs = clock.nowMs();
    const earned = (nowMs - this.#countedMs) / refillMs;
    this.#tokens = Math.min(this.#tokens + earned, broughtForwardPerSecond);
    this.#countedMs = nowMs;
    for (; this.#tokens >= 1; this.#tokens--) {
      const peer = nextPeer();
      if (peer === undefined) return;
      bringForward(peer);
    }
    this.#cancelTimer ??= clock.after(refillMs * (1 - this.#tokens) + 1, () => this.#spread());
  }
}
