/**
 * The same items in random order, each order as likely as any other.
 * @param random a number from 0 to below 1
 */
export function shuffled<T>(items: readonly T[], random: () => number = Math.random): T[] {
  const all = [...items];
  for (let last = all.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    const item = all[last] as T;
    all[last] = all[other] as T;
    all[other] = item;
  }
  return all;
}
