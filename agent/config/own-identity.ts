import type { KubeIdentity } from '../discovery/kubernetes/kube-access.js';
import type { NodeSourceConfig } from '../discovery/node-source-config.js';
import { ConfigError } from '../platform/errors.js';
import { formatValue } from '../platform/format-value.js';

/**
 * How the API server of the agent's own cluster is reached, for a setting that needs it.
 * @throws ConfigError where there is none
 */
export function ownIdentity(
  setting: string,
  nodeSource: NodeSourceConfig,
  clusterName: string,
): KubeIdentity {
  if (nodeSource.kind !== 'kubernetes') {
    throw new ConfigError(
      `${setting}: expected it with node-source kubernetes, got it with ${nodeSource.kind}`,
    );
  }
  const own = nodeSource.clusters.find((cluster) => cluster.name === clusterName);
  if (own) return own.identity;
  throw new ConfigError(
    `${setting}: expected the API server of this agent's own cluster ${formatValue(clusterName)} (kubeconfig), got those of other clusters alone`,
  );
}
