import { channelsIn, sumOn } from '../nouns/channel-mask.js';
import { badBetween } from './bad-between.js';
import type { Tally } from './tally.js';

/** So many nodes are few. */
const few = 3;
/** Without those of a few nodes at least this share of the other paths fails, as a part of the share of all. */
const leastOfOthers = 0.5;

/**
 * Whether paths fail at a few nodes alone: without the nodes with the most failures, far fewer of the others fail than of
 * all. In a small cluster two nodes that fail give each other node as many failures as a trouble of all would in its first
 * seconds.
 * @param mask the channels, as a mask
 */
export function failAtFewNodes(tally: Tally, mask: number): boolean {
  const { index, bad, badEntries, observations } = tally;
  const { size } = index;
  const { from, to } = observations.entries;
  const fails = new Float64Array(size);
  for (const entry of badEntries) {
    const count = channelsIn((bad[entry] ?? 0) & mask).length;
    for (const node of [from[entry] ?? 0, to[entry] ?? 0]) fails[node] = (fails[node] ?? 0) + count;
  }
  const worst = new Set(
    [...fails.keys()].sort((a, b) => (fails[b] ?? 0) - (fails[a] ?? 0)).slice(0, few),
  );
  const all = sumOn(
    mask,
    badBetween(tally, () => true),
  );
  const others = sumOn(
    mask,
    badBetween(tally, (a, b) => !worst.has(a) && !worst.has(b)),
  );
  const left = Math.max(size - few, 0);
  const expected = (all * left * (left - 1)) / Math.max(size * (size - 1), 1);
  return others < leastOfOthers * expected;
}
