import { expect, test } from 'vitest';
import { loadConfig } from '../../agent/config/config.js';
import { createApiClient, type ApiClient } from '../../agent/discovery/kubernetes/api-client.js';
import { createKubeAccess } from '../../agent/discovery/kubernetes/kube-access.js';
import { KubernetesSource } from '../../agent/discovery/kubernetes/kubernetes-source.js';
import { ListWatch } from '../../agent/discovery/kubernetes/list-watch.js';
import type { Node } from '../../agent/model/node.js';
import type { SourceState } from '../../agent/discovery/source-state.js';

// These tests only list and watch: they change nothing in the cluster of $KUBECONFIG.

function connect(): ApiClient {
  const { nodeSource } = loadConfig({ 'node-source': 'kubernetes' }, process.env);
  if (nodeSource.kind !== 'kubernetes') throw new Error('expected Kubernetes');
  const [cluster] = nodeSource.clusters;
  if (!cluster) throw new Error('expected a cluster');
  return createApiClient(createKubeAccess(cluster.identity));
}

async function namesIn(client: ApiClient): Promise<string[]> {
  const parts: Buffer[] = [];
  const body = await client.get('/api/v1/nodes', AbortSignal.timeout(30_000));
  for await (const part of body) parts.push(part);
  const { items } = JSON.parse(Buffer.concat(parts).toString()) as {
    items: { metadata: { name: string } }[];
  };
  return items.map(({ metadata }) => `c/${metadata.name}`).sort();
}

test('the nodes of a real cluster are those that it lists', async () => {
  const client = connect();
  const states: SourceState[] = [];
  const source = new KubernetesSource({
    clusterName: 'c',
    client,
    endpoints: { kind: 'pods', namespace: 'default', selector: 'app.kubernetes.io/name=meshprobe' },
    report: (state) => states.push(state),
  });
  try {
    const nodes = await new Promise<readonly Node[]>((resolve, reject) => {
      source.start(resolve).catch(reject);
    });
    expect(nodes.map(({ name }) => name).sort()).toEqual(await namesIn(client));
    for (const { incarnation, host, lifecycle } of nodes) {
      expect(incarnation).toMatch(/^[0-9a-f-]{36}$/);
      if (lifecycle?.phase === 'active') expect(host.length).toBeGreaterThan(0);
    }
    expect(states.at(-1)?.lastError).toBeUndefined();
  } finally {
    source.stop();
  }
});

test('a real API server keeps the rules that our list and watch counts on', async () => {
  const client = connect();
  let lists = 0;
  const watch = new ListWatch({
    client,
    path: '/api/v1/nodes',
    project: (object) => (object as { metadata: { uid: string } }).metadata.uid,
    onObjects: () => undefined,
    onState: (state) => (lists = state.lists),
    // Short timings make several pages, watches and fresh lists happen within the test.
    timings: { pageSize: 1, watchSeconds: () => 3, shortLivedMs: 1000, relistMs: 2000 },
  });
  watch.start();
  try {
    await expect.poll(() => lists, { timeout: 50_000, interval: 200 }).toBe(3);
    expect(watch.state.lastError).toBeUndefined();
  } finally {
    watch.stop();
    client.close();
  }
});
