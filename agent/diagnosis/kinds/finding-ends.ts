import type { ClusterIndex } from '../nouns/cluster-index.js';
import type { Finding } from '../nouns/finding.js';
import { groupText, type LabelGroup } from '../nouns/node-groups.js';

/** The nodes that a finding names, or those of its group. Of one about zones or the cluster nobody knows which host matters. */
export function endsOf(finding: Finding, index: ClusterIndex): readonly string[] {
  const { node, pair, group } = finding;
  if (!group) return pair ?? (node === undefined ? [] : [node]);
  return (groupOf(group, index)?.members ?? []).map((member) => index.nodes[member]?.name ?? '');
}

/** Whether a finding names a node, or it is one of its group. */
export function isAtEnd(finding: Finding, node: string, index: ClusterIndex): boolean {
  const { group } = finding;
  if (!group) return endsOf(finding, index).includes(node);
  return groupOf(group, index)?.has[index.numberOf.get(node) ?? -1] === 1;
}

/** The group that a finding tells of; undefined where the nodes of now have no such group. */
function groupOf(
  { label, value: name, and }: NonNullable<Finding['group']>,
  { groups, groupNumberOf }: ClusterIndex,
): LabelGroup | undefined {
  const second = and && { and: { label: and.label, name: and.value } };
  return groups[groupNumberOf.get(groupText({ label, name, ...second })) ?? -1];
}
