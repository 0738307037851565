import type { Cause } from '../nouns/cause.js';
import {
  allMask,
  endpointHttpMask,
  endpointIcmpMask,
  endpointMask,
  hostHttpMask,
  hostIcmpMask,
  hostMask,
  httpMask,
  icmpMask,
  planeOf,
  protocolsOf,
} from '../nouns/channel-mask.js';
import type { ClusterIndex } from '../nouns/cluster-index.js';
import { namesOf } from '../nouns/named-cause.js';
import { groupText } from '../nouns/node-groups.js';
import type { TargetSight } from '../life/target-sight-of.js';
import { cutGroups } from './group-words.js';

/** What the channels of a cause are called in the id of its finding. */
const labels: ReadonlyMap<number, string> = new Map([
  [allMask, 'node'],
  [hostMask, 'host-plane'],
  [endpointMask, 'endpoint-plane'],
  [icmpMask, 'icmp-filtered'],
  [httpMask, 'http-filtered'],
  [hostHttpMask, 'agent'],
  [endpointHttpMask, 'endpoint'],
  [hostIcmpMask, 'icmp-filtered:host'],
  [endpointIcmpMask, 'icmp-filtered:endpoint'],
]);

/** The id of the finding of a cause of paths: its subject and channels, so that it stays when the finding gets another name. */
export function pathFindingId({ subject, trouble, channels }: Cause, index: ClusterIndex): string {
  const names =
    subject.type === 'groups'
      ? cutGroups(subject, index).map(({ label, value }) => groupText({ label, name: value }))
      : namesOf(subject, index);
  const isOfTwo = ['pair', 'zones', 'groups'].includes(subject.type);
  if (isOfTwo) names.sort();
  if (trouble !== 'broken') {
    return [
      trouble,
      ...(subject.type === 'cluster' ? [planeOf(channels) ?? 'all'] : [names.join(',')]),
    ].join(':');
  }
  if (isOfTwo) return `${subject.type}:${names.join(',')}`;
  if (subject.type === 'cluster') {
    const protocol = (channels & icmpMask) === 0 ? 'http-filtered' : 'icmp-filtered';
    const isProtocol = protocolsOf(channels).length === 1;
    return isProtocol
      ? `${protocol}:${planeOf(channels) ?? 'all'}`
      : `${labels.get(channels) ?? ''}:all`;
  }
  return `${labels.get(channels) ?? 'node'}:${names[0] ?? ''}`;
}

/** The same about a target: what it is about, so that it stays when the kind changes because some reach the target again. */
export function targetFindingId(sight: TargetSight): string {
  const { target, trouble, server, planes, subject, failingPlanes, name } = sight;
  const kind =
    trouble === 'broken'
      ? subject.type === 'cluster'
        ? 'target-down'
        : 'target-unreachable'
      : `target-${trouble}`;
  return [
    kind,
    target,
    ...(server ? [server.id] : []),
    ...(subject.type === 'node' ? [name] : subject.type === 'zones' ? [`zone=${name}`] : []),
    ...(failingPlanes === planes ? [] : [failingPlanes === 1 ? 'host' : 'endpoint']),
  ].join(':');
}
