import { detectS } from './time-model.js';

/** So many ages represent all. */
export const mostAges = 32;
/** Of so many ages the oldest one is left out, as it may be of another trouble. */
const leftOutOf = 10;

/**
 * When a cause began, in seconds ago: the beginning of the window that holds most ages of its failures. Older reports are of something else.
 * @param ages in seconds: the first `count` of them, which are sorted
 * @param windowS all paths of one cause begin to fail within this time
 * @returns undefined without ages
 */
export function beginS(
  ages: Float64Array,
  windowS: number,
  count = ages.length,
): number | undefined {
  if (count === 0) return undefined;
  sortFirst(ages, count);
  // Ascending: the oldest is the last one. Of two windows with as many the older one is taken, as more rows tell of it.
  let [first, best, bestFirst, bestLast] = [0, 0, 0, 0];
  for (let last = 0; last < count; last++) {
    while ((ages[last] ?? 0) - (ages[first] ?? 0) > windowS) first++;
    if (last - first + 1 < best) continue;
    best = last - first + 1;
    [bestFirst, bestLast] = [first, last];
  }
  const leftOut = Math.floor((bestLast - bestFirst + 1) / leftOutOf);
  return (ages[bestLast - leftOut] ?? 0) + detectS;
}

/** Whether two of some beginnings are no further apart than so many seconds. */
export function isAnyTogether(begins: readonly number[], withinS: number): boolean {
  const sorted = begins.toSorted((a, b) => a - b);
  return sorted.some((s, at) => at > 0 && s - (sorted[at - 1] ?? 0) <= withinS);
}

/** Sorts the first of some numbers, ascending. They are few and mostly alike: by insertion that is quicker than `sort`. */
function sortFirst(numbers: Float64Array, count: number): void {
  for (let at = 1; at < count; at++) {
    const number = numbers[at] ?? 0;
    let before = at - 1;
    for (; before >= 0 && (numbers[before] ?? 0) > number; before--)
      numbers[before + 1] = numbers[before] ?? 0;
    numbers[before + 1] = number;
  }
}

/** When a tenth of some ages had come, in the same unit; 0 without ages. One that is far older than the others does not count. */
export function ageOfOldestTenth(ages: readonly number[]): number {
  if (ages.length < leftOutOf) return ages.length === 0 ? 0 : Math.max(...ages);
  const oldestFirst = [...ages].sort((a, b) => b - a);
  return oldestFirst[Math.floor(ages.length / leftOutOf)] ?? 0;
}
