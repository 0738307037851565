import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bundleApiServer } from '../doubles/api-server/bundle.js';
import { ApiServerProcess } from '../doubles/api-server/process.js';

test('the API server double obeys as a process of its own', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'meshprobe-double-'));
  const double = ApiServerProcess.start(await bundleApiServer(folder));
  try {
    const kubeconfig = join(folder, 'kubeconfig');
    const { url } = await double.tell({ do: 'listen', kubeconfig });
    expect(readFileSync(kubeconfig, 'utf8')).toContain(String(url));
    const list = async () => {
      const answer = await fetch(`${String(url)}/api/v1/nodes`);
      const { items } = (await answer.json()) as {
        items: { metadata: { name: string; uid: string }; spec: object }[];
      };
      return items;
    };
    const names = async () => (await list()).map(({ metadata }) => metadata.name);
    await double.tell({ do: 'put-nodes', count: 3 });
    await double.tell({ do: 'put-node', name: 'extra' });
    const before = (await list())[0];
    await double.tell({ do: 'put-node', name: 'extra', options: { isCordoned: true } });
    const after = (await list())[0];
    expect(after?.metadata.uid).toBe(before?.metadata.uid);
    expect(after?.spec).toMatchObject({ unschedulable: true });
    await double.tell({ do: 'remove-node', name: 'node-0' });
    expect(await names()).toEqual(['extra', 'node-1', 'node-2']);
    await double.tell({ do: 'go-away' });
    await expect(names()).rejects.toThrow('fetch failed');
    await double.tell({ do: 'come-back' });
    expect(await names()).toHaveLength(3);
    expect(await double.tell({ do: 'counts' })).toEqual({ lists: 4, watches: 0 });
    await expect(double.tell({ do: 'put-pod' })).rejects.toThrow('TypeError');
  } finally {
    await double.stop();
    rmSync(folder, { recursive: true });
  }
});
