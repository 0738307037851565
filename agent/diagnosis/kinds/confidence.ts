/**
 * The share of what was observed that fails. Little of it gives a lower confidence.
 * @param discount what else lowers it, from 0 to 1
 */
export function confidenceOf(fails: number, works: number, discount = 1): number {
  const share = (fails + 0.5) / (fails + works + 1.5);
  return Math.round(share * discount * 100) / 100;
}
