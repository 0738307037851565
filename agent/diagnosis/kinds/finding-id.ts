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
  const { type } = subject;
  const isOfTwo = ['pair', 'zones', 'groups'].includes(type);
  if (isOfTwo) names.sort();
  const ofAll = planeOf(channels) ?? 'all';
  if (trouble !== 'broken') return `${trouble}:${type === 'cluster' ? ofAll : names.join(',')}`;
  if (isOfTwo) return `${type}:${names.join(',')}`;
  const label = labels.get(channels) ?? 'node';
  if (type !== 'cluster') return `${label}:${names[0] ?? ''}`;
  if (protocolsOf(channels).length > 1) return `${label}:all`;
  return `${(channels & icmpMask) === 0 ? 'http-filtered' : 'icmp-filtered'}:${ofAll}`;
}

/** The same about a target: what it is about, so that it stays when the kind changes because some reach the target again. */
export function targetFindingId(sight: TargetSight): string {
  const { target, trouble, server, subject, plane, name } = sight;
  const kind = subject.type === 'cluster' ? 'target-down' : 'target-unreachable';
  return [
    trouble === 'broken' ? kind : `target-${trouble}`,
    target,
    ...(server ? [server.id] : []),
    ...(subject.type === 'node' ? [name] : subject.type === 'zones' ? [`zone=${name}`] : []),
    ...(plane ? [plane] : []),
  ].join(':');
}
