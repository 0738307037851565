export interface BackoffOptions {
  readonly firstMs: number;
  readonly maxMs: number;
  /** After so long without trouble the next delay is the first again. */
  readonly healthyMs: number;
  readonly random?: () => number;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
}

/** Delays that double up to a limit, each stretched by a random share of itself. */
export class Backoff {
  readonly #options: BackoffOptions;
  readonly #now: () => number;
  readonly #random: () => number;
  #baseMs = 0;
  #readyAt = 0;

  constructor(options: BackoffOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
    this.#random = options.random ?? Math.random;
  }

  /** The next delay in milliseconds, from the base up to twice of it. */
  next(): number {
    const { firstMs, maxMs, healthyMs } = this.#options;
    const rested = this.#now() - this.#readyAt > healthyMs;
    this.#baseMs = this.#baseMs === 0 || rested ? firstMs : Math.min(this.#baseMs * 2, maxMs);
    const delayMs = this.#baseMs * (1 + this.#random());
    this.#readyAt = this.#now() + delayMs;
    return delayMs;
  }
}
