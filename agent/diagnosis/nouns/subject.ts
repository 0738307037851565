import type { ClusterIndex } from './cluster-index.js';

/** What a cause is about. Nodes, zones and groups are numbers of the cluster index. */
export type Subject =
  | { readonly type: 'cluster' }
  /** One zone and all others, where `other` is undefined. */
  | { readonly type: 'zones'; readonly zone: number; readonly other: number | undefined }
  /** All paths of each node of a group, within the group too. */
  | { readonly type: 'group'; readonly group: number }
  /** The paths between two groups of one label. */
  | { readonly type: 'groups'; readonly group: number; readonly other: number }
  | { readonly type: 'node'; readonly node: number }
  | { readonly type: 'pair'; readonly from: number; readonly to: number };

/** A text that is the same for the same subject. The order of two nodes or zones does not count. */
export function subjectKey(subject: Subject): string {
  switch (subject.type) {
    case 'cluster':
      return 'cluster';
    case 'zones': {
      const { zone, other = -1 } = subject;
      return `zones ${Math.min(zone, other)} ${Math.max(zone, other)}`;
    }
    case 'group':
      return `group ${subject.group}`;
    case 'groups': {
      const { group, other } = subject;
      return `groups ${Math.min(group, other)} ${Math.max(group, other)}`;
    }
    case 'node':
      return `node ${subject.node}`;
    case 'pair':
      return `pair ${Math.min(subject.from, subject.to)} ${Math.max(subject.from, subject.to)}`;
  }
}

/** Whether all paths of one subject are among those of another one, or most of them. */
export function isWithin(inner: Subject, outer: Subject, { zoneOf, groups }: NodePlaces): boolean {
  switch (outer.type) {
    case 'cluster':
      return true;
    case 'group': {
      const { has } = groups[outer.group] ?? {};
      const isIn = (group: number) => groups[group]?.members.every((node) => has?.[node] === 1);
      if (inner.type === 'group') return isIn(inner.group) === true;
      if (inner.type === 'groups') return isIn(inner.group) === true || isIn(inner.other) === true;
      return nodesOf(inner).some((node) => has?.[node] === 1);
    }
    case 'groups': {
      const [a, b] = [groups[outer.group]?.has, groups[outer.other]?.has];
      if (inner.type === 'node') return a?.[inner.node] === 1 || b?.[inner.node] === 1;
      if (inner.type === 'pair') {
        const { from, to } = inner;
        return (a?.[from] === 1 && b?.[to] === 1) || (b?.[from] === 1 && a?.[to] === 1);
      }
      return isSame(inner, outer);
    }
    case 'zones': {
      const isAt = (zone: number | undefined) => zone === outer.zone || zone === outer.other;
      if (inner.type === 'cluster') return false;
      if (inner.type === 'node') return isAt(zoneOf[inner.node]);
      if (inner.type === 'group')
        return membersOf(inner, groups).every((node) => isAt(zoneOf[node]));
      if (inner.type === 'groups') {
        const { zone, other } = outer;
        const isAll = (group: number, is: (at: number | undefined) => boolean) =>
          groups[group]?.members.every((node) => is(zoneOf[node])) === true;
        const isThere = (at: number | undefined) =>
          other === undefined ? at !== zone : at === other;
        const isBetween = (a: number, b: number) =>
          isAll(a, (at) => at === zone) && isAll(b, isThere);
        return isBetween(inner.group, inner.other) || isBetween(inner.other, inner.group);
      }
      if (inner.type === 'pair') {
        const [a, b] = [zoneOf[inner.from], zoneOf[inner.to]];
        return a !== b && (outer.other === undefined ? isAt(a) || isAt(b) : isAt(a) && isAt(b));
      }
      if (outer.other === undefined) return inner.zone === outer.zone || inner.other === outer.zone;
      return isSame(inner, outer);
    }
    case 'node':
      if (inner.type === 'pair') return inner.from === outer.node || inner.to === outer.node;
      return inner.type === 'node' && inner.node === outer.node;
    case 'pair':
      return isSame(inner, outer);
  }
}

/** Whether two subjects are the same. The order of two nodes or zones does not count. */
export function isSame(a: Subject, b: Subject): boolean {
  return a.type === b.type && subjectKey(a) === subjectKey(b);
}

/** Whether two subjects have a node or a zone in common. */
export function touches(a: Subject, b: Subject, { groups }: Pick<NodePlaces, 'groups'>): boolean {
  const zones = zonesOf(b);
  const nodes = new Set(membersOf(b, groups));
  return (
    zonesOf(a).some((zone) => zones.includes(zone)) ||
    membersOf(a, groups).some((node) => nodes.has(node))
  );
}

/** Where nodes are. */
export type NodePlaces = Pick<ClusterIndex, 'zoneOf' | 'groups'>;

/** The nodes that a subject names, and those of a group or of two. */
export function membersOf(subject: Subject, groups: NodePlaces['groups']): readonly number[] {
  if (subject.type !== 'group' && subject.type !== 'groups') return nodesOf(subject);
  const ofFirst = groups[subject.group]?.members ?? [];
  return subject.type === 'group'
    ? ofFirst
    : [...ofFirst, ...(groups[subject.other]?.members ?? [])];
}

/** Whether a node is one of some. */
export type IsIn = (node: number) => boolean;

/**
 * The nodes at the two ends of a subject's paths. In the direction `in` these lead from the outer to the inner ones: to the
 * node, the group or the one zone, or from the first of two to the other.
 */
export function sidesOf(
  subject: Subject,
  { zoneOf, groups }: NodePlaces,
): { readonly inner: IsIn; readonly outer: IsIn } {
  const any = () => true;
  const inZone = (zone: number) => (node: number) => zoneOf[node] === zone;
  const inGroup = (group: number) => {
    const { has } = groups[group] ?? {};
    return (node: number) => has?.[node] === 1;
  };
  switch (subject.type) {
    case 'cluster':
      return { inner: any, outer: any };
    case 'node':
      return { inner: (node) => node === subject.node, outer: any };
    case 'pair':
      return { inner: (node) => node === subject.to, outer: (node) => node === subject.from };
    case 'group':
      return { inner: inGroup(subject.group), outer: any };
    case 'groups':
      return { inner: inGroup(subject.other), outer: inGroup(subject.group) };
    case 'zones': {
      const { zone, other } = subject;
      if (other !== undefined) return { inner: inZone(other), outer: inZone(zone) };
      return { inner: inZone(zone), outer: (node) => zoneOf[node] !== zone };
    }
  }
}

/** The nodes that have what one subject alone has: all, those of the zone or the group, or the node. */
export function nodesAt(
  subject: Subject,
  { whole, zones, groups }: Pick<ClusterIndex, 'whole' | 'zones' | 'groups'>,
): readonly number[] {
  if (subject.type === 'cluster') return whole.members;
  if (subject.type === 'zones') return zones[subject.zone]?.members ?? [];
  return membersOf(subject, groups);
}

/** The zones that a subject names. */
export function zonesOf(subject: Subject): readonly number[] {
  if (subject.type !== 'zones') return [];
  return subject.other === undefined ? [subject.zone] : [subject.zone, subject.other];
}

/** The nodes that a subject names. */
export function nodesOf(subject: Subject): readonly number[] {
  if (subject.type === 'node') return [subject.node];
  return subject.type === 'pair' ? [subject.from, subject.to] : [];
}
