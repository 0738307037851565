import type { Trouble, Ways } from '../nouns/cause.js';
import type { SubjectPaths } from './subject-paths.js';

// All figures are negative natural logarithms of how likely something is, so that they add up. The
// best explanation has the least sum of three: what its causes cost, what works although a cause
// says that it fails, and what fails without a cause.

/** Both directions fail, not one. */
const bothWaysCost = 0.5;
/** A node that fails for some of the others only. */
const partialCost = 14;
/** Only one node on a side of two zones is affected, so it is more likely the node. */
const loneNodeCost = 2;
/** Everything is said to fail, though nothing at the node IP needs that explanation. */
const noHostEvidenceCost = 1;
/** What the last run makes of a cause: nothing, that it or a part of it was one, or that it was one whose paths begin to work again. */
export type Belief = 'none' | 'known' | 'recovering';

/**
 * A cause of the last run is believed a little more than a new one, so that findings do not flap. While
 * it recovers it is believed much more, so that what is left of its paths has no other name.
 */
const beliefShare: Readonly<Record<Belief, number>> = { none: 1, known: 0.85, recovering: 0.5 };

/** The cost of assuming a cause, before anything that works against it. */
export function priorCost(
  {
    type,
    weights,
    subjects,
    loneIn,
  }: Pick<SubjectPaths, 'type' | 'weights' | 'subjects' | 'loneIn'>,
  channels: number,
  ways: Ways,
  belief: Belief = 'none',
  lacksHostEvidence = false,
): number {
  const cost =
    weights.typeCosts[type] +
    Math.log(Math.max(subjects, 1)) +
    weights.channelCost(type, channels, ways) +
    (ways === 'both' ? bothWaysCost : 0) +
    (loneIn === undefined ? 0 : Math.log(loneIn) + loneNodeCost) +
    (lacksHostEvidence ? noHostEvidenceCost : 0);
  return cost * beliefShare[belief];
}

/** The cost of a node that fails for `members` of its `peers`: which ones they are, is a choice. */
export function partialNodeCost(nodes: number, peers: number, members: number): number {
  const share = Math.min(members / peers, 1);
  const entropy = share >= 1 ? 0 : -share * Math.log(share) - (1 - share) * Math.log(1 - share);
  return partialCost + Math.log(nodes) + peers * entropy;
}

/** However far apart two ends began to fail, it costs no more than this. */
const mostApart = 4;

/** The cost of two ends that began to fail so many HTTP intervals apart. Those of a cut pair do within one, two wrong reports may not. */
export function apartCost(apart: number): number {
  return Math.min(apart, mostApart);
}

/** A group that is told has its trouble by chance less often than so much says, as a natural logarithm. */
export const mostChance = -1.5;

/** How likely all of a group, and so many others, have a trouble, if chance decides which nodes have it: as a natural logarithm. */
export function lnChanceOfGroup({
  nodes,
  members,
  others,
}: Readonly<Record<'nodes' | 'members' | 'others', number>>): number {
  return lnChoose(nodes - members, others) - lnChoose(nodes, members + others);
}

/** The natural logarithm of the number of ways to choose some of all. */
function lnChoose(all: number, some: number): number {
  let sum = 0;
  for (let at = 1; at <= Math.min(some, all - some); at++) sum += Math.log((all - at + 1) / at);
  return sum;
}

/** A path that works although a cause says that it fails. */
export const wellWeight = 3.5;

/** A cause needs at least this share of the known paths to fail, on each channel and direction: one of three may be told wrongly. */
export const leastShare = 0.66;
/** The whole cluster needs a larger one: two faults of a few nodes look much like it. */
export const leastClusterShare = 0.7;
/** The same for a cause of the last run: it stays while the rest of its paths recover. */
export const leastKnownShare = 0.5;

/** A report of one observer about one node is wrong with a probability of one in a hundred. */
export const leastReportWeight = 4.6;
/** However few reports nothing explains, one weighs no more than this, and what their rarity over time adds. */
const mostReportWeight = 17;
/** A path that fails for longer weighs no more. */
const mostAgeS = 300;
/** Of more reports at once than this each says less: they are the beginning of something larger. */
const fewReports = 4;
/** A failing path weighs one more for so many seconds. */
const ageUnitS = 7;
/** What one observer says of one node or target is right or wrong as a whole, so each further path or look adds little. */
const furtherWeight = 0.7;

