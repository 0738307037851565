import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { useAgentBench } from './lib/agent-process.js';

const bench = useAgentBench();

/** More stalls in a row than the self check ignores. */
const stalls = 14;

test('an agent that gets no processor for seconds, again and again, stays live', async () => {
  const nodes = [{ name: 'n1', host: '127.0.7.1' }];
  const agent = bench.start([
    ...['--node-name', 'n1', '--nodes-file', bench.file('nodes.yaml', JSON.stringify({ nodes }))],
    ...['--listen-address', '127.0.7.1', '--probe-port', String(bench.port)],
    ...['--socket-path', bench.path('n1.sock'), '--icmp-engine', 'off'],
    ...['--health-listen', '127.0.0.1:0'],
  ]);
  const line = /"port":(\d+),"msg":"health port is listening"/;
  await vi.waitFor(() => expect(agent.output).toMatch(line), { timeout: 40_000 });
  const at = `http://127.0.0.1:${line.exec(agent.output)?.[1] ?? ''}`;
  await vi.waitFor(() => expect(agent.output).toContain('the agent is ready'), { timeout: 40_000 });
  for (let i = 0; i < stalls; i++) {
    agent.child.kill('SIGSTOP');
    await sleep(2500);
    agent.child.kill('SIGCONT');
    await sleep(300);
  }
  expect(await (await fetch(`${at}/liveness`)).json()).toMatchObject({ ok: true, reasons: [] });
  expect(agent.output).not.toContain('not live any more');
});
