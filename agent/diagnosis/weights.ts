/**
 * The weights are natural logarithms of odds, so they add up. The best set of causes has the lowest
 * sum of three: what its causes cost, what works although a cause should break it, and what fails
 * without a cause.
 */

/** A failing path without a cause: one report in a hundred may be wrong. */
export const failureWeight = 4.6;

/**
 * What one observer says about one node is one report, right or wrong as a whole. So each further
 * failing path in it adds only this.
 */
const furtherWeight = 1;
const mostReportWeight = 12;

/** The weight of a report of so many failing paths from one observer to one node. */
export function reportWeight(paths: number, weight: number): number {
  return paths === 0 ? 0 : weight + furtherWeight * (paths - 1);
}

/**
 * The weight of a report that nothing larger explains. The fewer of all pairs have one, the less
 * likely each is chance.
 */
export function loneReportWeight(pairs: number, all: number): number {
  return Math.min(Math.max(Math.log(all / pairs), failureWeight), mostReportWeight);
}

/** A path that works although a cause should break it. */
export const contradictionWeight = 3.5;

/** A report from before the observer could look again counts only this share. */
export const outdatedShare = 0.1;

/** This long after a failure its observers have looked again, because hints tell them to. */
export const lookS = 5;

/** An older failure counts as one of this age. */
export const mostAgeS = 300;

/** A cause that breaks all paths needs at least this share of the observed ones to fail. */
export const leastShare = 0.7;

/** The cost of a cause. The choice of its subject adds the logarithm of the number of subjects. */
export const nodeCost = 6.5;
export const zoneCost = 7.5;
export const clusterCost = 7;
export const pairCost = 8.5;
/** A cause that only some of a node's paths have is less likely. */
export const partialCost = 14;
/** Only the echoes of one plane fail: this is rarer than the other patterns. */
export const rareMaskCost = 0.7;
/** Between zones a single server or protocol fails more rarely than the network. */
export const zoneProtocolCost = 1;
export const zoneChannelCost = 8;
/** Both directions fail, instead of one. */
export const bothWaysCost = 0.5;

/**
 * Wrong reports do not last, so evidence counts more the longer it stands: six times as much after
 * five minutes.
 * @param ageS the mean age of the failures, each up to `mostAgeS`
 */
export function persistence(ageS: number): number {
  return 1 + ageS / 60;
}
