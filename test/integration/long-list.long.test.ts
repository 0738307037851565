import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { AgentBench, statusOf } from './lib/agent-process.js';
import { freePort } from './lib/free-port.js';

let bench: AgentBench;
beforeEach(() => {
  bench = new AgentBench();
});
afterEach(() => bench.close());

test('an agent answers before the node list is read, and serves a hundred thousand nodes', async () => {
  const nodes = Array.from({ length: 100_000 }, (_, i) => ({
    name: `n${i}`,
    host: `127.${1 + (i >> 16)}.${(i >> 8) & 255}.${i & 255}`,
  }));
  const nodesFile = bench.file('nodes.yaml', JSON.stringify({ nodes }));
  const socketPath = bench.path('n1.sock');
  const ends = ['--node-name', 'n1', '--nodes-file', nodesFile, '--socket-path', socketPath];
  const listen = ['--probe-port', String(await freePort()), '--listen-address', '127.0.4.1'];
  bench.start([...ends, ...listen, '--icmp-engine', 'off']);
  const status = () => statusOf(socketPath);
  await vi.waitFor(async () => expect((await status()).local.name).toBe('default/n1'), 40_000);
  // The agent needs about ten seconds to read this long YAML file.
  await vi.waitFor(async () => expect((await status()).nodes).toHaveLength(100_000), 90_000);
}, 120_000);
