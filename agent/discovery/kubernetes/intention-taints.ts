import { listOf, mappingOf, textOf } from '../object-fields.js';

/**
 * Taints by which an autoscaler, a cloud controller or a person says that the node goes away or is
 * switched off. `karpenter.sh/disruption` is the older name of `karpenter.sh/disrupted`.
 */
export const intentionTaints: ReadonlySet<string> = new Set([
  'ToBeDeletedByClusterAutoscaler',
  'karpenter.sh/disrupted',
  'karpenter.sh/disruption',
  'node.cloudprovider.kubernetes.io/shutdown',
  'node.kubernetes.io/out-of-service',
]);

/**
 * The first taint of a Node's `spec.taints` by which someone means the node to be away. Undefined
 * if there is none: `node.kubernetes.io/not-ready` and `unreachable` are symptoms.
 */
export function intentionTaintOf(taints: unknown): string | undefined {
  return listOf(taints)
    .map((taint) => textOf(mappingOf(taint)['key']))
    .find((key) => intentionTaints.has(key));
}
