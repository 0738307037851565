import { existsSync, readFileSync } from 'node:fs';
import { hostAndPort } from '../model/host-and-port.js';
import { join } from 'node:path';
import type { KubeIdentity } from '../discovery/kubernetes/kube-access.js';
import type { EndpointSource } from '../discovery/kubernetes/kubernetes-source.js';
import type { ClusterConfig, NodeSourceConfig } from '../discovery/node-source-config.js';
import { ConfigError } from '../platform/errors.js';
import { formatValue } from '../platform/format-value.js';
import { requireSetting, type Values } from './values.js';

/** The environment of the agent: its variables and its pod's identity. */
export interface Environment {
  readonly environment: NodeJS.ProcessEnv;
  /** The folder in which a pod finds its own identity. */
  readonly serviceAccount: string;
}

/** @throws ConfigError where a source lacks what it needs, or is given what it has no use for */
export function buildNodeSourceConfig(
  values: Values,
  clusterName: string,
  { environment, serviceAccount }: Environment,
): NodeSourceConfig {
  const isInPod =
    Boolean(environment['KUBERNETES_SERVICE_HOST']) && existsSync(join(serviceAccount, 'token'));
  const byDefault = isInPod && values['nodes-file'] === undefined ? 'kubernetes' : 'file';
  const kind = values['node-source'] ?? byDefault;
  if (values.cluster && kind !== 'kubernetes') {
    throw new ConfigError(`cluster: expected it with node-source kubernetes, got it with ${kind}`);
  }
  refuseIdleContext(values, kind, isInPod);
  switch (kind) {
    case 'file':
      return { kind, path: requireSetting(values, 'nodes-file') };
    case 'cilium':
      return { kind, socketPath: requireSetting(values, 'cilium-socket') };
    case 'kubernetes': {
      const own: ClusterConfig = { name: clusterName, identity: identify() };
      return {
        kind,
        clusters: buildClusters(values, own, isInPod, environment),
        endpoints: buildEndpointSource(values, serviceAccount),
        excludeSelector: values['exclude-selector'],
      };
    }
  }

  function identify(): KubeIdentity {
    const given = values.kubeconfig;
    if (given === undefined && isInPod) {
      return { kind: 'service-account', folder: serviceAccount, server: serverOf(environment) };
    }
    const standard = join(environment['HOME'] ?? '/', '.kube', 'config');
    // An empty variable counts as none, as for kubectl.
    const fromVariable = environment['KUBECONFIG'] === '' ? undefined : environment['KUBECONFIG'];
    const paths = given ?? fromVariable ?? standard;
    return { kind: 'kubeconfig', paths, context: values.context, environment };
  }
}

function serverOf({
  KUBERNETES_SERVICE_HOST: host = '',
  KUBERNETES_SERVICE_PORT: port = '443',
}: NodeJS.ProcessEnv): string {
  return `https://${hostAndPort(host, port)}`;
}

/** A context that is never used would mislead the user. */
function refuseIdleContext(values: Values, kind: string, isInPod: boolean): void {
  if (values.context === undefined) return;
  if (kind !== 'kubernetes') {
    throw new ConfigError(`context: expected it with node-source kubernetes, got it with ${kind}`);
  }
  if (isInPod && values.kubeconfig === undefined) {
    throw new ConfigError(
      'context: expected it with a kubeconfig, got it with the service account of a pod',
    );
  }
}

/**
 * The own cluster and the others that are named. Outside of a cluster the others may stand alone.
 */
function buildClusters(
  values: Values,
  own: ClusterConfig,
  isInPod: boolean,
  environment: NodeJS.ProcessEnv,
): ClusterConfig[] {
  const further = (values.cluster ?? []).map(({ name, kubeconfig }): ClusterConfig => {
    return { name, identity: { kind: 'kubeconfig', paths: kubeconfig, environment } };
  });
  const isNamed = values.kubeconfig !== undefined || values.context !== undefined;
  const hasOwn = isInPod || isNamed || further.length === 0;
  if (hasOwn && further.some(({ name }) => name === own.name)) {
    throw new ConfigError(
      `cluster: expected another name than that of this agent's cluster (cluster-name), got ${formatValue(own.name)}`,
    );
  }
  return hasOwn ? [own, ...further] : further;
}

function buildEndpointSource(values: Values, serviceAccount: string): EndpointSource {
  if (values['enable-endpoint-health-checking'] === false) return { kind: 'none' };
  if (values['endpoint-source'] === 'ciliumnodes') return { kind: 'ciliumnodes' };
  const namespace = values['endpoint-namespace'] ?? ownNamespace(serviceAccount) ?? 'default';
  return { kind: 'pods', namespace, selector: requireSetting(values, 'endpoint-selector') };
}

function ownNamespace(serviceAccount: string): string | undefined {
  try {
    return readFileSync(join(serviceAccount, 'namespace'), 'utf8').trim() || undefined;
  } catch {
    return undefined;
  }
}
