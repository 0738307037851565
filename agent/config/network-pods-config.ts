import type { KubeIdentity } from '../discovery/kubernetes/kube-access.js';
import type { NodeSourceConfig } from '../discovery/node-source-config.js';
import { ConfigError } from '../platform/errors.js';
import { ownIdentity } from './own-identity.js';
import type { Values } from './values.js';

/** Where the pods of kube-proxy and the network plugin are, and as whom they are watched. */
export interface NetworkPodsConfig {
  readonly identity: KubeIdentity;
  readonly namespaces: readonly string[];
}

const name = 'network-pods';

/** @throws ConfigError where there is no Kubernetes to ask, or nothing that would tell of changes */
export function buildNetworkPodsConfig(
  values: Values,
  nodeSource: NodeSourceConfig,
  clusterName: string,
): NetworkPodsConfig | undefined {
  const namespaces = values[name];
  if (!namespaces) return undefined;
  const identity = ownIdentity(name, nodeSource, clusterName);
  if (values['host-signs'] === 'off') {
    throw new ConfigError(`${name}: expected it with host-signs on, got it with host-signs off`);
  }
  return Object.freeze({ identity, namespaces: Object.freeze(namespaces) });
}
