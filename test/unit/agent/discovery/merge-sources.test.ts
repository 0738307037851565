import { describe, expect, test, vi } from 'vitest';
import type { Node } from '../../../../agent/model/node.js';
import type { NodeSource } from '../../../../agent/discovery/node-source.js';
import { mergeSources } from '../../../../agent/discovery/merge-sources.js';

class FakeSource implements NodeSource {
  emit: (nodes: readonly Node[]) => void = () => undefined;
  isStopped = false;
  start(onNodes: (nodes: readonly Node[]) => void): Promise<void> {
    this.emit = onNodes;
    return Promise.resolve();
  }
  stop(): void {
    this.isStopped = true;
  }
}

const node = (name: string, ip: string): Node => ({ name, host: [ip], endpoint: [] });

async function merge(waitMs: number) {
  const [east, west] = [new FakeSource(), new FakeSource()];
  const lists: string[][] = [];
  const all: (readonly Node[])[] = [];
  const merged = mergeSources([east, west], waitMs);
  await merged.start((nodes) => {
    all.push(nodes);
    lists.push(nodes.map(({ name }) => name));
  });
  return { east, west, lists, all, merged };
}

describe('several node sources', () => {
  test('are one list once all have spoken, and with every change after that', async () => {
    const { east, west, lists, merged } = await merge(60_000);
    west.emit([node('west/a', '198.51.100.1')]);
    expect(lists).toEqual([]);
    east.emit([node('east/a', '198.51.100.2')]);
    east.emit([]);
    expect(lists).toEqual([['east/a', 'west/a'], ['west/a']]);
    merged.stop();
    expect([east.isStopped, west.isStopped]).toEqual([true, true]);
    east.emit([node('east/b', '198.51.100.3')]);
    expect(lists).toHaveLength(2);
  });

  test('do not wait for one of them for ever', async () => {
    const { east, west, lists, merged } = await merge(10);
    west.emit([node('west/a', '198.51.100.1')]);
    await vi.waitFor(() => expect(lists).toEqual([['west/a']]), 20_000);
    east.emit([node('east/a', '198.51.100.2')]);
    expect(lists.at(-1)).toEqual(['east/a', 'west/a']);
    merged.stop();
  });

  test('have every address and every name once', async () => {
    const { east, west, all, merged } = await merge(60_000);
    east.emit([node('east/a', '198.51.100.1'), node('east/b', '198.51.100.2')]);
    west.emit([node('west/a', '198.51.100.1'), node('east/b', '198.51.100.9')]);
    expect(all.at(-1)).toEqual([
      node('east/a', '198.51.100.1'),
      node('east/b', '198.51.100.2'),
      {
        name: 'west/a',
        host: [],
        endpoint: [],
        lifecycle: { phase: 'excluded', reason: 'address 198.51.100.1 belongs to east/a' },
        lost: [{ ip: '198.51.100.1', holder: 'east/a' }],
      },
    ]);
    merged.stop();
  });
});
