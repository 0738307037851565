import type { Trouble, Ways } from '../nouns/cause.js';
import type { Subject } from '../nouns/subject.js';
import {
  allMask,
  endpointIcmpMask,
  hostIcmpMask,
  httpMask,
  icmpMask,
  isOneServer,
  isPlane,
  sizeOf,
} from '../nouns/channel-mask.js';

// All figures are negative natural logarithms of how likely something is, so that they add up. The
// best explanation has the least sum of three: what its causes cost, what works although a cause
// says that it fails, and what fails without a cause.

/** How unlikely a cause of each type is in a given cluster at a given time. */
const typeCosts: Readonly<Record<Trouble, Readonly<Record<Subject['type'], number>>>> = {
  broken: { cluster: 7, zones: 7.5, node: 6.5, pair: 7 },
  // Many subjects are tested for chance, and losses are frequent, so more evidence is asked for.
  lossy: { cluster: 10, zones: 13, node: 11.5, pair: 12.5 },
  // One busy node makes several paths slow at once, so each of them says less.
  slow: { cluster: 10, zones: 14, node: 12.5, pair: 18 },
  // Only what was tested is known, so a larger cause must not be cheaper than a smaller one.
  mtu: { cluster: 10, zones: 7.5, node: 7.5, pair: 7 },
};
/** Large packets are lost on one plane, not on both. */
const onePlaneCost = 0.3;
/** Both directions fail, not one. */
const bothWaysCost = 0.5;
/** A node that fails for some of the others only. */
const partialCost = 14;
/** Only one node on a side of two zones is affected, so it is more likely the node. */
const loneNodeCost = 2;
/** Everything is said to fail, though nothing at the node IP needs that explanation. */
const noHostEvidenceCost = 1;
/**
 * What the last run makes of a cause: nothing, that it or a part of it was one, or that this was one
 * and its paths begin to work again.
 */
export type Belief = 'none' | 'known' | 'recovering';

/**
 * A cause of the last run is believed a little more than a new one, so that findings do not flap. While
 * it recovers it is believed much more, so that what is left of its paths has no other name.
 */
const beliefShare: Readonly<Record<Belief, number>> = { none: 1, known: 0.85, recovering: 0.5 };

/** What a choice of channels costs, by the type of the subject. */
function channelCost(type: Subject['type'], claim: number, ways: Ways): number {
  if (type === 'zones') return sizeOf(claim) === 1 ? 8 : isProtocol(claim) ? 1 : 0;
  if (type === 'pair')
    return sizeOf(claim) === 1 ? 4 : isProtocol(claim) ? 2 : isPlane(claim) ? 0.3 : 0;
  if (claim === allMask) return 0;
  if (isPlane(claim)) return 0.3;
  if (claim === icmpMask) return 0.5;
  if (claim === httpMask) return 0.8;
  if (isOneServer(claim)) return ways === 'in' ? 0.2 : 3;
  if (claim === hostIcmpMask) return ways === 'in' ? 0.4 : 1.2;
  return claim === endpointIcmpMask ? 1.5 : 0;
}

function isProtocol(mask: number): boolean {
  return mask === icmpMask || mask === httpMask;
}

function troubledChannelCost({ type, trouble, claim, ways }: PriorFacts): number {
  if (trouble === 'broken') return channelCost(type, claim, ways);
  return trouble === 'mtu' && claim !== httpMask ? onePlaneCost : 0;
}

/** What decides the prior cost of a cause. */
export interface PriorFacts {
  readonly type: Subject['type'];
  readonly trouble: Trouble;
  readonly claim: number;
  readonly ways: Ways;
  /** How many subjects of that type there are. */
  readonly subjects: number;
  /** Fewer than two nodes on a side of two zones are affected; how many nodes there are. */
  readonly loneIn?: number | undefined;
  readonly lacksHostEvidence?: boolean;
  readonly belief?: Belief;
}

