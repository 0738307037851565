import type { Cause } from './cause.js';
import { sizeOf } from './channels.js';
import type { Evidence } from './evidence.js';
import type { OpenPair, OpenPairs } from './open-pairs.js';
import { pairPattern } from './pair-causes.js';
import { failureWeight, partialCost, persistence, reportWeight } from './weights.js';

/** With fewer peers than this they are pairs, not a node that some cannot reach. */
const leastPeers = 4;
const unusualOdds = 7;
const leastWeight = 1.5 * failureWeight;

interface Candidate {
  readonly node: number;
  readonly gain: number;
  readonly pairs: readonly OpenPair[];
}

/**
 * Finds the causes at a node that only some of its peers see. One such cause is cheaper than many
 * pairs. The paths that they explain are marked.
 */
export function partialCauses(evidence: Evidence, pairs: OpenPairs): Cause[] {
  const causes: Cause[] = [];
  const candidates: Candidate[] = [];
  for (const node of pairs.nodes()) {
    const candidate = candidateAt(evidence, pairs, node);
    if (candidate) candidates.push(candidate);
  }
  candidates.sort((a, b) => b.gain - a.gain);
  for (const { node } of candidates) {
    // The open failures shrink while causes are taken.
    const now = candidateAt(evidence, pairs, node);
    if (now) causes.push(take(evidence, now));
  }
  return causes;
}

function candidateAt(evidence: Evidence, pairs: OpenPairs, node: number): Candidate | undefined {
  const peers = evidence.index.size - 1;
  // One failing path of a pair may be chance. Several are not, nor is one that lasts.
  const members = pairs.ofNode(node).filter((pair) => weigh(pairs, pair) > leastWeight);
  if (members.length < leastPeers) return undefined;
  if (!isUnusual(pairs, members.length, peers + 1)) return undefined;
  const choice = Math.log(peers / members.length) + 1;
  let [gain, byPairs] = [-partialCost - Math.log(peers + 1), 0];
  const taken: OpenPair[] = [];
  for (const pair of members) {
    const one = weigh(pairs, pair) - choice;
    if (one <= 0) continue;
    gain += one;
    byPairs += pairPattern(evidence, pairs, pair)?.gain ?? 0;
    taken.push(pair);
  }
  if (taken.length < leastPeers || gain <= byPairs) return undefined;
  return { node, gain, pairs: taken };
}

/**
 * The node must have far more pairs than the others: chance gives this many once in many clusters.
 */
function isUnusual(pairs: OpenPairs, members: number, nodes: number): boolean {
  const usual = Math.max((2 * (pairs.all.length - members)) / nodes, 0.05);
  const odds = members * Math.log(members / usual) - (members - usual);
  return members > usual && odds > Math.log(nodes) + unusualOdds;
}

function weigh(pairs: OpenPairs, pair: OpenPair): number {
  const failing = pairs.failing(pair);
  const weight =
    reportWeight(sizeOf(failing.ab), pairs.reportWeight) +
    reportWeight(sizeOf(failing.ba), pairs.reportWeight);
  return weight * persistence(pairs.ageS(pair));
}

function take(evidence: Evidence, { node, pairs }: Candidate): Cause {
  const entries: number[] = [];
  let [paths, ins, outs] = [0, 0, 0];
  const perChannel = [0, 0, 0, 0];
  for (const { a, ab, ba } of pairs) {
    for (const entry of [ab, ba]) {
      const open = entry === -1 ? 0 : evidence.open(entry);
      if (open === 0) continue;
      for (let channel = 0; channel < 4; channel++) {
        perChannel[channel] = (perChannel[channel] ?? 0) + ((open >> channel) & 1);
      }
      if ((entry === ab) === (a === node)) outs++;
      else ins++;
      entries.push(entry);
      paths += evidence.explain(entry, open);
    }
  }
  const most = Math.max(...perChannel);
  const mask = perChannel.reduce(
    (bits, count, channel) => (count * 2 > most ? bits | (1 << channel) : bits),
    0,
  );
  const ways = ins > 2 * outs ? 'in' : outs > 2 * ins ? 'out' : 'both';
  return {
    subject: { type: 'node', node },
    trouble: 'broken',
    isWhole: sizeOf(mask) === sizeOf(evidence.index.masks[node] ?? 0),
    reverseWorks: ways === 'in' ? outs === 0 && evidence.tellsOfNow[node] === 1 : ins === 0,
    isPartial: true,
    contradictions: 0,
    mask,
    ways,
    entries,
    paths,
  };
}
