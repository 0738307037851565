import { coveredChannels } from '../../model/row-coverage.js';
import type { Ways } from '../nouns/cause.js';
import { channelsIn, sizeOf } from '../nouns/channel-mask.js';
import type { ClusterIndex, Zone } from '../nouns/cluster-index.js';
import { sidesOf, type NodePlaces, type Subject } from '../nouns/subject.js';
import type { Observer } from './observations.js';
import type { ProbeTime, ProbeTimes } from './time-model.js';
import { coveredIn } from './witnesses.js';

/** Whether a path is one of a subject, in a direction. */
export function isPathOf(
  subject: Subject,
  ways: Ways,
  index: NodePlaces,
): (from: number, to: number) => boolean {
  const { inner, outer } = sidesOf(subject, index);
  switch (ways) {
    case 'in':
      return (from, to) => inner(to) && outer(from);
    case 'out':
      return (from, to) => inner(from) && outer(to);
    case 'both':
      return (from, to) => (inner(to) && outer(from)) || (inner(from) && outer(to));
  }
}

/**
 * How many paths of a subject an observer tells of, in a direction and on some channels, whether they work or not.
 * @param enough left out, all are counted; else it stops there
 */
export function knownPaths(
  observer: Observer,
  subject: Subject,
  ways: Ways,
  mask: number,
  { whole, zones, zoneOf, groups, hashes, masks }: ClusterIndex,
  enough = Infinity,
): number {
  const { node: own, coverage } = observer;
  const [isTo, isFrom] = [ways !== 'out', ways !== 'in'];
  const toNode = (node: number): number =>
    sizeOf(coveredChannels(coverage, hashes[node] ?? 0, mask & (masks[node] ?? 0)));
  const toZone = (zone: Zone | undefined): number =>
    zone ? channelsIn(mask).reduce((sum, one) => sum + coveredIn(observer, zone, one), 0) : 0;
  const toAll = (): number => Math.max(toZone(whole) - toNode(own), 0);
  const toSome = (members: readonly number[] = []): number => {
    let known = 0;
    for (const node of members) {
      if (node !== own) known += toNode(node);
      if (known >= enough) break;
    }
    return known;
  };
  switch (subject.type) {
    case 'cluster':
      return toAll();
    case 'node':
      if (own === subject.node) return isFrom ? toAll() : 0;
      return isTo ? toNode(subject.node) : 0;
    case 'pair':
      if (own === subject.from) return isTo ? toNode(subject.to) : 0;
      return own === subject.to && isFrom ? toNode(subject.from) : 0;
    case 'group': {
      const { members = [], has } = groups[subject.group] ?? {};
      if (has?.[own] === 1 && isFrom) return toAll();
      return isTo ? toSome(members) : 0;
    }
    case 'groups': {
      const [a, b] = [groups[subject.group], groups[subject.other]];
      if (a?.has[own] === 1) return isTo ? toSome(b?.members) : 0;
      return b?.has[own] === 1 && isFrom ? toSome(a?.members) : 0;
    }
    case 'zones': {
      const { zone, other } = subject;
      const at = zoneOf[own] ?? -1;
      if (other === undefined) {
        if (at !== zone) return isTo ? toZone(zones[zone]) : 0;
        return isFrom ? toZone(whole) - toZone(zones[zone]) : 0;
      }
      if (at === zone) return isTo ? toZone(zones[other]) : 0;
      return at === other && isFrom ? toZone(zones[zone]) : 0;
    }
  }
}

/** How soon an observer probes the paths of a cause: hints tell of all but those that only their two ends see. */
export function timesOf(
  subject: Subject,
  ways: Ways,
  channels: number,
  times: ProbeTimes,
  { whole, zones, groups }: ClusterIndex,
): readonly ProbeTime[] {
  const all = whole.members.length;
  switch (subject.type) {
    case 'pair':
      return times.alone;
    case 'node':
      // The node alone looks along the paths from it, at one node after the other.
      return ways === 'out' ? times.hinted(all, channels) : times.ofNode;
    case 'cluster':
      return times.hinted(all, channels);
    case 'zones': {
      const { zone, other } = subject;
      const inside = zones[zone]?.members.length ?? 0;
      const outside = other === undefined ? all - inside : (zones[other]?.members.length ?? 0);
      const isOutsideSeen = ways !== (other === undefined ? 'in' : 'out');
      const isInsideSeen = ways !== (other === undefined ? 'out' : 'in');
      return times.hinted(
        Math.max(isInsideSeen ? inside : 0, isOutsideSeen ? outside : 0),
        channels,
      );
    }
    case 'group':
      return times.hinted(
        ways === 'in' ? (groups[subject.group]?.members.length ?? 0) : all,
        channels,
      );
    case 'groups': {
      const sizes = [subject.group, subject.other].map((one) => groups[one]?.members.length ?? 0);
      return times.hinted(Math.max(...sizes), channels);
    }
  }
}
