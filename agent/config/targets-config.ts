import type { NodeSourceConfig } from '../discovery/node-source-config.js';
import { defaultResolvConf } from '../targets/probers/resolv-conf.js';
import type { TargetsConfig } from '../targets/definition/targets-config.js';
import type { Environment } from './node-source-config.js';
import { requireSetting, type Values } from './values.js';

/** What the agent was told of its targets. Those of Kubernetes are for an agent in a pod. */
export function buildTargetsConfig(
  values: Values,
  nodeSource: NodeSourceConfig,
  { environment, serviceAccount }: Environment,
): TargetsConfig {
  const given = requireSetting(values, 'targets');
  const isInPod =
    nodeSource.kind === 'kubernetes' &&
    nodeSource.clusters.some(({ identity }) => identity.kind === 'service-account');
  return {
    kind: given !== 'none' && isInPod ? 'kubernetes' : 'none',
    inline: typeof given === 'string' ? [] : given,
    file: values['targets-file'],
    budgetPerSecond: requireSetting(values, 'target-budget'),
    pod: {
      environment,
      serviceAccount,
      clusterDns: values['cluster-dns'] ?? [],
      clusterDomain: values['cluster-domain'],
      resolvConf: defaultResolvConf,
    },
  };
}
