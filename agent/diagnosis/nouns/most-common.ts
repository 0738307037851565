/** The value that at least so many have, which is most of them; undefined if none has. */
export function mostCommon<T>(values: Iterable<T | undefined>, least: number): T | undefined {
  const counts = new Map<T, number>();
  for (const value of values) {
    if (value !== undefined) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  for (const [value, count] of counts) if (count >= least) return value;
  return undefined;
}
