import { countChannels, sizeOf, sumOn } from '../nouns/channel-mask.js';
import type { Tally } from './tally.js';

/** So many nodes are few. */
const few = 3;
/** Without those of a few nodes at least this share of the other paths fails, as a part of the share of all. */
const leastOfOthers = 0.5;

/**
 * Whether paths fail at a few nodes alone: without the nodes with the most failures, far fewer of the others fail than of all. In a small
 * cluster two nodes that fail give each other node as many failures as a trouble of all would in its first seconds.
 */
export function failAtFewNodes(tally: Tally, mask: number): boolean {
  const { size } = tally.index;
  const worst = worstNodes(tally, few, (entry) => sizeOf((tally.bad[entry] ?? 0) & mask));
  const failing = badBetween(tally, () => true);
  const failingBeside = badBetween(tally, (a, b) => !worst.has(a) && !worst.has(b));
  const left = Math.max(size - few, 0);
  const expected = (sumOn(mask, failing) * left * (left - 1)) / Math.max(size * (size - 1), 1);
  return sumOn(mask, failingBeside) < leastOfOthers * expected;
}

/** The nodes with the most failures, so many of them; each entry counts as so many as `countOf` says. */
export function worstNodes(
  { index, badEntries, observations }: Tally,
  most: number,
  countOf: (entry: number) => number,
): ReadonlySet<number> {
  const { from, to } = observations.entries;
  const fails = new Float64Array(index.size);
  for (const entry of badEntries)
    for (const node of [from[entry] ?? 0, to[entry] ?? 0])
      fails[node] = (fails[node] ?? 0) + countOf(entry);
  const worstFirst = [...fails.keys()].sort((a, b) => (fails[b] ?? 0) - (fails[a] ?? 0));
  return new Set(worstFirst.slice(0, most));
}

/** How many of the paths between some nodes have the trouble, by channel. */
export function badBetween(
  { bad, badEntries, observations }: Tally,
  isCounted: (from: number, to: number) => boolean,
): number[] {
  const { from, to } = observations.entries;
  return countChannels(badEntries, (entry) =>
    isCounted(from[entry] ?? 0, to[entry] ?? 0) ? (bad[entry] ?? 0) : 0,
  );
}
