import type { ClusterIndex } from './cluster-index.js';
import { labelText, type LabelGroup } from './node-groups.js';

/** The groups of one value of a label: also those that are told by a label before it, as they have the same nodes. */
export function groupsOf(
  label: string,
  { groups, singles }: Pick<ClusterIndex, 'groups' | 'singles'>,
): readonly number[] {
  const found: number[] = [];
  for (let group = 0; group < singles; group++) {
    const one = groups[group];
    if (one && valueIn(one, label) !== undefined) found.push(group);
  }
  return found;
}

/** The first label of which two groups are values, with both values; undefined if there is none. */
export function commonLabel(
  a: LabelGroup,
  b: LabelGroup,
  labels: readonly string[],
): { readonly label: string; readonly values: readonly [string, string] } | undefined {
  for (const label of labels) {
    const [first, second] = [valueIn(a, label), valueIn(b, label)];
    if (first !== undefined && second !== undefined) return { label, values: [first, second] };
  }
  return undefined;
}

/** The value of a label that just the nodes of a group have. */
export function valueIn(group: LabelGroup, label: string): string | undefined {
  if (group.label === label) return group.name;
  const start = labelText(label, '');
  return group.like.find((text) => text.startsWith(start))?.slice(start.length);
}
