import type { PastCause } from '../nouns/memory.js';
import type { RowOfCause } from './fit-end.js';

/** The greatest share that failed is kept for so long. */
const failingKeptMs = 30_000;
/** What rows tell of that is of now if they were confirmed within this time. */
export const newRowS = 5;
/** Shares that differ by no more are one. */
const alikeShares = 0.02;

/**
 * Which share of the paths of a cause failed lately, and since when: the greatest one counts, as more and more see a trouble, and fewer
 * and fewer its end.
 */
export function mostFailing(
  share: number | undefined,
  former: PastCause['failing'],
  now: number,
): PastCause['failing'] {
  if (share === undefined) return former;
  // One that rises bit by bit has not been so high since then.
  if (Math.abs(share - former.share) <= alikeShares) return { ...former, lastMs: now };
  if (share < former.share && now - former.lastMs < failingKeptMs) return former;
  return { share, sinceMs: now, lastMs: now };
}

/** Which share of the paths of a cause fails, as rows tell that were confirmed within a time; undefined if none do. */
export function newlyFailing(rows: readonly RowOfCause[], withinS = newRowS): number | undefined {
  let [works, fails] = [0, 0];
  for (const row of rows) {
    if (row.confirmedS > withinS) continue;
    works += row.works;
    fails += row.fails;
  }
  return works + fails === 0 ? undefined : fails / (works + fails);
}
