import { createSecureContext } from 'node:tls';
import type { ClusterConfig, NodeSourceConfig } from './node-source-config.js';
import { ConfigError, messageOf } from '../platform/errors.js';
import { createCiliumSource } from './cilium/cilium-source.js';
import { createFileSource } from './file-source.js';
import { createApiClient } from './kubernetes/api-client.js';
import { createKubeAccess, type KubeAccess, type KubeIdentity } from './kubernetes/kube-access.js';
import { KubernetesSource, type ListedNodes } from './kubernetes/kubernetes-source.js';
import { readLabelSelector } from './kubernetes/label-selector.js';
import { keepNodes } from './kept/keep-nodes.js';
import type { NodeSource } from './node-source.js';
import { readNodes } from './read-nodes.js';
import { mergeSources } from './merge-sources.js';
import type { ReportSourceState } from './source-state.js';

export interface CreateNodeSourceOptions {
  readonly nodeSource: NodeSourceConfig;
  readonly clusterName: string;
  /** The labels that nodes keep; left out, those of a nodes file. */
  readonly groupBy?: readonly string[] | undefined;
  /** The script that reads a nodes file on a thread of its own. */
  readonly nodesFileWorker: URL;
  /** Called with each state of each source. */
  readonly report: ReportSourceState;
  /** Where the last lists are kept; left out, they are not. */
  readonly keep: KeepOptions | undefined;
  /** Called with the nodes of this agent's own Kubernetes cluster as its API server shows them. */
  readonly onListedNodes?: ((listed: ListedNodes) => void) | undefined;
  /** Whether changes of those nodes come whole. */
  readonly watchesWhole?: boolean;
}

export interface KeepOptions {
  /** What the files are called that it makes: `/var/run/meshprobe/state/health.sock`. */
  readonly prefix: string;
  /** Called with what went wrong with a file, and with undefined once it works. */
  readonly onProblem: (file: string, reason: string | undefined) => void;
}

/** Builds the node source that the configuration asks for. */
export function createNodeSource(options: CreateNodeSourceOptions): NodeSource {
  const { nodeSource, clusterName, groupBy, nodesFileWorker, report } = options;
  const { onListedNodes, watchesWhole } = options;
  /** A nodes file is on this host anyway. */
  const kept = (cluster: string, create: (report: ReportSourceState) => NodeSource): NodeSource => {
    if (!options.keep) return create(report);
    const { prefix, onProblem } = options.keep;
    const path = `${prefix}.${cluster}.nodes`;
    return keepNodes({ path, report, create, onProblem: (reason) => onProblem(path, reason) });
  };
  switch (nodeSource.kind) {
    case 'file': {
      const { path } = nodeSource;
      const read = () => readNodes(nodesFileWorker, { path, clusterName, groupBy });
      return createFileSource({ path, read, report });
    }
    case 'cilium': {
      const { socketPath } = nodeSource;
      return kept(clusterName, (report) => createCiliumSource({ socketPath, clusterName, report }));
    }
    case 'kubernetes': {
      const sources = nodeSource.clusters.map((cluster) =>
        kept(cluster.name, (report) =>
          createKubernetesSource(cluster, nodeSource, {
            report,
            groupBy,
            ...(cluster.name === clusterName && { onListedNodes, watchesWhole }),
          }),
        ),
      );
      const [only] = sources;
      return only && sources.length === 1 ? only : mergeSources(sources);
    }
  }
}

type KubernetesConfig = Extract<NodeSourceConfig, { kind: 'kubernetes' }>;

function createKubernetesSource(
  { name: clusterName, identity }: ClusterConfig,
  { endpoints, excludeSelector }: KubernetesConfig,
  given: Pick<CreateNodeSourceOptions, 'report' | 'groupBy' | 'onListedNodes' | 'watchesWhole'>,
): KubernetesSource {
  const access = createKubeAccess(identity);
  const isDeselected =
    excludeSelector === undefined ? undefined : readLabelSelector(excludeSelector);
  return new KubernetesSource({
    clusterName,
    client: createApiClient(access),
    endpoints,
    ...(isDeselected ? { isDeselected } : {}),
    ...given,
    check: () => checkIdentity(access),
  });
}

/** @throws ConfigError where a kubeconfig makes no sense */
async function checkIdentity(access: KubeAccess): Promise<void> {
  await access.check().catch(refuseKubeconfig);
}

/**
 * Checks that a kubeconfig gives credentials. Its plugin is run; no server is asked. A service
 * account is not checked, because the kubelet may bring it later.
 * @throws ConfigError where it does not
 */
export async function checkCredentials(identity: KubeIdentity): Promise<void> {
  if (identity.kind === 'service-account') return;
  const access = createKubeAccess(identity);
  try {
    // Throws where a key does not belong to its certificate, or one of the two is none.
    createSecureContext((await access.forRequest()).tls);
  } catch (error) {
    refuseKubeconfig(error);
  } finally {
    access.close();
  }
}

function refuseKubeconfig(error: unknown): never {
  throw new ConfigError(`kubeconfig: ${messageOf(error)}`);
}
