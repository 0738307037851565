import { fileURLToPath } from 'node:url';
import { containerOf, startOf } from './container.js';
import { at, find, type Manifest } from './manifest.js';

/** The root folder of the repository. */
export const root = fileURLToPath(new URL('../../../../', import.meta.url));

/** The values of the pod's fields that the kubelet would insert. */
export const podFields = {
  'spec.nodeName': 'node1',
  'metadata.namespace': 'meshprobe',
  'status.hostIP': '198.51.100.1',
};

export const agentOf = (manifests: readonly Manifest[]) =>
  find(manifests, 'DaemonSet', 'meshprobe');

export const endpointOf = (manifests: readonly Manifest[]) =>
  find(manifests, 'DaemonSet', 'meshprobe-endpoint');

/** The environment of the agent, as the kubelet makes it. */
export function agentEnvironment(manifests: readonly Manifest[]): Readonly<Record<string, string>> {
  return startOf(agentOf(manifests), manifests, podFields).env;
}

/** All ports in rendered manifests, by their use. */
export function portsOf(manifests: readonly Manifest[]) {
  const agent = containerOf(agentOf(manifests));
  const endpoint = startOf(endpointOf(manifests), manifests, podFields);
  const env = agentEnvironment(manifests);
  const services = manifests.filter(({ kind }) => kind === 'Service');
  const portsOfService = (isMetrics: boolean) =>
    services
      .filter(({ metadata }) => metadata.name.endsWith('-metrics') === isMetrics)
      .flatMap(({ spec }) => [at(spec, 'ports.0.port'), at(spec, 'ports.0.targetPort')]);
  return {
    probe: new Set([
      Number(env['MESHPROBE_PROBE_PORT']),
      Number(/--probe-port=(\d+)/.exec(endpoint.command.join(' '))?.[1]),
      Number(endpoint.env['MESHPROBE_PROBE_PORT']),
      namedPort(agent, 'probe'),
      at(containerOf(endpointOf(manifests)), 'ports.0.containerPort'),
      ...manifests
        .filter(({ apiVersion }) => apiVersion === 'networking.k8s.io/v1')
        .map((policy) => at(policy, 'spec.ingress.0.ports.0.port')),
      ...portsOfService(false),
    ]),
    health: new Set([
      portIn(env['MESHPROBE_HEALTH_LISTEN']),
      namedPort(agent, 'health'),
      ...['startupProbe', 'livenessProbe', 'readinessProbe'].map((probe) =>
        at(agent, `${probe}.httpGet.port`),
      ),
    ]),
    api: new Set([portIn(env['MESHPROBE_API_LISTEN']), namedPort(agent, 'api')]),
    metrics: new Set([
      ...('MESHPROBE_METRICS_LISTEN' in env ? [portIn(env['MESHPROBE_METRICS_LISTEN'])] : []),
      ...(namedPort(agent, 'metrics') === undefined ? [] : [namedPort(agent, 'metrics')]),
      ...portsOfService(true),
    ]),
  };
}

function namedPort(container: Record<string, unknown>, name: string): unknown {
  const ports = container['ports'] as { name: string; containerPort: number }[];
  return ports.find((port) => port.name === name)?.containerPort;
}

function portIn(listenAddress: string | undefined): number {
  return Number(listenAddress?.split(':').at(-1));
}
