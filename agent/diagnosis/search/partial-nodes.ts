import type { Cause } from '../nouns/cause.js';
import { channelsIn, maskOf } from '../nouns/channel-mask.js';
import type { Explanation } from './explanation.js';
import { partialNodeCost } from './prior.js';
import { causeOf } from './subjects.js';
import type { Tally } from '../evidence/tally.js';

/** With fewer peers than this they are pairs, not a node that some cannot reach. */
const leastPeers = 4;

/** The open entries of one pair of nodes, one of which is the node in question. */
interface OpenPeer {
  readonly entries: readonly number[];
  readonly weight: number;
}

/** The open entries between a node and each of its peers. */
export type OpenPeers = ReadonlyMap<number, readonly number[]>;

/**
 * The best cause at a node that fails for some of its peers only; undefined if it explains less
 * than it costs. Which peers it fails for is a part of what it costs.
 * @param openPairs how many pairs of nodes have open paths in all
 */
export function bestPartialNode(
  tally: Tally,
  explanation: Explanation,
  node: number,
  openPeers: OpenPeers,
  openPairs: number,
): Cause | undefined {
  const { size } = tally.index;
  if (!isUnusual(openPeers.size, openPairs, size)) return undefined;
  const peers: OpenPeer[] = [];
  for (const entries of openPeers.values()) {
    const weight = entries.reduce((sum, entry) => sum + explanation.openWeight(entry), 0);
    if (weight > 0) peers.push({ entries, weight });
  }
  if (peers.length < leastPeers) return undefined;
  peers.sort((a, b) => b.weight - a.weight);
  let [weight, best, members, cost] = [0, 0, 0, 0];
  for (const [at, peer] of peers.entries()) {
    weight += peer.weight;
    const its = partialNodeCost(size, size - 1, at + 1);
    if (at + 1 < leastPeers || weight - its <= best) continue;
    [best, members, cost] = [weight - its, at + 1, its];
  }
  if (members === 0) return undefined;
  const entries = peers.slice(0, members).flatMap((peer) => peer.entries);
  const { mask, ways } = shapeOf(tally, explanation, node, entries);
  const pattern = { channels: mask, knownChannels: mask, ways, well: 0, cost, gain: best };
  return causeOf(tally, { type: 'node', node }, pattern, Int32Array.from(entries), true);
}

/** The peers that a node fails for must be so much more than chance makes of them. */
const unusualOdds = 7;

/**
 * Whether a node has far more open pairs than the others. Where many reports are wrong, chance
 * gives some node several of them.
 */
function isUnusual(members: number, openPairs: number, nodes: number): boolean {
  const usual = Math.max((2 * (openPairs - members)) / nodes, 0.05);
  const odds = members * Math.log(members / usual) - (members - usual);
  return members > usual && odds > Math.log(nodes) + unusualOdds;
}

/** The channels and the direction that most of the paths share. */
function shapeOf(tally: Tally, explanation: Explanation, node: number, entries: readonly number[]) {
  const perChannel = [0, 0, 0, 0];
  let [ins, outs] = [0, 0];
  for (const entry of entries) {
    for (const channel of channelsIn(explanation.openMask(entry)))
      perChannel[channel] = (perChannel[channel] ?? 0) + 1;
    if (tally.observations.entries.to[entry] === node) ins++;
    else outs++;
  }
  const mask = maskOf(perChannel, Math.max(...perChannel) / 2);
  const ways = ins > 2 * outs ? 'in' : outs > 2 * ins ? 'out' : 'both';
  return { mask, ways } as const;
}
