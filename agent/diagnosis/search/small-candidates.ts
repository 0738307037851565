import { observerAt } from '../evidence/observations.js';
import { isAnswer } from '../evidence/path-counts.js';
import type { Tally } from '../evidence/tally.js';
import type { Cause } from '../nouns/cause.js';
import { channelsIn, countChannels, isAnsweredOn, maskOf } from '../nouns/channel-mask.js';
import type { Subject } from '../nouns/subject.js';
import { leastOpen, type Explanation } from './explanation.js';
import { partialNodeCost } from './prior.js';
import { causeOf, type Subjects } from './subjects.js';
import { slice, type Candidate } from './take-best.js';
import { getOrInsert } from '../nouns/get-or-insert.js';

/** With more open entries than this they are no pairs: something larger is unexplained. */
const mostOpenEntries = 20_000;

/** With fewer peers than this they are pairs, not a node that some cannot reach. */
const leastPeers = 4;

/** Pairs with open paths, and nodes that have several of them. */
export function* smallCandidates(
  tally: Tally,
  explanation: Explanation,
  subjects: Subjects,
): Generator<void, Candidate[]> {
  const { entries } = tally.observations;
  const { size } = tally.index;
  const pairs = new Map<number, Subject>();
  /** Those too that are excused, as losses explain them. */
  const unexplained = new Set<number>();
  const peersOf = new Map<number, Map<number, number[]>>();
  const addPeer = (node: number, peer: number, entry: number) => {
    const peers = getOrInsert(peersOf, node, () => new Map<number, number[]>());
    getOrInsert(peers, peer, () => []).push(entry);
  };
  let open = 0;
  for (let at = 0; at < tally.badEntries.length; at++) {
    if ((at + 1) % slice === 0) yield;
    const entry = tally.badEntries[at] ?? 0;
    if (explanation.openMask(entry) === 0) continue;
    const [from, to] = [entries.from[entry] ?? 0, entries.to[entry] ?? 0];
    const key = Math.min(from, to) * size + Math.max(from, to);
    unexplained.add(key);
    if (explanation.openWeight(entry) <= leastOpen) continue;
    if (++open > mostOpenEntries) return [];
    if (!pairs.has(key)) pairs.set(key, { type: 'pair', from, to });
    // Who is refused connections reaches the host that refuses them.
    if (!isAnsweredAlone(tally, entry, explanation.openMask(entry))) addPeer(from, to, entry);
    addPeer(to, from, entry);
  }
  const small: Candidate[] = [...pairs.values()].map((subject) => () => subjects.best(subject));
  if (tally.trouble !== 'broken') return small;
  for (const [node, peers] of peersOf) {
    small.push(() => bestPartialNode(tally, explanation, node, peers, unexplained.size));
  }
  return small;
}

/** Whether all failing paths of an entry on some channels were answered. */
function isAnsweredAlone(
  { observations: { entries } }: Tally,
  entry: number,
  mask: number,
): boolean {
  return channelsIn(mask).every(
    (channel) => isAnswer[entries.failureCode(entry, channel)] === true,
  );
}

/**
 * The best cause at a node that fails for some of its peers only; undefined if it explains less
 * than it costs. Which peers it fails for is a part of what it costs.
 * @param pairs how many pairs of nodes have paths that fail without a cause
 */
function bestPartialNode(
  tally: Tally,
  explanation: Explanation,
  node: number,
  openPeers: ReadonlyMap<number, readonly number[]>,
  pairs: number,
): Cause | undefined {
  const { size } = tally.index;
  const { observers } = tally.observations;
  // What fails at nodes that are down has a cause: chance reports are spread over the nodes that have a row.
  const spreadOver = observerAt(tally.observations, node) ? observers.length : size;
  if (!isUnusual(openPeers.size, pairs, spreadOver)) return undefined;
  const peers = [...openPeers.values()]
    .map((entries) => ({
      entries,
      weight: entries.reduce((sum, entry) => sum + explanation.openWeight(entry), 0),
    }))
    .filter((peer) => peer.weight > 0);
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
  if (ways !== 'in' && isAnsweredOn(mask, tally.from.answersOf(node))) return undefined;
  const pattern = { channels: mask, knownChannels: mask, ways, well: 0, cost, gain: best };
  return causeOf(tally, { type: 'node', node }, pattern, Int32Array.from(entries), true);
}

/** The peers that a node fails for must be so much more than chance makes of them. */
const unusualOdds = 7;

/** Whether a node has far more such pairs than the others. Where many reports are wrong, chance gives some node several of them. */
function isUnusual(members: number, pairs: number, nodes: number): boolean {
  const usual = Math.max((2 * (pairs - members)) / nodes, 0.05);
  const odds = members * Math.log(members / usual) - (members - usual);
  return members > usual && odds > Math.log(nodes) + unusualOdds;
}

/** The channels and the direction that most of the paths share. */
function shapeOf(tally: Tally, explanation: Explanation, node: number, entries: readonly number[]) {
  const perChannel = countChannels(entries, (entry) => explanation.openMask(entry));
  const { to } = tally.observations.entries;
  const ins = entries.filter((entry) => to[entry] === node).length;
  const outs = entries.length - ins;
  const mask = maskOf(perChannel, Math.max(...perChannel) / 2);
  const ways = ins > 2 * outs ? 'in' : outs > 2 * ins ? 'out' : 'both';
  return { mask, ways } as const;
}
