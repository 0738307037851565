import { expect, test, vi } from 'vitest';
import { statusOf, useAgentBench } from './lib/agent-process.js';

const bench = useAgentBench();

test('an agent answers before the node list is read, and serves a hundred thousand nodes', async () => {
  const nodes = Array.from({ length: 100_000 }, (_, i) => ({
    name: `n${i}`,
    host: `127.${1 + (i >> 16)}.${(i >> 8) & 255}.${i & 255}`,
  }));
  const listen = ['127.0.4.1'];
  const more = ['--icmp-engine', 'off'];
  const { socketPath } = bench.startNode({ name: 'n1', nodes, listen, more });
  const status = () => statusOf(socketPath);
  await vi.waitFor(async () => expect((await status()).local.name).toBe('default/n1'), 40_000);
  // The agent needs about ten seconds to read this long YAML file.
  await vi.waitFor(async () => expect((await status()).nodes).toHaveLength(100_000), 90_000);
}, 120_000);
