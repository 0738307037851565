/** How visits of one round are grouped: each group wakes the process once, which costs as much as a visit. */
export interface Grouping {
  /** Visits that are due within this time are always made together. */
  readonly shortestMs: number;
  /** Longer groups have at most so many visits; left out, there are none. */
  readonly most?: number;
}

/** Somewhat less than a tick of the clock: what is due until the next tick goes out on it. */
const tickGroupMs = 45;

/**
 * How probes are grouped. The kernel stamps echoes, so those of a group do not disturb each other. GETs and the
 * echoes of `net-ping` are timed in this process, so few of them go together.
 */
export const groupings = {
  kernel: { shortestMs: tickGroupMs, most: 25 },
  'net-ping': { shortestMs: 5 },
  http: { shortestMs: tickGroupMs, most: 4 },
} as const;

/**
 * The lengths of longer groups. They begin at whole multiples of their length, so those of several rounds in one
 * process fall on the same ticks.
 */
const longerMs = [500, 250, 100] as const;

/**
 * How far apart the groups of a round are, in milliseconds. In a round that visits few items it is longer. It
 * divides the interval, so that each item is visited one interval after its last visit, and no later.
 */
export function groupPeriodMs(intervalMs: number, items: number, grouping: Grouping): number {
  const { shortestMs, most = 0 } = grouping;
  const fits = (ms: number): boolean =>
    ms > shortestMs && intervalMs % ms === 0 && items * ms <= most * intervalMs;
  return longerMs.find(fits) ?? shortestMs;
}
