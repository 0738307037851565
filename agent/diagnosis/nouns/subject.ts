import type { ClusterIndex } from './cluster-index.js';
import { noGroup, type LabelGroup, type NodeGroup } from './node-groups.js';

/** What a cause is about. Nodes, zones and groups are numbers of the cluster index. */
export type Subject =
  | { readonly type: 'cluster' }
  | Cut
  /** All paths of each node of a group, within the group too. */
  | { readonly type: 'group'; readonly group: number }
  | { readonly type: 'node'; readonly node: number }
  | { readonly type: 'pair'; readonly from: number; readonly to: number };

/** The paths between two zones or two groups of one label, or between one and all others. */
export interface Cut {
  /** The list of the cluster index whose numbers these are. */
  readonly type: 'zones' | 'groups';
  readonly group: number;
  /** Undefined: all others. */
  readonly other: number | undefined;
}

/** A text that is the same for the same subject. The order of two nodes or zones does not count. */
export function subjectKey(subject: Subject): string {
  switch (subject.type) {
    case 'cluster':
      return 'cluster';
    case 'zones':
    case 'groups': {
      const { type, group, other = -1 } = subject;
      return `${type} ${Math.min(group, other)} ${Math.max(group, other)}`;
    }
    case 'group':
      return `group ${subject.group}`;
    case 'node':
      return `node ${subject.node}`;
    case 'pair':
      return `pair ${Math.min(subject.from, subject.to)} ${Math.max(subject.from, subject.to)}`;
  }
}

/** Whether all paths of one subject are among those of another one, or most of them. */
export function isWithin(inner: Subject, outer: Subject, index: ClusterIndex): boolean {
  switch (outer.type) {
    case 'cluster':
      return true;
    case 'group': {
      const { has } = index.groups[outer.group] ?? noGroup;
      const isIn = (group: number | undefined) =>
        index.groups[group ?? -1]?.members.every((node) => has[node] === 1) === true;
      if (inner.type === 'group') return isIn(inner.group);
      if (inner.type === 'groups') return isIn(inner.group) || isIn(inner.other);
      return nodesOf(inner).some((node) => has[node] === 1);
    }
    case 'zones':
    case 'groups':
      return isWithinCut(inner, outer, index);
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

function isWithinCut(inner: Subject, outer: Cut, index: ClusterIndex): boolean {
  const [first, second] = bothGroups(outer, index);
  const isFirst = (node: number) => first.has[node] === 1;
  const isSecond = (node: number) => (second ? second.has[node] === 1 : !isFirst(node));
  const isAt = (node: number) => isFirst(node) || second?.has[node] === 1;
  if (inner.type === 'node') return isAt(inner.node);
  const isBetween = (from: readonly number[], to: readonly number[]) =>
    (from.every(isFirst) && to.every(isSecond)) || (from.every(isSecond) && to.every(isFirst));
  if (inner.type === 'pair') return isBetween([inner.from], [inner.to]);
  if (outer.type === 'groups' || inner.type === 'cluster') return isSame(inner, outer);
  if (inner.type === 'group') return index.groups[inner.group]?.members.every(isAt) === true;
  const [from, to] = bothGroups(inner, index);
  return to ? isBetween(from.members, to.members) : isSame(inner, outer);
}

/** The two groups of a cut; the second is undefined where that is all others. */
export function bothGroups({ type, group, other }: Cut, index: ClusterIndex) {
  const at = (number: number): LabelGroup => index[type][number] ?? noGroup;
  return [at(group), other === undefined ? undefined : at(other)] as const;
}

/** The nodes on one side of a subject's paths: those of a group, or all but those of one. */
export interface SideNodes {
  readonly isIn: (node: number) => boolean;
  readonly group: NodeGroup;
  readonly without?: NodeGroup;
}

/** All nodes. */
export function allNodes({ whole }: Pick<ClusterIndex, 'whole'>): SideNodes {
  return { isIn: () => true, group: whole };
}

/**
 * The nodes on the two sides of a subject's paths. In the direction `in` these lead from the outer to the inner ones: to the
 * node, the group or the one zone, or from the first of two to the other.
 */
export function sidesOf(
  subject: Subject,
  index: ClusterIndex,
): { readonly inner: SideNodes; readonly outer: SideNodes } {
  const { groups, whole, hashes, masks } = index;
  const all = allNodes(index);
  const sideOf = (group: LabelGroup): SideNodes => {
    const { has } = group;
    return { isIn: (node) => has[node] === 1, group };
  };
  const single = (one: number): SideNodes => {
    const own = Float64Array.of(hashes[one] ?? 0);
    const hashesOn = (channel: number) => (((masks[one] ?? 0) >> channel) & 1 ? own : noHashes);
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
      return { inner: sideOf(groups[subject.group] ?? noGroup), outer: all };
    case 'zones':
    case 'groups': {
      const [first, second] = bothGroups(subject, index);
      if (second) return { inner: sideOf(second), outer: sideOf(first) };
      const { has } = first;
      const isIn = (node: number) => has[node] !== 1;
      return { inner: sideOf(first), outer: { isIn, group: whole, without: first } };
    }
  }
}

const noHashes = new Float64Array();

/** How many nodes there are on a side. */
export function sizeOfSide({ group, without }: SideNodes): number {
  return group.members.length - (without?.members.length ?? 0);
}

/** The nodes that have what one subject alone has: all, those of the zone or the group, or the node. */
export function nodesAt(subject: Subject, index: ClusterIndex): readonly number[] {
  // There may be thousands of nodes, and more would be made for each.
  return subject.type === 'node' ? [subject.node] : sidesOf(subject, index).inner.group.members;
}

/** The nodes that a subject names. */
export function nodesOf(subject: Subject): readonly number[] {
  if (subject.type === 'node') return [subject.node];
  return subject.type === 'pair' ? [subject.from, subject.to] : [];
}
