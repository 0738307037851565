import type { PluginArguments } from './arguments.js';
import type { Kubectl } from './kubectl.js';
import { NoAgent } from './no-agent.js';

/** An agent that can be asked. */
export interface Agent {
  readonly namespace: string;
  readonly pod: string;
}

interface DaemonSet {
  readonly metadata: { readonly namespace: string };
}

interface Pod {
  readonly metadata: { readonly name: string; readonly deletionTimestamp?: string };
  readonly status?: {
    readonly phase?: string;
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
  };
}

const labelSelector = 'app.kubernetes.io/name=meshprobe,app.kubernetes.io/component=agent';

/**
 * Finds a ready agent: on the node where one is given, else any.
 * @throws NoAgent with the reason if there is none, or if it is not clear where
 */
export async function findAgent(
  kubectl: Kubectl,
  { namespace: given, node }: Pick<PluginArguments, 'namespace' | 'node'>,
): Promise<Agent> {
  const namespace = given ?? (await findNamespace(kubectl));
  const selectors = {
    labelSelector,
    ...(node === undefined ? {} : { fieldSelector: `spec.nodeName=${node}` }),
  };
  const path = `/api/v1/namespaces/${namespace}/pods`;
  const forbidden = `this user may not list pods in namespace ${namespace}`;
  let count = 0;
  for await (const pod of kubectl.list(path, selectors, forbidden) as AsyncIterable<Pod>) {
    if (isReady(pod)) return { namespace, pod: pod.metadata.name };
    count += 1;
  }
  const where = `${node === undefined ? '' : `on node ${node} `}in namespace ${namespace}`;
  const found = count === 0 ? 'no agent' : `${count} that ${count === 1 ? 'is' : 'are'} not`;
  throw new NoAgent(`expected a ready agent ${where}, got ${found}`);
}

async function findNamespace(kubectl: Kubectl): Promise<string> {
  const sets = kubectl.list(
    '/apis/apps/v1/daemonsets',
    { labelSelector },
    'this user may not list daemonsets in all namespaces: say with -n where the agents are',
  ) as AsyncIterable<DaemonSet>;
  const found = new Set<string>();
  for await (const { metadata } of sets) found.add(metadata.namespace);
  const [only, ...others] = [...found].toSorted();
  if (only === undefined) throw new NoAgent('expected agents in some namespace, got none in any');
  if (others.length === 0) return only;
  throw new NoAgent(
    `expected agents in one namespace, got ${[only, ...others].join(', ')}: say with -n which`,
  );
}

function isReady({ metadata, status }: Pod): boolean {
  if (metadata.deletionTimestamp !== undefined || status?.phase !== 'Running') return false;
  return (
    status.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') === true
  );
}
