import type { MissingSigns, PodNetwork } from '../host/host-monitor.js';
import { networkSources } from '../host/sources.js';
import type { EndpointHost } from '../model/endpoint-host.js';
import { networkNamespace } from '../platform/network-namespace.js';

/** What may be watched in the network of pods. */
const watched = networkSources({
  proc: '',
  sys: '',
  interfaces: () => new Map(),
}).flatMap(({ signs }) => signs);
const files = '/proc and /sys of the endpoint';

/**
 * What the endpoint of a node says of the pod network. An endpoint in the network of the agent itself has none of its own:
 * its signs are those of the host.
 * @param told what it told; undefined where it tells nothing
 */
export function podNetworkOf(
  seen: EndpointHost | undefined,
  ownNetwork = networkNamespace(),
): PodNetwork | undefined {
  if (!seen) {
    const because = 'the endpoint of this node tells nothing of the pod network';
    return { signs: [], missing: { signs: watched, files, because } };
  }
  const { network, signs, missing } = seen;
  if (network === undefined || network === ownNetwork) return undefined;
  const left: MissingSigns = {
    signs: missing,
    files,
    because: 'the pod network of this node does not show them',
  };
  return { signs, missing: missing.length > 0 ? left : undefined };
}
