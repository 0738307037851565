import { createServer } from 'node:http';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Findings } from '../../api/schema/v1/findings.js';
import { AgentBench, ask } from './lib/agent-process.js';
import { freePort } from './lib/free-port.js';

// Two agents on loopback, and a third node at whose port another program answers.

const bench = new AgentBench();
const other = createServer((_, response) => response.writeHead(503).end());
const hostOf = (n: number) => `127.0.25.${n}`;
const nodes = [1, 2, 3].map((n) => ({ name: `n${n}`, host: hostOf(n) }));

beforeAll(async () => {
  bench.port = await freePort();
  other.listen(bench.port, hostOf(3));
  await once(other, 'listening');
  for (const n of [1, 2]) {
    const more = ['--http-interval', '1s', '--state-folder', 'off'];
    bench.startNode({ name: `n${n}`, nodes, listen: [hostOf(n)], more });
  }
});
afterAll(async () => {
  await bench.close();
  other.close();
});

const evidence = async () => {
  const answer = await ask(bench.path('n1.sock'), '/v1/findings').catch(() => undefined);
  const { findings = [] } = (answer?.body ?? {}) as Partial<Findings>;
  return findings.flatMap((finding) =>
    finding.evidence.map(({ from, failure }) => `${finding.kind} ${from}: ${failure}`),
  );
};

test('another program at the port of an agent is told with the status that came on the own path', async () => {
  await expect
    .poll(evidence, { timeout: 120_000, interval: 200 })
    .toEqual([
      'agent-down default/n1: unexpected status 503',
      'agent-down default/n2: not the status 200',
    ]);
}, 150_000);
