import type { ClusterIndex } from './cluster-index.js';
import { labelText, noGroup, type LabelGroup } from './node-groups.js';

/** The groups of one value of a label: also those that are told by a label before it, as they have the same nodes. */
export function groupsOf(label: string, { groups, singles }: ClusterIndex): readonly number[] {
  const ofOneValue = groups.slice(0, singles);
  return [...ofOneValue.keys()].filter((at) => valueIn(groups[at] ?? noGroup, label) !== undefined);
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
function valueIn(group: LabelGroup, label: string): string | undefined {
  if (group.label === label) return group.name;
  const start = labelText(label, '');
  return group.like.find((text) => text.startsWith(start))?.slice(start.length);
}