/**
 * The weight of one of `paths` that one observer reports of one node. The first is as likely a wrong report as its weight
 * says, further ones add less, and wrong reports do not last.
 * @param lasting what it adds that they last
 */
function weightOfOne(paths: number, first: number, lasting: number): number {
  return (first + furtherWeight * (paths - 1) + lasting) / paths;
}

/** The weight of one of `paths` failing paths. */
export function pathWeight(paths: number, ageS: number, reportWeight: number): number {
  return weightOfOne(paths, reportWeight, Math.min(ageS, mostAgeS) / ageUnitS);
}

/** That large packets are lost is judged by three tests, each with a small one that passed. */
const lossWeight = 9;
/** A lost large packet weighs one more for so many seconds. */
const lossAgeUnitS = 60;

/** The weight of one of `paths` on which one observer says that large packets are lost, all to one node. */
export function largeLossWeight(paths: number, ageS: number): number {
  return weightOfOne(paths, lossWeight, Math.min(ageS, mostAgeS) / lossAgeUnitS);
}

/**
 * The weight of a report, where `open` of `known` pairs of nodes have one that nothing explains.
 * @param strayShare in which share of the time there is any such report
 */
export function reportWeightOf(known: number, open: number, strayShare: number): number {
  const rare = -Math.log(strayShare) - Math.log(Math.max(open / fewReports, 1));
  return rarity(known, open, leastReportWeight, mostReportWeight) + Math.max(rare, 0);
}

/** How unlikely one of `open` of `known` is by chance, between two bounds. */
function rarity(known: number, open: number, least: number, most: number): number {
  return Math.min(Math.max(Math.log(Math.max(known, 1) / Math.max(open, 1)), least), most);
}

/** The age in seconds at which a lossy or slow path counts twice. */
const degradedAgeS = 900;
/**
 * What a lossy path weighs more for each flow that never passes while all others always do: a test that
 * finds one takes it for more than chance if that makes one less often than once in a thousand tests.
 */
export const flowWeight = Math.log(1000);
/** No more than so much. */
export const mostFlowsWeight = 25;
/** A path is lossy by the losses of so many seconds. */
const lossWindowS = 600;
/** A lossy or slow channel of a cause must gain this much before it counts. */
export const degradedChannelCost = 0.7;
/** A cause of losses or slowness needs this share of few paths, or twice the usual share. */
export const leastDegradedShare = 0.3;
/** Up to so many paths need that share. Of more paths a smaller one is no chance: it falls with the square root of their number. */
const fewPaths = 250;
/** However many paths there are, no smaller share is a cause. */
const leastShareOfMany = 0.05;

/** The share of so many paths that a cause of losses or slowness needs. */
export function leastShareOf(paths: number): number {
  const share = leastDegradedShare * Math.sqrt(fewPaths / Math.max(paths, fewPaths));
  return Math.max(share, leastShareOfMany);
}

/** This share of lossy or slow paths is usual in any cluster. */
export const usualDegradedShare = 0.02;

/**
 * The weight of a lossy or slow path: how unusual it is, and for how long it has been so. Losses count
 * for ten minutes, so that a lossy path stays lossy for so long tells nothing new.
 * @param unusual how unlikely it is, as a negative natural logarithm
 */
export function degradedWeight(trouble: Trouble, unusual: number, ageS: number): number {
  const tellingS = trouble === 'lossy' ? Math.max(ageS - lossWindowS, 0) : ageS;
  return unusual * (1 + Math.min(tellingS, degradedAgeS) / degradedAgeS);
}

/** A failing look comes from three probes in a row, some time apart; it is wrong in one of 1,600. */
export const leastLookWeight = 7.4;
/** However few looks fail, the first of a node weighs no more. */
const mostLookWeight = 10;
/** What a later probe that fails too adds: chance does not last. */
const againWeight = 3;
/** All later probes together add no more. */
const mostAgainWeight = 12;

/** The weight of one of a node's `looks` that fail, by how often it was probed again since. */
export function lookWeight(looks: number, agains: number, first: number): number {
  return weightOfOne(looks, first, Math.min(againWeight * agains, mostAgainWeight));
}

/** The weight of a node's first failing look, where `open` of `known` nodes have one that nothing explains. */
export function firstLookWeight(known: number, open: number): number {
  return rarity(known, open, leastLookWeight, mostLookWeight);
}
