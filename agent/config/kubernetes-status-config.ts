import type { KubeIdentity } from '../discovery/kubernetes/kube-access.js';
import type { NodeSourceConfig } from '../discovery/node-source-config.js';
import { ConfigError } from '../platform/errors.js';
import { ownIdentity } from './own-identity.js';
import type { Values } from './values.js';

/** What is written onto the nodes of the agent's own cluster, and as whom. */
export interface KubernetesStatusConfig {
  readonly identity: KubeIdentity;
  readonly conditions: boolean;
  readonly events: boolean;
}

/** @throws ConfigError where there is no Kubernetes to write to, or no mesh to tell what is true */
export function buildKubernetesStatusConfig(
  values: Values,
  nodeSource: NodeSourceConfig,
  clusterName: string,
): KubernetesStatusConfig | undefined {
  const conditions = values['kubernetes-conditions'] === true;
  const events = values['kubernetes-events'] === true;
  if (!conditions && !events) return undefined;
  const name = conditions ? 'kubernetes-conditions' : 'kubernetes-events';
  const identity = ownIdentity(name, nodeSource, clusterName);
  if (values.mesh === 'off') {
    throw new ConfigError(`${name}: expected it with mesh on, got it with mesh off`);
  }
  return Object.freeze({ identity, conditions, events });
}
