import { kubernetesZoneLabel } from '../../../api/schema/v1/zone-label.js';
import { mappingOf, textOf } from '../object-fields.js';
import type { Labels } from './label-selector.js';
import { nodeLabels } from './node-labels.js';

/** What a kubelet says of its host in `status.nodeInfo`, by the names that stand for it among the labels. */
const nodeInfoFields: Readonly<Record<string, string>> = {
  kernel: 'kernelVersion',
  os: 'osImage',
  kubelet: 'kubeletVersion',
  runtime: 'containerRuntimeVersion',
};

/** The name that stands for the roles of a node. */
const roleLabel = 'role';

/** The labels by which nodes of Kubernetes are grouped where no setting names them. */
export const defaultGroupLabels: readonly string[] = [
  kubernetesZoneLabel,
  nodeLabels.region,
  'node.kubernetes.io/instance-type',
  ...Object.keys(nodeInfoFields),
  roleLabel,
];

/**
 * The value of a label of a Node by which nodes are grouped: that of the label itself, or what stands for it:
 * the kubelet's account of its host, and the roles as kubectl shows them, `none` where there are none.
 */
export function groupValueOf(label: string, labels: Labels, status: unknown): string | undefined {
  if (Object.hasOwn(labels, label)) return textOf(labels[label]);
  if (label === roleLabel) return rolesOf(labels);
  const field = Object.hasOwn(nodeInfoFields, label) ? nodeInfoFields[label] : undefined;
  return field === undefined ? undefined : textOf(mappingOf(mappingOf(status)['nodeInfo'])[field]);
}

const rolePrefix = 'node-role.kubernetes.io/';

function rolesOf(labels: Labels): string {
  const roles = Object.keys(labels)
    .filter((label) => label.startsWith(rolePrefix) && label !== rolePrefix)
    .map((label) => label.slice(rolePrefix.length))
    .sort();
  return roles.length === 0 ? 'none' : roles.join(',');
}
