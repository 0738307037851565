import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ThroughputTests } from '../../api/schema/v1/throughput.js';
import { runIn } from './lib/command.js';
import { useMesh } from './lib/mesh.js';
import { missingForQueues } from './lib/requirements.js';
import { getJson } from './lib/unix-socket.js';

const program = join(import.meta.dirname, '../../dist/cli/main.js');

const mesh = useMesh(
  {
    hosts: 2,
    family: 4,
    prepare: async ({ folder }) => {
      const keyFile = join(folder, 'mesh-key');
      await writeFile(keyFile, 'a mesh key of the lab\n', { mode: 0o600 });
      return { settings: { 'mesh-key-file': keyFile }, stop: () => Promise.resolve() };
    },
  },
  missingForQueues(),
);

/** What leaves an interface is held to a rate until the namespaces are removed. */
async function limit(namespace: string, device: string, mbits: number): Promise<void> {
  const bucket = `tbf rate ${mbits}mbit burst 32kb latency 200ms`.split(' ');
  await runIn(namespace, ['tc', 'qdisc', 'replace', 'dev', device, 'root', ...bucket]);
}

test('a pod network that is slower than its hosts is told, each way by its own figure', async () => {
  const { lab, agents } = mesh();
  const [n1, n2] = [lab.host('n1'), lab.host('n2')];
  for (const { namespace } of [n1, n2]) await limit(namespace, 'eth0', 40);
  await limit(n2.namespace, 'endpoint', 8);
  await limit(n2.endpointNamespace, 'eth0', 4);
  const flags = ['--host', agents.socketPath(n1), 'throughput', 'n2'];
  const bounds = ['--for', '3s', '--limit', '1GB'];
  const printed = await runIn(n1.namespace, [process.execPath, program, ...flags, ...bounds]);
  const ratios = /lets through (\d+) % of what the hosts do to lab\/n2, and (\d+) % from it/;
  const [, to, from] = ratios.exec(printed) ?? [];
  const { tests } = (await getJson(agents.socketPath(n1), '/v1/throughput')) as ThroughputTests;
  const rates = tests[0]?.directions.map(({ bitsPerSecond }) => bitsPerSecond / 1e6) ?? [];
  // A token bucket counts headers too, and somebody else may use the processors.
  const expected = [40, 40, 8, 4];
  expect(rates, printed).toHaveLength(4);
  for (const [at, rate] of rates.entries()) {
    expect(rate, printed).toBeGreaterThan((expected[at] ?? 0) * 0.8);
    expect(rate, printed).toBeLessThanOrEqual((expected[at] ?? 0) * 1.02);
  }
  const [hostTo = 0, hostFrom = 0, endpointTo = 0, endpointFrom = 0] = rates;
  expect([Number(to), Number(from)]).toEqual([
    Math.round((endpointTo / hostTo) * 100),
    Math.round((endpointFrom / hostFrom) * 100),
  ]);
  expect(Math.abs(Number(to) - 20), printed).toBeLessThanOrEqual(4);
  expect(Math.abs(Number(from) - 10), printed).toBeLessThanOrEqual(2);
});
