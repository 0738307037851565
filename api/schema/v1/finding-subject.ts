import type { Finding } from './findings.js';
import { isZoneLabel } from './zone-label.js';
import type { NodeEntry } from './nodes.js';

/** What decides which nodes a finding is about. */
export type FindingSubject = Pick<
  Finding,
  'id' | 'node' | 'pair' | 'zones' | 'group' | 'groups' | 'examples'
>;

/** Whether a finding is about a node, a pair with it, its zone or a group that it is in, alone or as one of many. */
export function isAbout(
  { id, node, pair, zones, group, groups = [], examples }: FindingSubject,
  { name, zone, labels, findings }: Pick<NodeEntry, 'name' | 'zone' | 'labels' | 'findings'>,
): boolean {
  const has = ({ label, value }: Readonly<Record<'label' | 'value', string>>): boolean =>
    (isZoneLabel(label) ? zone : labels?.[label]) === value;
  return (
    node === name ||
    pair?.includes(name) === true ||
    (zone !== undefined && zones?.includes(zone) === true) ||
    (group !== undefined && has(group) && (!group.and || has(group.and))) ||
    groups.some(has) ||
    examples?.some((one) => one.split(' - ').includes(name)) === true ||
    findings?.includes(id) === true
  );
}

/** Whether a finding is about the whole cluster, for example a filtered protocol, or a target. */
export function isOfCluster({ node, pair, zones, group, groups, count }: Finding): boolean {
  return [node, pair, zones, group, groups, count].every((subject) => subject === undefined);
}

/** What the nodes of a group have in common: `rack=r3`, `zone=a,rack=r3`. */
export function groupTextOf({
  label,
  value,
  and,
}: Pick<NonNullable<Finding['group']>, 'label' | 'value' | 'and'>): string {
  return `${label}=${value}${and ? `,${and.label}=${and.value}` : ''}`;
}

/**
 * What a finding is about, in few words: a target, and from where; a node, two nodes, zones or a group; the cluster where it
 * is none of these.
 */
export function findingSubject({
  target,
  node,
  pair,
  zones,
  group,
  groups,
  plane,
  id,
}: Pick<
  Finding,
  'target' | 'node' | 'pair' | 'zones' | 'group' | 'groups' | 'plane' | 'id'
>): string {
  const ofGroup = group ? groupTextOf(group) : groups?.map(groupTextOf).join(' -> ');
  if (target === undefined)
    return node ?? pair?.join(' -> ') ?? zones?.join(' -> ') ?? ofGroup ?? id;
  const from = node ?? zones?.join(', ') ?? (plane && `the ${plane} plane`);
  return from === undefined ? target : `${target} from ${from}`;
}
