/** The zone of nodes that have no labels of Kubernetes. */
export const plainZoneLabel = 'zone';
/** The zone of nodes of Kubernetes. */
export const kubernetesZoneLabel = 'topology.kubernetes.io/zone';

/** Whether a label names the zone of a node, which every node source gives apart from its labels. */
export function isZoneLabel(label: string): boolean {
  return label === plainZoneLabel || label === kubernetesZoneLabel;
}
