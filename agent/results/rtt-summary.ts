/** Round trips in nanoseconds, of those that are neither failed nor tainted. */
export interface RttSummary {
  readonly min: number;
  readonly p50: number;
  /** Left out where too few round trips tell it. */
  readonly p95?: number;
  /** The same. Of a path it is never told, because only its last samples are kept. */
  readonly p99?: number;
  readonly max: number;
}

/**
 * Whether so many round trips tell the percentile of a share: at least one of them has to be beyond it. Of fewer it would
 * be the largest one under another name. It takes 20 for the 95th, and 100 for the 99th.
 */
export function isEnough(share: number, count: number): boolean {
  return count > 0 && Math.round((1 - share) * count * 1e6) >= 1e6;
}
