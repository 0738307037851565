import { addUp, channelsIn, httpMask, icmpMask, maskWhere, sumOn } from '../nouns/channel-mask.js';
import type { Cause } from '../nouns/cause.js';
import { weightOfAllFlows } from './flows.js';
import { degradedChannelCost, priorCost, usualDegradedShare } from './prior.js';
import { causeOf } from './subjects.js';
import { pathWeights } from './weights.js';
import { betterHalf } from '../evidence/better-half.js';
import { badBetween, worstNodes } from '../evidence/few-nodes.js';
import type { Tally } from '../evidence/tally.js';
import type { Side } from '../nouns/sight.js';

/** A usual share below this is not told from chance. */
const leastUsual = { lossy: 0.0005, slow: 0.003 } as const;
/** In a large cluster that bound is the share that so many paths are of all, where that is less. */
const usualPaths = 100;
/** A usual share above this leaves nothing to find. */
const mostUsual = 0.5;
/**
 * The usual share of a channel from which on it is the whole cluster. Where one probe in a thousand is lost by chance, up to 13 % of
 * the paths of a small cluster are lossy.
 */
const leastEverywhere = 0.2;
/**
 * From this share on a channel goes with one that is everywhere. Many nodes may have the trouble then, and the better half of the
 * nodes is hardly better by chance.
 */
const leastOfMany = 0.15;
/** In a cluster of fewer nodes than this, three faults may raise the usual share so far, and half of the nodes have few paths: it needs this share there. */
const [fewNodes, leastOfFew] = [8, 0.5];

/**
 * The usual share of a channel is the least of these: among all nodes but the worst, among the better half of them, within
 * zones, between zones, and without the nodes of a group. No cause at some nodes, at a pair, a zone or a group
 * raises all of them. Where that share is high by any standard, the whole cluster is the cause.
 */
export function usualShares(tally: Tally, counts: Side) {
  const { index } = tally;
  const trouble = tally.trouble === 'lossy' ? 'lossy' : 'slow';
  const { size, zoneOf, zones, groups, singles } = index;
  const spared = size < 3 ? 0 : size < 8 ? 1 : 3;
  const worst = worstNodes(tally, spared, () => 1);
  const pairs = Math.max(size * (size - 1), 1);
  const known = addUp([counts.bad, counts.well]);
  const partOf = (bad: readonly number[], share: number): Part => ({
    bad,
    known: known.map((of) => of * share),
  });
  /** What is counted where some nodes are left out. */
  const without = (isOut: (node: number) => boolean, left: number) =>
    partOf(
      badBetween(tally, (from, to) => !isOut(from) && !isOut(to)),
      (left * (left - 1)) / pairs,
    );
  const within = badBetween(
    tally,
    (from, to) => zoneOf[from] !== -1 && zoneOf[from] === zoneOf[to],
  );
  const shareWithin =
    zones.reduce((sum, { members: { length } }) => sum + length * (length - 1), 0) / pairs;
  const parts = [
    ...groups.slice(0, singles).flatMap(({ members, has }) => {
      const left = size - members.length;
      const isMost = left >= Math.max(leastLeft, leastLeftShare * size);
      return isMost ? without((node) => has[node] === 1, left) : [];
    }),
    without((node) => worst.has(node), size - spared),
    partOf(within, shareWithin),
    partOf(
      within.map((bad, channel) => (counts.bad[channel] ?? 0) - bad),
      1 - shareWithin,
    ),
  ];
  const maskFrom = (share: number) =>
    maskWhere(
      (channel) => (counts.bad[channel] ?? 0) > 1 && leastShareIn(parts, 1 << channel) >= share,
    );
  const isLarge = size >= fewNodes;
  const frequent = isLarge ? maskFrom(leastOfMany) : 0;
  if (frequent !== 0) parts.push(betterHalf(tally, frequent));
  const mask = maskFrom(isLarge ? leastEverywhere : leastOfFew) === 0 ? 0 : maskFrom(leastOfMany);
  // Both planes together give twice the paths to tell the usual share of a protocol from chance.
  const usual = [icmpMask, httpMask, icmpMask, httpMask].map((protocol) => {
    const share = 1.5 * leastShareIn(parts, protocol);
    const floor = Math.min(leastUsual[trouble], usualPaths / Math.max(sumOn(protocol, known), 1));
    return Math.min(Math.max(share, floor), mostUsual);
  });
  return {
    /** For each channel, the share of paths that have the trouble without a particular cause. */
    usual,
    /** That so many paths have it everywhere is a cause itself: that of the cluster. */
    everywhere: mask === 0 ? undefined : everywhereCause(tally, mask, counts),
  };
}

/** Some of all paths: how many have the trouble, and of how many it is known, by channel. */
type Part = Readonly<Record<'bad' | 'known', readonly number[]>>;

function leastShareIn(parts: readonly Part[], channels: number): number {
  const shares = parts.map(({ bad, known }) => {
    const of = sumOn(channels, known);
    return of < 1 ? 1 : (sumOn(channels, bad) + 1) / (of + 2);
  });
  return Math.min(...shares);
}

/** So many nodes are left where those of a group are left out, at least, and so large a share of all. */
const [leastLeft, leastLeftShare] = [6, 1 / 3];

function everywhereCause(tally: Tally, mask: number, { bad, well }: Side): Cause | undefined {
  let [gain, works] = [0, 0];
  for (const channel of channelsIn(mask)) {
    const [fails, of] = [bad[channel] ?? 0, (bad[channel] ?? 0) + (well[channel] ?? 0)];
    const share = Math.min(fails / of, 0.98);
    gain += fails * Math.log(share / usualDegradedShare) - degradedChannelCost;
    gain += (of - fails) * Math.log((1 - share) / (1 - usualDegradedShare));
    works += of - fails;
  }
  gain += weightOfAllFlows(tally);
  const weights = pathWeights[tally.trouble];
  const cost = priorCost({ type: 'cluster', weights, subjects: 1 }, mask, 'in');
  if (gain <= cost) return undefined;
  const entries = tally.badEntries.filter((entry) => ((tally.bad[entry] ?? 0) & mask) !== 0);
  const shape = { channels: mask, knownChannels: mask, ways: 'in', well: works } as const;
  return causeOf(tally, { type: 'cluster' }, { ...shape, cost, gain: gain - cost }, entries);
}
