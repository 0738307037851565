/** How many of the numbers, which rise, are smaller than the bound. */
export function countBelow(sorted: readonly number[], bound: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? Infinity) < bound) low = middle + 1;
    else high = middle;
  }
  return low;
}
