/** The largest number of times within any second. They are in order. */
export function mostInASecond(timesMs: readonly number[]): number {
  let most = 0;
  let first = 0;
  timesMs.forEach((atMs, index) => {
    while ((timesMs[first] ?? 0) <= atMs - 1000) first++;
    most = Math.max(most, index - first + 1);
  });
  return most;
}
