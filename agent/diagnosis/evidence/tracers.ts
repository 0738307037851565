import { nameHash } from '../../model/name-hash.js';
import type { Cause } from '../nouns/cause.js';
import type { Tally } from './tally.js';

/** So many of the observers that see a finding trace one path each. */
const mostTracers = 3;

/**
 * The observers that trace a path of a finding: those with the lowest hashes of its id and their name. All
 * agents with the same rows choose the same, without asking each other.
 */
export function tracersOf(
  id: string,
  { trouble, entries }: Cause,
  { observations, index }: Tally,
): string[] {
  const { hashes, nodes } = index;
  if (trouble !== 'broken' && trouble !== 'lossy') return [];
  const { from } = observations.entries;
  const salt = nameHash(id);
  const lowest: { readonly node: number; readonly hash: number }[] = [];
  let last = -1;
  for (const entry of entries) {
    const node = from[entry] ?? -1;
    if (node === last) continue;
    last = node;
    const hash = Math.imul((hashes[node] ?? 0) ^ salt, 0x9e37_79b1) >>> 0;
    const worst = lowest.at(-1);
    if (lowest.length === mostTracers && worst && worst.hash <= hash) continue;
    if (lowest.some((known) => known.node === node)) continue;
    lowest.push({ node, hash });
    lowest.sort((a, b) => a.hash - b.hash);
    lowest.length = Math.min(lowest.length, mostTracers);
  }
  return lowest.flatMap(({ node }) => nodes[node]?.name ?? []);
}
