import { detectS } from './time-model.js';

/** So many ages represent all. */
export const mostAges = 32;
/** Of so many ages the oldest one is left out, as it may be of another trouble. */
const leftOutOf = 10;

/**
 * When a cause began, by how long ago the paths that it explains began to fail: the beginning of the
 * window that holds most of them. Reports from long before are of something else.
 * @param ages in seconds, in any order: they are sorted
 * @param windowS all paths of one cause begin to fail within this time
 * @returns seconds ago; undefined without ages
 */
export function beginS(ages: Float64Array, windowS: number): number | undefined {
  if (ages.length === 0) return undefined;
  ages.sort();
  // Ascending: the oldest is the last one. Of two windows with as many the older one is taken, as more rows tell of it.
  let [first, best, bestFirst, bestLast] = [0, 0, 0, 0];
  for (let last = 0; last < ages.length; last++) {
    while ((ages[last] ?? 0) - (ages[first] ?? 0) > windowS) first++;
    if (last - first + 1 < best) continue;
    best = last - first + 1;
    [bestFirst, bestLast] = [first, last];
  }
  const leftOut = Math.floor((bestLast - bestFirst + 1) / leftOutOf);
  return (ages[bestLast - leftOut] ?? 0) + detectS;
}

/** When a tenth of some ages had come, in the same unit; 0 without ages. One that is far older than the others does not count. */
export function ageOfOldestTenth(ages: readonly number[]): number {
  const oldestFirst = [...ages].sort((a, b) => b - a);
  return oldestFirst[Math.floor(ages.length / leftOutOf)] ?? 0;
}
