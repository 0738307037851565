import { setTimeout as sleep } from 'node:timers/promises';
import { lutimesSync, readdirSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { Random } from '../fuzz/random.js';
import { statusOf, useAgentBench } from './lib/agent-process.js';

const bench = useAgentBench();

test('an agent that was killed at any moment starts again without manual cleanup', async () => {
  const random = new Random(17);
  const socketPath = bench.path('n1.sock');
  const args = [...bench.loneAgent(), '--icmp-engine', 'off'];
  for (let round = 0; round < 15; round++) {
    const agent = bench.start(args);
    // The kill comes at any moment from process start to well after the socket is up. The socket
    // needs about 100 ms.
    await sleep(random.below(250));
    await agent.kill();
    expect(agent.errors).toBe('');
  }
  // One that was killed right after it bound its socket leaves that for the first start a minute later.
  const earlier = Date.now() / 1000 - 120;
  for (const name of readdirSync(bench.folder)) lutimesSync(bench.path(name), earlier, earlier);
  const last = bench.start(args);
  await vi.waitFor(async () => expect((await statusOf(socketPath)).nodes).toHaveLength(1), 15_000);
  last.child.kill('SIGTERM');
  expect(await last.exited).toBe(0);
  expect(readdirSync(bench.folder)).toEqual(['n1.yaml']);
}, 60_000);
