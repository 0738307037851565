import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setImmediate as breathe } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createApiClient } from '../../agent/discovery/kubernetes/api-client.js';
import { createKubeAccess } from '../../agent/discovery/kubernetes/kube-access.js';
import { KubernetesSource } from '../../agent/discovery/kubernetes/kubernetes-source.js';
import type { Node } from '../../agent/model/node.js';
import { kubeconfigText } from '../doubles/api-server/kubeconfig.js';
import { ApiServerProcess } from '../doubles/api-server/process.js';

export interface KubernetesListFigures {
  readonly nodes: number;
  /** The longest time in which nothing else could run. */
  readonly longestBlockMs: number;
  /**
   * The longest stall of a loop of 2 ms turns right after the list. This much is caused by the
   * machine, not by the list.
   */
  readonly machineBlockMs: number;
  /** The heap that the complete list occupies. */
  readonly heapKeptBytes: number;
  /** The time from the first request to the node list. */
  readonly durationMs: number;
  readonly peakRssBytes: number;
}

const ballastBytes = 12_300;

/**
 * Lists 5,000 nodes of 13 KB, and their endpoint pods, from an API server in another process.
 * @param program the bundled `test/doubles/api-server/main.ts`
 */
export async function measureKubernetesList(
  program: string,
  nodeCount = 5000,
): Promise<KubernetesListFigures> {
  const double = ApiServerProcess.start(program);
  try {
    await double.tell({ do: 'put-nodes', count: nodeCount, ballastBytes });
    const { url } = await double.tell({ do: 'listen' });
    return await measure(String(url), nodeCount);
  } finally {
    await double.stop();
  }
}

async function measure(url: string, nodeCount: number): Promise<KubernetesListFigures> {
  const folder = mkdtempSync(join(tmpdir(), 'meshprobe-bench-'));
  const kubeconfig = join(folder, 'kubeconfig');
  writeFileSync(kubeconfig, kubeconfigText(url));
  const access = createKubeAccess({
    kind: 'kubeconfig',
    paths: kubeconfig,
    environment: process.env,
  });
  const heapBefore = heapUsed();
  const client = createApiClient(access);
  const source = new KubernetesSource({
    clusterName: 'c',
    client,
    endpoints: {
      kind: 'pods',
      namespace: 'meshprobe',
      selector: 'app.kubernetes.io/name=meshprobe,app.kubernetes.io/component=endpoint',
    },
    report: () => undefined,
  });
  let peakRssBytes = 0;
  const watcher = setInterval(() => {
    peakRssBytes = Math.max(peakRssBytes, process.memoryUsage.rss());
  }, 20);
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const startedAt = performance.now();
  const nodes = await new Promise<readonly Node[]>((resolve, reject) => {
    source.start(resolve).catch(reject);
  });
  const durationMs = performance.now() - startedAt;
  delay.disable();
  clearInterval(watcher);
  if (nodes.length !== nodeCount)
    throw new Error(`expected ${nodeCount} nodes, got ${nodes.length}`);
  const heapKeptBytes = heapUsed() - heapBefore;
  source.stop();
  rmSync(folder, { recursive: true });
  return {
    nodes: nodes.length,
    longestBlockMs: delay.max / 1e6,
    machineBlockMs: await measureMachine(durationMs),
    heapKeptBytes,
    durationMs,
    peakRssBytes,
  };
}

async function measureMachine(forMs: number): Promise<number> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const end = performance.now() + forMs;
  while (performance.now() < end) {
    const turnEnd = performance.now() + 2;
    while (performance.now() < turnEnd);
    await breathe();
  }
  delay.disable();
  return delay.max / 1e6;
}

function heapUsed(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  collect();
  return process.memoryUsage().heapUsed;
}
