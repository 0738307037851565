/**
 * A set of causes is as good as the whole is likely: what follows are logarithms of odds (natural),
 * so they add up. The best set has the least of: what its causes cost, what works although a cause
 * says that it fails, and what fails without a cause.
 */

/** A path that fails without a cause: one in a hundred reports may be wrong. */
export const failureWeight = 4.6;

/**
 * What one observer says of one node is one report, right or wrong as a whole: each further failing
 * path in it adds this much only.
 */
const furtherWeight = 1;
const mostReportWeight = 12;

/** What it says that so many of an observer's paths to one node fail. */
export function reportWeight(paths: number, weight: number): number {
  return paths === 0 ? 0 : weight + furtherWeight * (paths - 1);
}

/**
 * The weight of a report where so many of all pairs have one that nothing larger explains: where
 * these are few, each is less likely to be chance.
 */
export function loneReportWeight(pairs: number, all: number): number {
  return Math.min(Math.max(Math.log(all / pairs), failureWeight), mostReportWeight);
}

/** A path that works although a cause says that it fails. */
export const contradictionWeight = 3.5;

/** What an observer said before it can have looked hardly counts: as much as this of what it says now. */
export const outdatedShare = 0.1;

/** So long after something broke, those who look at it have looked: hints bring them there. */
export const lookS = 5;

/** The age of a failure counts up to this. */
export const mostAgeS = 300;

/** Of what is looked at, this share has to fail for a cause that says that all does. */
export const leastShare = 0.7;

/** What a cause costs beside the choice of its subject, which is the logarithm of how many there are. */
export const nodeCost = 6.5;
export const zoneCost = 7.5;
export const clusterCost = 7;
export const pairCost = 8.5;
/** A cause that only some of a node's paths have is less likely. */
export const partialCost = 14;
/** Echoes fail on one plane of a node, and nothing else does: rarer than the other patterns. */
export const rareMaskCost = 0.7;
/** Between zones a single server or protocol fails more rarely than the network. */
export const zoneProtocolCost = 1;
export const zoneChannelCost = 8;
/** Requests and replies are lost, rather than one of both refused. */
export const bothWaysCost = 0.5;

/**
 * What is wrong by chance does not last: evidence counts for more the longer it stands, six times as
 * much after five minutes.
 *
 * @param ageS the mean age of the failures, each up to `mostAgeS`
 */
export function persistence(ageS: number): number {
  return 1 + ageS / 60;
}
