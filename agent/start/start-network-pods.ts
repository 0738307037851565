import type { Logger } from 'pino';
import type { Config } from '../config/config.js';
import { createApiClient } from '../discovery/kubernetes/api-client.js';
import { createKubeAccess } from '../discovery/kubernetes/kube-access.js';
import type { HostMonitor } from '../host/host-monitor.js';
import { NetworkPods } from '../network-pods/network-pods.js';
import { systemClock } from '../platform/clock.js';
import type { Problems } from '../platform/problems.js';
import type { Stops } from './stops.js';

export interface StartNetworkPodsOptions {
  readonly config: Pick<Config, 'networkPods' | 'localName' | 'clusterName'>;
  readonly logger: Logger;
  readonly problems: Problems;
  /** What tells of changes of this host. */
  readonly host: HostMonitor | undefined;
}

/** Starts to watch the pods of kube-proxy and the network plugin on this node, where that is asked for. */
export function startNetworkPods(
  { config, logger, problems, host }: StartNetworkPodsOptions,
  stops: Stops,
): void {
  const { networkPods, localName, clusterName } = config;
  if (!networkPods || !host) return;
  const pods = new NetworkPods({
    client: createApiClient(createKubeAccess(networkPods.identity)),
    namespaces: networkPods.namespaces,
    nodeName: localName.slice(clusterName.length + 1),
    clock: systemClock,
    logger,
    problems,
    onChange: (change) => host.noteChange(change),
  });
  stops.add(() => pods.stop());
}
