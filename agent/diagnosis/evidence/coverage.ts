import { channels, channelNumber } from '../../model/channel.js';
import {
  allListGroups,
  coverageOf,
  coveredChannels,
  failingHorizonsOf,
  type RowCoverage,
} from '../../model/row-coverage.js';
import type { Row } from '../../model/row.js';
import { channelsIn } from '../nouns/channel-mask.js';
import { countUpTo, type ClusterIndex } from '../nouns/cluster-index.js';
import { getOrInsert } from '../nouns/get-or-insert.js';
import type { NodeGroup } from '../nouns/node-groups.js';

/** Which nodes an observer tells of, where it does not name them. */
export interface Coverage extends RowCoverage {
  /**
   * By the number of a zone, the channels, as a mask, on which all of its nodes answer but those that are named. A row that has
   * no room for all nodes still counts them by zone. Undefined where there is no such zone.
   */
  readonly completeZones: Uint8Array | undefined;
  /** Which nodes it tells of as far as these fail; undefined where that is the same. */
  readonly ofFailing: Coverage | undefined;
}

/** Which nodes a row tells of. */
export function readCoverage(row: Row, index: ClusterIndex): Coverage {
  const { horizons, groups } = coverageOf(row, index.list);
  if (groups === allListGroups && horizons.every((horizon) => horizon === Infinity))
    return everyNode;
  const completeZones =
    groups === allListGroups ? completeZonesOf(row, horizons, index) : undefined;
  const failing = failingHorizonsOf(row, horizons);
  const isSame = failing.every((horizon, channel) => horizon === horizons[channel]);
  // Made by a spread, hardly two of them would have one hidden class, and each look at one would take longer.
  const ofFailing = isSame
    ? undefined
    : { horizons: failing, groups, completeZones, ofFailing: undefined };
  return { horizons, groups, completeZones, ofFailing };
}

/** Nearly all rows tell of every node on all channels. */
export const everyNode: Coverage = {
  horizons: [Infinity, Infinity, Infinity, Infinity],
  groups: allListGroups,
  completeZones: undefined,
  ofFailing: undefined,
};

function completeZonesOf(
  { zones, counts, paths }: Row,
  horizons: readonly number[],
  index: ClusterIndex,
): Uint8Array | undefined {
  // A lossy path answers, so where some are only counted a zone may have one.
  const degraded = channels.map(({ plane, protocol }) => counts[plane][protocol].degraded);
  // By four times the zone plus the channel.
  const named = new Uint32Array(4 * index.zones.length);
  for (const { node, plane, protocol, state } of paths) {
    const channel = channelNumber(plane, protocol);
    if (state === 'lossy' || state === 'slow') degraded[channel] = (degraded[channel] ?? 0) - 1;
    else {
      const at = 4 * (index.zoneOf[index.numberOf.get(node) ?? -1] ?? -1) + channel;
      if (at >= 0) named[at] = (named[at] ?? 0) + 1;
    }
  }
  let complete: Uint8Array | undefined;
  for (const { zone, plane, protocol, paths: answering } of zones) {
    const channel = channelNumber(plane, protocol);
    const number = index.zoneNumberOf.get(zone);
    const horizon = horizons[channel] ?? -1;
    if (number === undefined || horizon < 0 || horizon === Infinity) continue;
    const members = index.zones[number]?.hashes[channel]?.length;
    const isComplete = answering + (named[4 * number + channel] ?? 0) === members;
    if (!isComplete || (degraded[channel] ?? 0) > 0) continue;
    complete ??= new Uint8Array(index.zones.length);
    complete[number] = (complete[number] ?? 0) | (1 << channel);
  }
  return complete;
}

/** Those of some channels, as a mask, on which an observer tells of a node that it does not name. */
export function reportedChannels(
  { coverage }: { readonly coverage: Coverage },
  node: number,
  mask: number,
  { hashes, zoneOf }: ClusterIndex,
): number {
  const reported = coveredChannels(coverage, hashes[node] ?? 0, mask);
  return reported | (mask & (coverage.completeZones?.[zoneOf[node] ?? -1] ?? 0));
}

/** How many nodes of a group an observer tells of on a channel. It may be one of them. */
export function coveredIn(
  { coverage }: { readonly coverage: Coverage },
  group: NodeGroup,
  channel: number,
  index: ClusterIndex,
): number {
  const { horizons, groups, completeZones } = coverage;
  const horizon = horizons[channel] ?? -1;
  const hashes = group.hashes[channel] ?? [];
  if (groups === allListGroups) {
    const named = countUpTo(hashes, horizon);
    return completeZones ? named + beyond(coverage, group, channel, index) : named;
  }
  let count = 0;
  for (const hash of hashes) if (coveredChannels(coverage, hash, 1 << channel) !== 0) count++;
  return count;
}

/** By group and zone, for each channel the hashes of the nodes of both, ascending. */
const hashesInZones = new WeakMap<NodeGroup, ReadonlyMap<number, readonly number[][]>>();

/** How many nodes of a group are in zones of which a row tells in full, and have a higher hash than those that a row names. */
function beyond(coverage: Coverage, group: NodeGroup, channel: number, index: ClusterIndex) {
  const { horizons, completeZones } = coverage;
  const zones = getOrInsert(hashesInZones, group, () => byZone(group, index));
  let count = 0;
  for (const [zone, hashes] of zones) {
    if ((((completeZones?.[zone] ?? 0) >> channel) & 1) === 0) continue;
    const inZone = hashes[channel] ?? [];
    count += inZone.length - countUpTo(inZone, horizons[channel] ?? -1);
  }
  return count;
}

function byZone({ members }: NodeGroup, { zoneOf, masks, hashes }: ClusterIndex) {
  const zones = new Map<number, number[][]>();
  for (const node of members) {
    const ofZone = getOrInsert(zones, zoneOf[node] ?? -1, () => [[], [], [], []]);
    for (const channel of channelsIn(masks[node] ?? 0)) ofZone[channel]?.push(hashes[node] ?? 0);
  }
  for (const ofChannel of [...zones.values()].flat()) ofChannel.sort((a, b) => a - b);
  return zones;
}
