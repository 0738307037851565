import type { Tally } from '../evidence/tally.js';
import { sumOfWays, type Cause, type Ways } from '../nouns/cause.js';
import { channelsIn, countChannels } from '../nouns/channel-mask.js';
import type { ClusterIndex } from '../nouns/cluster-index.js';
import { getOrInsert } from '../nouns/get-or-insert.js';
import { without, type Side } from '../nouns/sight.js';
import { isSame, type Cut, type Subject } from '../nouns/subject.js';
import type { ExplainedTrouble } from '../search/explain-trouble.js';
import { channels } from '../../model/channel.js';

/** Where this share of the other paths of its zone or the cluster fails too, a node, or zones, may be the first part that is known of more. */
const spreadingShare = 0.4;
/** The same of what a node sends: its own row tells of many paths before rows of others come. */
const spreadingShareOfSent = 0.2;
/** What is told of fewer paths than one is nothing. */
export const leastPaths = 0.5;

/** Whether the side of a zone that a cause may be a part of has the paths to it. Of two zones a cut breaks both directions. */
export function isIntoZone(ways: Ways, { zones }: ClusterIndex): boolean {
  return zones.length === 2 ? ways === 'in' : ways !== 'out';
}

/**
 * Whether a node, zones or a group may be the first part that is known of a larger trouble: in the zone of a node, or in the cluster.
 * @param beside the channels that other causes at its node break, as a mask
 */
export function mayBeFirstPart(
  cause: Cause,
  { causes, subjects, tally }: Pick<ExplainedTrouble, 'causes' | 'subjects' | 'tally'>,
  beside: number,
  zones: readonly Side[],
): boolean {
  const { subject, ways, knownChannels } = cause;
  if (subject.type === 'pair') return false;
  const isNode = subject.type === 'node';
  // What another cause at the node breaks too does not tell them apart.
  const mask = knownChannels & ~beside || knownChannels;
  const isSent = isNode && ways !== 'in';
  const isPartOf = (side: Side, own: readonly number[]) => isSpreading(side, own, mask, isSent);
  const [inZone] = zones;
  if (isNode && inZone && isPartOf(inZone, ownIntoZone(cause, tally, subject.node))) return true;
  const { to, from } = subjects.sides(subject);
  const own = channels.map((_, at) => sumOfWays(ways, to.bad[at], from.bad[at]));
  return isPartOf(restOfCluster({ causes, subjects }, subject), own);
}

/** The cluster without what other zones do not reach, or are not reached, as a whole: that says nothing of the rest. */
function restOfCluster(
  { causes, subjects }: Pick<ExplainedTrouble, 'causes' | 'subjects'>,
  subject: Subject,
): Side {
  // There may be thousands of causes, and each asks.
  const cuts = getOrInsert(cutsOf, causes, () =>
    causes.flatMap(({ subject: cut, ways, knownChannels }) => {
      if (cut.type !== 'zones') return [];
      const { to, from } = subjects.sides(cut);
      const isWhole = (side: Side) => isMost(side, knownChannels);
      return (ways === 'out' || isWhole(to)) && (ways === 'in' || isWhole(from)) ? cut : [];
    }),
  );
  const cluster: Side = subjects.sides({ type: 'cluster' }).to;
  const others = cuts.filter((cut) => !isSame(cut, subject)).map((cut) => subjects.sides(cut));
  return others.flatMap(({ to, from }) => [to, from]).reduce(without, cluster);
}

/** The zones that causes break as a whole, by the causes of one run. */
const cutsOf = new WeakMap<readonly Cause[], readonly Cut[]>();

/** How many of the paths of a cause lead into the zone of its node, or out of it, by channel. */
function ownIntoZone(cause: Cause, { index, observations }: Tally, node: number): number[] {
  const { fail, from, to } = observations.entries;
  const zoneOf = (other = -1) => index.zoneOf[other] ?? -1;
  const isInto = isIntoZone(cause.ways, index);
  return countChannels(cause.entries, (entry) => {
    const [there, here] = [zoneOf(from[entry]), zoneOf(to[entry])];
    const isOfZone = there !== here && (isInto ? here : there) === zoneOf(node);
    return isOfZone ? (fail[entry] ?? 0) : 0;
  });
}

/**
 * Whether so much else fails around a cause that it may be one of many, while not all of that has been probed yet.
 * @param own by channel, how many failing paths there are its own
 * @param isSent it is about what one node sends
 */
export function isSpreading(
  side: Side,
  own: readonly number[],
  mask: number,
  isSent: boolean,
): boolean {
  const share = isSent ? spreadingShareOfSent : spreadingShare;
  return channelsIn(mask).every((channel) => {
    const [known, its] = [knownOf(side, channel), own[channel] ?? 0];
    const others = Math.max((side.bad[channel] ?? 0) - its, 0);
    const isUnknown = (side.reported[channel] ?? 0) - known >= leastPaths;
    return isUnknown && others / Math.max(known - its, 1) >= share;
  });
}

/** The paths that fail, and those that were looked at since. */
export function knownOf({ bad, probed }: Pick<Side, 'bad' | 'probed'>, channel: number): number {
  return (bad[channel] ?? 0) + (probed[channel] ?? 0);
}

/** The cluster, zones or all that a node sends fails as a whole, not in parts, if this share of the paths is told as failing. */
export const wholeShare = 0.7;

/** Whether most paths are told as failing, on each channel of a mask. */
export function isMost({ bad, reported }: Side, mask: number): boolean {
  return channelsIn(mask).every(
    (channel) => (bad[channel] ?? 0) >= wholeShare * Math.max(reported[channel] ?? 0, 1),
  );
}
