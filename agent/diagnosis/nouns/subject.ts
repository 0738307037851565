import type { ClusterIndex } from './cluster-index.js';
import { noGroup, type NodeGroup } from './node-groups.js';

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
        return groups[inner.group]?.members.every((node) => isAt(zoneOf[node])) === true;
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

/** Where nodes are. */
export type NodePlaces = Pick<ClusterIndex, 'zoneOf' | 'groups'>;

/** The nodes on one side of a subject's paths: those of a group, or all but those of one. */
export interface SideNodes {
  readonly isIn: (node: number) => boolean;
  readonly group: Pick<NodeGroup, 'members' | 'hashes'>;
  readonly without?: NodeGroup | undefined;
}

/**
 * The nodes on the two sides of a subject's paths. In the direction `in` these lead from the outer to the inner ones: to the
 * node, the group or the one zone, or from the first of two to the other.
 */
export function sidesOf(
  subject: Subject,
  { zoneOf, zones, groups, whole, hashes, masks }: ClusterIndex,
): { readonly inner: SideNodes; readonly outer: SideNodes } {
  const all: SideNodes = { isIn: () => true, group: whole };
  const zoneAt = (zone: number): SideNodes => ({
    isIn: (node) => zoneOf[node] === zone,
    group: zones[zone] ?? noGroup,
  });
  const groupAt = (group: number): SideNodes => {
    const found = groups[group] ?? noGroup;
    return { isIn: (node) => found.has[node] === 1, group: found };
  };
  const single = (one: number): SideNodes => {
    const hashesOn = (channel: number) =>
      ((masks[one] ?? 0) >> channel) & 1 ? [hashes[one] ?? 0] : [];
    return {
      isIn: (node) => node === one,
      group: { members: [one], hashes: [0, 1, 2, 3].map(hashesOn) },
    };
  };
  switch (subject.type) {
    case 'cluster':
      return { inner: all, outer: all };
    case 'node':
      return { inner: single(subject.node), outer: all };
    case 'pair':
      return { inner: single(subject.to), outer: single(subject.from) };
    case 'group':
      return { inner: groupAt(subject.group), outer: all };
    case 'groups':
      return { inner: groupAt(subject.other), outer: groupAt(subject.group) };
    case 'zones': {
      const { zone, other } = subject;
      if (other !== undefined) return { inner: zoneAt(other), outer: zoneAt(zone) };
      const isIn = (node: number) => zoneOf[node] !== zone;
      return { inner: zoneAt(zone), outer: { isIn, group: whole, without: zones[zone] } };
    }
  }
}

/** How many nodes there are on a side. */
export function sizeOfSide({ group, without }: SideNodes): number {
  return group.members.length - (without?.members.length ?? 0);
}

/** The nodes that have what one subject alone has: all, those of the zone or the group, or the node. */
export function nodesAt(subject: Subject, index: ClusterIndex): readonly number[] {
  // There may be thousands of nodes, and more would be made for each.
  return subject.type === 'node' ? [subject.node] : sidesOf(subject, index).inner.group.members;
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
