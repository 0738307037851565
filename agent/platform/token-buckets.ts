export interface TokenBucketsOptions {
  /** So many may come at once. */
  readonly most: number;
  /** And so many a second in the long run. */
  readonly perSecond: number;
}

/** At so many buckets those that are full are forgotten: an unknown one is full. */
const firstSweptAt = 1024;

/** A token bucket for each key: who takes one more than there are is refused. */
export class TokenBuckets {
  readonly #options: TokenBucketsOptions;
  readonly #buckets = new Map<string, { readonly tokens: number; readonly countedMs: number }>();
  /** At so many buckets the next sweep: twice as many as the last one left, so that it costs little for each token. */
  #sweptAt = firstSweptAt;

  constructor(options: TokenBucketsOptions) {
    this.#options = options;
  }

  /** Whether there is a token of the key now, in monotonic milliseconds. */
  has(key: string, nowMs: number): boolean {
    return this.#tokens(key, nowMs) >= 1;
  }

  /** Takes one token of the key. Returns whether there was one. */
  take(key: string, nowMs: number): boolean {
    const tokens = this.#tokens(key, nowMs);
    if (tokens < 1) return false;
    this.#buckets.set(key, { tokens: tokens - 1, countedMs: nowMs });
    if (this.#buckets.size >= this.#sweptAt) this.#forgetFull(nowMs);
    return true;
  }

  /** How long it takes until there is a token of the key, in whole milliseconds. */
  waitMs(key: string, nowMs: number): number {
    const missing = Math.max(1 - this.#tokens(key, nowMs), 0);
    return Math.ceil((missing * 1000) / this.#options.perSecond);
  }

  #tokens(key: string, nowMs: number): number {
    const { most, perSecond } = this.#options;
    const bucket = this.#buckets.get(key);
    if (!bucket) return most;
    return Math.min(bucket.tokens + ((nowMs - bucket.countedMs) * perSecond) / 1000, most);
  }

  #forgetFull(nowMs: number): void {
    for (const key of this.#buckets.keys()) {
      if (this.#tokens(key, nowMs) >= this.#options.most) this.#buckets.delete(key);
    }
    this.#sweptAt = Math.max(2 * this.#buckets.size, firstSweptAt);
  }
}
