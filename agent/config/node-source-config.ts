import { existsSync, readFileSync } from 'node:fs';
import { isIPv6 } from 'node:net';
import { join } from 'node:path';
import type { KubeIdentity } from '../discovery/kubernetes/kube-access.js';
import type { EndpointSource } from '../discovery/kubernetes/kubernetes-source.js';
import { ConfigError } from '../platform/errors.js';
import { quote } from '../platform/format-value.js';
import { needed, type Values } from './values.js';

/** One Kubernetes cluster and how to reach it. */
export interface ClusterConfig {
  readonly name: string;
  readonly identity: KubeIdentity;
}

/** Where the nodes come from, and all that this source needs. */
export type NodeSourceConfig =
  | { readonly kind: 'file'; readonly path: string }
  | {
      readonly kind: 'kubernetes';
      readonly clusters: readonly ClusterConfig[];
      readonly endpoints: EndpointSource;
      readonly excludeSelector: string | undefined;
    }
  | { readonly kind: 'cilium'; readonly socketPath: string };

/** What the surroundings tell. */
export interface Surroundings {
  readonly environment: NodeJS.ProcessEnv;
  /** The folder in which a pod finds its own identity. */
  readonly serviceAccount: string;
}

/** @throws ConfigError where a source lacks what it needs, or is given what it has no use for */
export function arrangeNodeSource(
  values: Values,
  clusterName: string,
  { environment, serviceAccount }: Surroundings,
): NodeSourceConfig {
  const isInPod =
    Boolean(environment['KUBERNETES_SERVICE_HOST']) && existsSync(join(serviceAccount, 'token'));
  const byDefault = isInPod && values['nodes-file'] === undefined ? 'kubernetes' : 'file';
  const kind = values['node-source'] ?? byDefault;
  if (values.cluster && kind !== 'kubernetes') {
    throw new ConfigError(`cluster: expected it with node-source kubernetes, got it with ${kind}`);
  }
  switch (kind) {
    case 'file':
      return { kind, path: needed(values, 'nodes-file') };
    case 'cilium':
      return { kind, socketPath: needed(values, 'cilium-socket') };
    case 'kubernetes': {
      const own: ClusterConfig = { name: clusterName, identity: identify() };
      return {
        kind,
        clusters: listClusters(values, own, isInPod),
        endpoints: arrangeEndpoints(values, serviceAccount),
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
    // kubectl, too, takes an empty variable for none.
    const fromVariable = environment['KUBECONFIG'] === '' ? undefined : environment['KUBECONFIG'];
    return { kind: 'kubeconfig', paths: given ?? fromVariable ?? standard };
  }
}

function serverOf({
  KUBERNETES_SERVICE_HOST: host = '',
  KUBERNETES_SERVICE_PORT: port = '443',
}: NodeJS.ProcessEnv): string {
  return `https://${isIPv6(host) ? `[${host}]` : host}:${port}`;
}

/** The own cluster, and those named beside it; outside of a cluster these may stand alone. */
function listClusters(values: Values, own: ClusterConfig, isInPod: boolean): ClusterConfig[] {
  const further = (values.cluster ?? []).map(({ name, kubeconfig }): ClusterConfig => {
    return { name, identity: { kind: 'kubeconfig', paths: kubeconfig } };
  });
  const hasOwn = isInPod || values.kubeconfig !== undefined || further.length === 0;
  if (hasOwn && further.some(({ name }) => name === own.name)) {
    throw new ConfigError(
      `cluster: expected names other than the own cluster's (cluster-name), got ${quote(own.name)}`,
    );
  }
  return hasOwn ? [own, ...further] : further;
}

function arrangeEndpoints(values: Values, serviceAccount: string): EndpointSource {
  if (values['enable-endpoint-health-checking'] === false) return { kind: 'none' };
  if (values['endpoint-source'] === 'ciliumnodes') return { kind: 'ciliumnodes' };
  const namespace = values['endpoint-namespace'] ?? ownNamespace(serviceAccount) ?? 'default';
  return { kind: 'pods', namespace, selector: needed(values, 'endpoint-selector') };
}

function ownNamespace(serviceAccount: string): string | undefined {
  try {
    return readFileSync(join(serviceAccount, 'namespace'), 'utf8').trim() || undefined;
  } catch {
    return undefined;
  }
}
