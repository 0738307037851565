import type { Tally } from '../evidence/tally.js';

/**
 * Whether fewer than two nodes are affected on one of two sides: then it is more likely the node.
 * @param entries those between the two sides
 */
export function isLone(
  { bad, observations }: Tally,
  entries: Iterable<number>,
  isInside: (node: number) => boolean,
): boolean {
  const { from, to } = observations.entries;
  const [inside, outside] = [new Set<number>(), new Set<number>()];
  for (const entry of entries) {
    if (bad[entry] === 0) continue;
    for (const node of [from[entry] ?? 0, to[entry] ?? 0])
      (isInside(node) ? inside : outside).add(node);
    if (inside.size > 1 && outside.size > 1) return false;
  }
  return true;
}
