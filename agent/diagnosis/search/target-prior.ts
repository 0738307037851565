import type { Trouble } from '../nouns/cause.js';
import type { Subject } from '../nouns/subject.js';
import { leastKnownShare, leastShare, type Belief } from './prior.js';

// As for paths, all figures are negative natural logarithms of how likely something is.

/** How unlikely it is that a given target is not reached by everybody, by a zone, by a node. */
const typeCosts: Readonly<
  Record<'broken' | 'degraded', Readonly<Record<Subject['type'], number>>>
> = {
  // A target has no path of its own between two nodes.
  broken: { cluster: 4.5, zones: 5.5, node: 4.5, pair: Infinity },
  degraded: { cluster: 10, zones: 12, node: 10, pair: Infinity },
};
/** It fails on one of two planes. */
const onePlaneCost = 0.3;
/** One of several DNS servers fails. */
const oneServerCost = 0.3;

const beliefShare: Readonly<Record<Belief, number>> = { none: 1, known: 0.85, recovering: 0.5 };

/** What decides the prior cost of a cause about a target. */
export interface TargetPriorFacts {
  readonly type: Subject['type'];
  readonly trouble: Trouble;
  /** How many subjects of that type there are. */
  readonly subjects: number;
  readonly isOnePlane: boolean;
  readonly isOneServer: boolean;
  readonly belief: Belief;
}

/** The cost of assuming a cause about a target, before anything that works against it. */
export function targetPriorCost(facts: TargetPriorFacts): number {
  const { type, trouble, subjects, isOnePlane, isOneServer, belief } = facts;
  const cost =
    typeCosts[trouble === 'broken' ? 'broken' : 'degraded'][type] +
    Math.log(Math.max(subjects, 1)) +
    (isOnePlane ? onePlaneCost : 0) +
    (isOneServer ? oneServerCost : 0);
  return cost * beliefShare[belief];
}

/** The share of the looks that must fail on each claimed plane. */
export function leastTargetShare(belief: Belief): number {
  return belief === 'none' ? leastShare : leastKnownShare;
}

/** A failing look comes from three probes in a row, some time apart; it is wrong in one of 1,600. */
export const leastLookWeight = 7.4;
const mostLookWeight = 10;
/** The pod network of a node adds little to what the node itself says. */
const furtherWeight = 0.7;
/** What a later probe that fails too adds: chance does not last. */
const againWeight = 3;
const mostAgainWeight = 12;

/**
 * The weight of one of a node's `looks` that fail.
 * @param agains how often it was probed again since it began to fail
 */
export function lookWeight(looks: number, agains: number, first: number): number {
  const again = Math.min(againWeight * agains, mostAgainWeight);
  return (first + furtherWeight * (looks - 1) + again) / looks;
}

/** The weight of a node's first failing look, where `open` of `known` nodes have one that nothing explains. */
export function firstLookWeight(known: number, open: number): number {
  const weight = Math.log(Math.max(known, 1) / Math.max(open, 1));
  return Math.min(Math.max(weight, leastLookWeight), mostLookWeight);
}
