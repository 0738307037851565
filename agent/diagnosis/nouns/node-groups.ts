import { isZoneLabel } from '../../../api/schema/v1/zone-label.js';
import { labelOf } from '../../model/node-labels.js';
import type { DiagnosisNode } from './diagnosis-node.js';
import { getOrInsert } from './get-or-insert.js';

/** Some nodes. */
export interface NodeGroup {
  /** Their numbers, ascending. */
  readonly members: readonly number[];
  /** For each channel the hashes of those that have it, ascending. */
  readonly hashes: readonly Float64Array[];
}

/** By the number of a node, its hash and its channels. */
export interface NodesByNumber {
  readonly hashes: Float64Array;
  readonly masks: Uint8Array;
}

/** Nodes that are looked at together, because the same may be wrong with all of them. A zone is one. */
export interface LabelGroup extends NodeGroup {
  readonly label: string;
  /** The value that they share. */
  readonly name: string;
  /** The second label and value that they share, where it is a pair of values. */
  readonly and?: { readonly label: string; readonly name: string };
  /** Whether a node is one of them, by its number: 1 or 0. */
  readonly has: Uint8Array;
  /** Other labels with the very same nodes, as `label=value`. */
  readonly like: readonly string[];
}

/** In the place of a group that there is not. */
export const noGroup: LabelGroup = {
  name: '',
  label: '',
  like: [],
  members: [],
  hashes: [],
  has: new Uint8Array(),
};

/** A label with more values than this tells nodes apart, and groups none. */
export const mostGroups = 1000;

/** The numbers of nodes by a value, given something of each node; those without a value are in no group. */
export function groupBy<T, Value>(
  ofNodes: ArrayLike<T>,
  valueOf: (ofNode: T, node: number) => Value | undefined,
): ReadonlyMap<Value, readonly number[]> {
  const groups = new Map<Value, number[]>();
  for (let node = 0; node < ofNodes.length; node++) {
    const value = valueOf(ofNodes[node] as T, node);
    if (value !== undefined) getOrInsert(groups, value, () => []).push(node);
  }
  return groups;
}

/**
 * The groups of all labels that may share a cause: a group of one is its node, and one of all nodes is the cluster. Of
 * several with the same nodes only that of the first label is one, and names the others. It yields after each label.
 */
export function* labelGroups(
  nodes: readonly DiagnosisNode[],
  labels: readonly string[],
  byNumber: NodesByNumber,
): Generator<undefined, readonly LabelGroup[]> {
  const found = new Map<string, ReturnType<typeof labelGroup>>();
  for (const label of labels) {
    const groups = groupBy(nodes, (node) => labelOf(node, label));
    yield;
    if (groups.size > mostGroups) continue;
    for (const [name, members] of groups) {
      if (members.length < 2 || members.length === nodes.length) continue;
      const key = members.join();
      const same = found.get(key);
      if (same) {
        same.like.push(labelText(label, name));
        continue;
      }
      found.set(key, labelGroup({ label, name }, members, byNumber));
    }
    yield;
  }
  return [...found.values()];
}

/** A group. There may be thousands, and few are ever asked which nodes they have. */
export function labelGroup(
  shared: Pick<LabelGroup, 'label' | 'name' | 'and'>,
  members: readonly number[],
  { hashes, masks }: NodesByNumber,
) {
  let has: Uint8Array | undefined;
  let ofChannels: NodeGroup['hashes'] | undefined;
  const hashesOn = (channel: number) => {
    const nodes = members.filter((node) => ((masks[node] ?? 0) >> channel) & 1);
    return Float64Array.from(nodes, (node) => hashes[node] ?? 0).sort();
  };
  return {
    ...shared,
    members,
    like: [] as string[],
    get has() {
      if (has) return has;
      has = new Uint8Array(masks.length);
      for (const member of members) has[member] = 1;
      return has;
    },
    get hashes() {
      return (ofChannels ??= [0, 1, 2, 3].map(hashesOn));
    },
  };
}

/** What the nodes of a group have in common: `rack=r3`, `zone=a,rack=r3`. A comma in a value would make one look like two. */
export function groupText({
  label,
  name,
  and,
}: Pick<LabelGroup, 'label' | 'name' | 'and'>): string {
  const texts = [labelText(label, name), ...(and ? [labelText(and.label, and.name)] : [])];
  return texts.map((text) => text.replace(/[%,]/g, encodeURIComponent)).join(',');
}

/** A label with its value: `rack=r3`. */
export function labelText(label: string, value: string): string {
  return `${isZoneLabel(label) ? 'zone' : label}=${value}`;
}

/** Fewer nodes than this are told as nodes, or by what one label says. */
const leastMembers = 3;
/** The pairs of values that are looked at. With many labels of many values there are far more, each of a few nodes. */
const mostPairs = 2000;

/**
 * The groups of the nodes that have two values in common, of two labels: where all nodes of neither are meant. One that has the
 * very same nodes as one of both, or as another pair, is none. It yields after each two labels.
 * @param groups those of one value, in the order of their labels
 */
export function* valuePairs(
  groups: readonly LabelGroup[],
  byNumber: NodesByNumber,
): Generator<undefined, readonly LabelGroup[]> {
  const size = byNumber.masks.length;
  /** For each label, by node: the number of its group. */
  const groupAt = new Map<string, Int32Array>();
  for (const [number, { label, members }] of groups.entries()) {
    const at = getOrInsert(groupAt, label, () => new Int32Array(size).fill(-1));
    for (const node of members) at[node] = number;
  }
  const byLabel = [...groupAt.values()];
  const found = new Map<string, ReturnType<typeof labelGroup>>();
  for (const [rank, first] of byLabel.entries()) {
    for (const second of byLabel.slice(rank + 1)) {
      yield;
      const keyOf = (a: number, node: number) => {
        const b = second[node] ?? -1;
        return a === -1 || b === -1 ? undefined : a * groups.length + b;
      };
      for (const [key, members] of groupBy(first, keyOf)) {
        if (found.size >= mostPairs) return [...found.values()];
        const [a, b] = [groups[Math.floor(key / groups.length)], groups[key % groups.length]];
        const isOne = members.length === a?.members.length || members.length === b?.members.length;
        if (!a || !b || isOne || members.length < leastMembers) continue;
        const pair = { label: a.label, name: a.name, and: { label: b.label, name: b.name } };
        const text = members.join();
        const same = found.get(text);
        const group = same ?? labelGroup(pair, members, byNumber);
        group.like.push(...(same ? [groupText(pair)] : []), ...likePairs(a, b));
        found.set(text, group);
      }
    }
  }
  return [...found.values()];
}

/** The same nodes by the other labels that say the same as one of two. */
function likePairs(a: LabelGroup, b: LabelGroup): string[] {
  return [
    ...a.like.map((text) => `${text},${groupText(b)}`),
    ...b.like.map((text) => `${groupText(a)},${text}`),
  ];
}
