import { addressesOf, listOf, mappingOf, nodeNameOf } from '../object-fields.js';

/** The health endpoint's addresses of one node. */
export interface ProjectedEndpoint {
  readonly node: string;
  readonly addresses: readonly string[];
}

/** A pod of the endpoint DaemonSet; one without address or node, or on its way out, is nothing. */
export function projectPod(object: unknown): ProjectedEndpoint | undefined {
  const { metadata, spec, status } = mappingOf(object);
  const { phase, podIP, podIPs } = mappingOf(status);
  const isGoing = mappingOf(metadata)['deletionTimestamp'] !== undefined;
  if (isGoing || phase === 'Succeeded' || phase === 'Failed') return undefined;
  // The host's own addresses are no endpoint on the pod network.
  if (mappingOf(spec)['hostNetwork'] === true) return undefined;
  const listed = listOf(podIPs).map((entry) => mappingOf(entry)['ip']);
  return endpointOn(mappingOf(spec)['nodeName'], [...listed, podIP]);
}

/** A CiliumNode, named as its node, with Cilium's own health endpoint. */
export function projectCiliumNode(object: unknown): ProjectedEndpoint | undefined {
  const { metadata, spec } = mappingOf(object);
  const { ipv4, ipv6 } = mappingOf(mappingOf(spec)['health']);
  return endpointOn(mappingOf(metadata)['name'], [ipv4, ipv6]);
}

function endpointOn(nodeName: unknown, values: readonly unknown[]): ProjectedEndpoint | undefined {
  const node = nodeNameOf(nodeName);
  const addresses = addressesOf(values);
  return node === undefined || addresses.length === 0 ? undefined : { node, addresses };
}
