import { groupText, labelGroup, type LabelGroup, type NodesByNumber } from './node-groups.js';
import { getOrInsert } from './get-or-insert.js';

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
  const labels = [...new Set(groups.map(({ label }) => label))];
  const groupAt = new Map<string, Int32Array>();
  for (const label of labels) groupAt.set(label, new Int32Array(size).fill(-1));
  for (const [number, { label, members }] of groups.entries()) {
    const at = groupAt.get(label);
    if (at) for (const node of members) at[node] = number;
  }
  const found = new Map<string, ReturnType<typeof labelGroup>>();
  for (const [rank, label] of labels.entries()) {
    for (const other of labels.slice(rank + 1)) {
      yield;
      for (const [key, members] of byTwo(groupAt.get(label), groupAt.get(other), groups.length)) {
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

/** The nodes by the groups that they are in, of each of two labels. */
function byTwo(
  first: ArrayLike<number> = [],
  second: ArrayLike<number> = [],
  groups: number,
): ReadonlyMap<number, readonly number[]> {
  const nodes = new Map<number, number[]>();
  for (let node = 0; node < first.length; node++) {
    const [a, b] = [first[node] ?? -1, second[node] ?? -1];
    if (a === -1 || b === -1) continue;
    getOrInsert(nodes, a * groups + b, () => []).push(node);
  }
  return nodes;
}
