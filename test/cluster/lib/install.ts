import { join } from 'node:path';
import { readFileSync } from 'node:fs';
import { toolsFolder } from '../../../scripts/go-tools.js';
import { root } from '../../../scripts/sources.js';
import { run } from '../../lab/lib/command.js';
import { kubectl } from './control-plane.js';
import { images } from './image-names.js';
import { inControl, kubeconfig } from './place.js';
import { until } from './spawn.js';

export const chart = join(root, 'deploy', 'helm', 'meshprobe');
export const namespace = 'meshprobe';

/** Runs helm as the administrator, and returns its standard output. */
export async function helm(args: readonly string[]): Promise<string> {
  const [command, ...rest] = inControl([
    join(toolsFolder, 'helm'),
    `--kubeconfig=${kubeconfig}`,
    `--namespace=${namespace}`,
    ...args,
  ]);
  return run(command, rest);
}

/** Starts the DNS of the cluster, and waits until both pods answer. */
export async function installCoreDns(): Promise<void> {
  const text = readFileSync(join(root, 'test/cluster/coredns.yaml'), 'utf8');
  await kubectl(['apply', '-f', '-'], text.replace('IMAGE', images.coredns));
  await kubectl(['-n', 'kube-system', 'rollout', 'status', 'deploy/coredns', '--timeout=300s']);
}

/** The values that make the chart use the image of this checkout. */
export const imageValues = [
  `image.repository=${images.meshprobe.split(':')[0]}`,
  `image.tag=${images.meshprobe.split(':')[1]}`,
  'image.pullPolicy=Never',
];

/** The namespace as docs/kubernetes.md says to make it. */
export async function makeNamespace(): Promise<void> {
  await kubectl(['create', 'namespace', namespace]);
  await kubectl([
    ...['label', 'namespace', namespace],
    'pod-security.kubernetes.io/enforce=privileged',
  ]);
}

/**
 * Installs the chart, or changes its values, and waits until all pods are ready.
 * @param values as `--set` takes them
 */
export async function installChart(values: readonly string[]): Promise<void> {
  const settings = [...imageValues, ...values].map((value) => `--set=${value}`);
  await helm(['upgrade', '--install', 'meshprobe', chart, ...settings]);
  await untilRolledOut();
}

/** Waits until every node has an agent and an endpoint of the newest form that are ready. */
async function untilRolledOut(seconds = 300): Promise<void> {
  for (const name of ['meshprobe', 'meshprobe-endpoint']) {
    await kubectl(['-n', namespace, 'rollout', 'status', `ds/${name}`, `--timeout=${seconds}s`]);
  }
}

/** Waits until exactly these many nodes are Ready. */
export async function untilNodesAreReady(count: number): Promise<void> {
  await until(`${count} nodes are Ready`, 400_000, async () => {
    const text = await kubectl(['get', 'nodes', '--no-headers']).catch(() => '');
    return text.split('\n').filter((line) => / Ready\b/.test(line)).length === count;
  });
}
