import { channelsIn, sizeOf } from '../nouns/channel-mask.js';
import { getOrInsert } from '../nouns/get-or-insert.js';
import { allNodes, type SideNodes } from '../nouns/subject.js';
import { observerAt } from './observations.js';
import { reportedPaths } from './paths-of.js';
import type { Tally } from './tally.js';

/** So many of the worst nodes may have a trouble of their own: of fewer nodes than these that one, or none. */
const [spared, fewNodes, leastNodes] = [3, 8, 4];
/** Nodes differ by chance no more than this, in standard deviations. */
const mostByChance = 3;
/** And that they differ says something if the variance of their shares is so large a part of the squared mean. */
const leastVariance = 0.1;

/**
 * How many of the paths to the nodes on a side have the trouble by a node's own row, and of how many it is known whether they have it:
 * a path that fails may lose packets, or be slow, too.
 */
export function countInOwnRow(tally: Tally, node: number, to: SideNodes, channels: number) {
  const { observations, bad: troubled, covered, index } = tally;
  const own = observerAt(observations, node);
  if (!own) return { bad: 0, known: 0 };
  let [bad, known] = [0, 0];
  for (const channel of channelsIn(channels)) known += reportedPaths(own, to, channel, index);
  const [first, end] = tally.rangeFrom(node);
  for (let entry = first; entry < end; entry++) {
    if (!to.isIn(observations.entries.to[entry] ?? -1)) continue;
    const notWell = (covered[entry] ?? 0) & channels;
    const has = (troubled[entry] ?? 0) & notWell;
    bad += sizeOf(has);
    known -= sizeOf(notWell & ~has);
  }
  return { bad, known };
}

/**
 * Whether the paths with the trouble from some nodes to others are spread over these nodes as evenly as chance spreads what is
 * equally likely on each path. Where a few of the nodes lose packets, their paths lose them at a far larger share than
 * those of the others. It goes by their own rows: which nodes a row has room for does not depend on who asks.
 */
export function isEvenAmong(
  tally: Tally,
  nodes: readonly number[],
  to: SideNodes,
  channels: number,
): boolean {
  const most = nodes.length < leastNodes ? 0 : nodes.length < fewNodes ? 1 : spared;
  const counts = nodes
    .map((node) => countInOwnRow(tally, node, to, channels))
    .filter(({ known }) => known > 0)
    .sort((a, b) => b.bad / b.known - a.bad / a.known)
    .slice(most);
  if (counts.length < 2) return true;
  const sumOf = (key: 'bad' | 'known') => counts.reduce((sum, one) => sum + one[key], 0);
  const bad = sumOf('bad');
  const share = bad / sumOf('known');
  if (share === 0 || share >= 1) return true;
  const squares = counts.reduce((sum, { bad: fails, known }) => {
    const expected = share * known;
    return sum + (fails - expected) ** 2 / (expected * (1 - share));
  }, 0);
  const freedom = counts.length - 1;
  // One where chance alone makes them differ.
  const dispersion = squares / freedom;
  const isChance = dispersion <= 1 + mostByChance * Math.sqrt(2 / freedom);
  return isChance || ((dispersion - 1) * (1 - share) * counts.length) / bad < leastVariance;
}

/** A node that loses packets has them on so many times the usual share of its paths. */
const leastTimesUsual = 1.5;

/**
 * Tells of a node whether its own row has the trouble on a larger share of its paths than rows do in the middle; true if it has it on
 * none. The local row is whole and others may not be: where many nodes lose packets, most losses are seen from here alone.
 */
export function rowsWithMore(tally: Tally): (node: number, channels: number) => boolean {
  const { observers } = tally.observations;
  const all = allNodes(tally.index);
  const medians = new Map<number, number>();
  const shareOf = (node: number, channels: number) => {
    const { bad, known } = countInOwnRow(tally, node, all, channels);
    return known > 0 ? bad / known : 0;
  };
  return (node, channels) => {
    const median = getOrInsert(medians, channels, () => {
      const shares = observers.map((one) => shareOf(one.node, channels)).sort((a, b) => a - b);
      return shares[Math.floor(shares.length / 2)] ?? 0;
    });
    const share = shareOf(node, channels);
    return share === 0 || share > leastTimesUsual * median;
  };
}
