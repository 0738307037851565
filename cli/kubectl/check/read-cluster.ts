import { reason, type Kubectl } from '../kubectl.js';
import { CannotRun } from './cannot-run.js';
import { managedBy } from './overlay.js';

interface DaemonSet {
  readonly metadata: {
    readonly namespace: string;
    readonly labels?: Readonly<Record<string, string>>;
  };
}

const labelSelector = 'app.kubernetes.io/name=meshprobe,app.kubernetes.io/component=agent';

/**
 * Reads whether the cluster can be checked, and how.
 * @throws CannotRun if meshprobe is there already: its ports are taken, and it knows more
 */
export async function readCluster(kubectl: Kubectl): Promise<{ readonly hasCilium: boolean }> {
  const sets = kubectl.list(
    '/apis/apps/v1/daemonsets',
    { labelSelector },
    'this user may not list daemonsets in all namespaces',
  ) as AsyncIterable<DaemonSet>;
  for await (const { metadata } of sets) throw new CannotRun(whyThere(metadata));
  const { code, stdout, stderr } = await kubectl.run(['get', '--raw=/apis']);
  if (code !== 0) throw new CannotRun(reason(stderr));
  return { hasCilium: hasGroup(stdout, 'cilium.io') };
}

function whyThere({ namespace, labels = {} }: DaemonSet['metadata']): string {
  const instance = labels['app.kubernetes.io/instance'];
  if (labels['app.kubernetes.io/managed-by'] !== managedBy || instance === undefined) {
    return `meshprobe is there already, in namespace ${namespace}: kubectl meshprobe diagnose`;
  }
  return `another check is there, in namespace ${namespace}. If it was killed, these commands remove it: kubectl delete namespace ${namespace}; kubectl delete clusterrolebinding,clusterrole ${instance}`;
}

function hasGroup(text: string, name: string): boolean {
  try {
    const { groups = [] } = JSON.parse(text) as { groups?: readonly { readonly name?: string }[] };
    return groups.some((group) => group.name === name);
  } catch {
    throw new CannotRun('expected the list of API groups as JSON, got something else');
  }
}