/** The cost of assuming a cause, before anything that works against it. */
export function priorCost(facts: PriorFacts): number {
  const { type, trouble, ways, subjects, loneIn, lacksHostEvidence, belief = 'none' } = facts;
  const cost =
    typeCosts[trouble][type] +
    Math.log(Math.max(subjects, 1)) +
    troubledChannelCost(facts) +
    (ways === 'both' && type !== 'cluster' ? bothWaysCost : 0) +
    (loneIn === undefined ? 0 : Math.log(loneIn) + loneNodeCost) +
    (lacksHostEvidence === true ? noHostEvidenceCost : 0);
  return cost * beliefShare[belief];
}

/** The cost of a node that fails for `members` of its `peers`: which ones they are, is a choice. */
export function partialNodeCost(nodes: number, peers: number, members: number): number {
  const share = Math.min(members / peers, 1);
  const entropy = share >= 1 ? 0 : -share * Math.log(share) - (1 - share) * Math.log(1 - share);
  return partialCost + Math.log(nodes) + peers * entropy;
}

const mostApart = 4;

/**
 * Both ends of a cut pair begin to fail within an HTTP interval. Two wrong reports about one pair are
 * further apart.
 * @param apart how far apart the two ends began to fail, in HTTP intervals
 */
export function apartCost(apart: number): number {
  return Math.min(apart, mostApart);
}

/** A path that works although a cause says that it fails. */
export const wellWeight = 3.5;

/** A cause needs at least this share of the known paths to fail, on each channel and direction. */
export const leastShare = 0.7;
/** The same for a cause of the last run: it stays while the rest of its paths recover. */
export const leastKnownShare = 0.5;

/** A report of one observer about one node is wrong with a probability of one in a hundred. */
export const leastReportWeight = 4.6;
const mostReportWeight = 12;
const mostAgeS = 300;
const ageUnitS = 7;
/** What one observer says of one node is right or wrong as a whole, so each further path adds little. */
const furtherWeight = 0.7;

/**
 * The weight of one of `paths` failing paths that one observer reports of one node. The first is as
 * likely a wrong report as its weight says, further ones add less, and wrong reports do not last.
 */
export function pathWeight(paths: number, ageS: number, reportWeight: number): number {
  const further = furtherWeight * (paths - 1);
  return (reportWeight + further + Math.min(ageS, mostAgeS) / ageUnitS) / paths;
}

/** That large packets are lost is judged by three tests, each with a small one that passed. */
const lossWeight = 9;
const lossAgeUnitS = 60;

/** The weight of one of `paths` on which one observer says that large packets are lost, all to one node. */
export function largeLossWeight(paths: number, ageS: number): number {
  const further = furtherWeight * (paths - 1);
  return (lossWeight + further + Math.min(ageS, mostAgeS) / lossAgeUnitS) / paths;
}

/** The weight of a report, where `open` of `known` pairs of nodes have one that nothing explains. */
export function reportWeightOf(known: number, open: number): number {
  const weight = Math.log(Math.max(known, 1) / Math.max(open, 1));
  return Math.min(Math.max(weight, leastReportWeight), mostReportWeight);
}

/** The age in seconds at which a lossy or slow path counts twice. */
export const degradedAgeS = 900;
/**
 * What a lossy path weighs more for each flow that never passes while all others always do: a test that
 * finds one takes it for more than chance if that makes one less often than once in a thousand tests.
 */
export const flowWeight = Math.log(1000);
/** No more than so much. */
export const mostFlowsWeight = 25;
/** A path is lossy by the losses of so many seconds. */
export const lossWindowS = 600;
/** A lossy or slow channel of a cause must gain this much before it counts. */
export const degradedChannelCost = 0.7;
/** A cause of losses or slowness needs this share of the paths, or twice the usual share. */
export const leastDegradedShare = 0.3;
/** This share of lossy or slow paths is usual in any cluster. */
export const usualDegradedShare = 0.02;
