import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createClient } from '../../api/client/client.js';
import type { ThroughputTests } from '../../api/schema/v1/throughput.js';
import { AgentBench, ask } from './lib/agent-process.js';
import { freePort } from './lib/free-port.js';
import { cli, startProgram } from '../resources/program.js';

// What the two ends say to each other, and how each of them goes wrong, is in agent/throughput.test.ts.

const bench = new AgentBench();
const hosts = ['127.0.13.1', '127.0.13.2', '127.0.13.3'];
const endpoint = '127.0.14.2';
/** The agent of n1 answers there itself, as at the address of a second network. */
const secondAddress = '127.0.14.1';
const socketOf = (number: number): string => bench.path(`n${number}.sock`);
let outputs: { readonly output: string }[] = [];

beforeAll(async () => {
  const port = String(await freePort());
  const nodes = hosts.map((host, at) => ({ name: `n${at + 1}`, host }));
  const endpoints = new Map([
    ['n1', secondAddress],
    ['n2', endpoint],
  ]);
  const listed = nodes.map((node) => ({ ...node, endpoint: endpoints.get(node.name) }));
  const file = bench.file('nodes.json', JSON.stringify({ nodes: listed }));
  const key = ['--mesh-key-file', bench.file('key', 'a key of some twenty bytes')];
  const common = ['--nodes-file', file, '--probe-port', port];
  const flags = (number: number) => [
    ...['--node-name', `n${number}`, '--socket-path', socketOf(number)],
    ...['--listen-address', hosts[number - 1] ?? ''],
  ];
  const responder = ['responder', '--listen-address', endpoint, '--probe-port', port];
  outputs = [
    bench.start([...common, ...flags(1), '--listen-address', secondAddress, ...key]),
    bench.start([...common, ...flags(2), ...key]),
    // Without a key.
    bench.start([...common, ...flags(3)]),
    bench.start([...responder, '--node-name', 'n2', ...key]),
  ];
  await vi.waitUntil(
    async () => {
      const answers = await Promise.all(
        [1, 2, 3].map((number) => ask(socketOf(number), '/v1/nodes').catch(() => undefined)),
      );
      return answers.every(
        (one) => (one?.body as { nodes?: object[] } | undefined)?.nodes?.length === 3,
      );
    },
    { timeout: 40_000, interval: 100 },
  );
  await vi.waitUntil(() => outputs[3]?.output.includes('responder is answering'), 20_000);
}, 60_000);
afterAll(() => bench.close());

const start = (number: number, ...args: readonly string[]) =>
  startProgram(cli, ['--host', socketOf(number), 'throughput', ...args]);
const run = (number: number, ...args: readonly string[]) => start(number, ...args).ended;
const clientOf = (number: number) =>
  createClient({ address: { kind: 'unix', path: socketOf(number) }, timeoutMs: 10_000 });
const kept = async (number: number): Promise<ThroughputTests> => clientOf(number).throughputTests();

describe('meshprobe throughput', () => {
  test(
    'says that there was none, then prints one, then shows it',
    { timeout: 60_000 },
    async () => {
      expect(await run(1)).toMatchObject({
        code: 0,
        stdout: 'No throughput test was made since the agent started.\n',
      });
      const { code, stdout, stderr } = await run(1, 'n2', '--limit', '200MB', '--streams', '2');
      expect([code, stderr]).toEqual([0, '']);
      const line = (plane: string, ip: string, way: string) =>
        ` {2}${plane} +${ip} {3}${way} +default/n2 +[\\d.]+ [MGk]bit/s {3}200 MB in [\\d.]+ s, \\d+ segments? sent again\n`;
      const expected = [
        '^throughput to default/n2, host and endpoint plane, by 2 streams, at most 5 s and 200 MB each way\n',
        line('host', hosts[1] ?? '', 'to'),
        line('host', hosts[1] ?? '', 'from'),
        line('endpoint', endpoint, 'to'),
        line('endpoint', endpoint, 'from'),
        'The pod network lets through \\d+ % of what the hosts do to default/n2, and \\d+ % from it.\n$',
      ];
      expect(stdout).toMatch(new RegExp(expected.join('')));
      const shown = await run(1);
      expect(shown.stdout).toContain(stdout.slice(stdout.indexOf('\n') + 1));
      const { tests } = await kept(1);
      expect(tests).toHaveLength(1);
      expect(tests[0]).toMatchObject({ node: 'default/n2', bytes: 200_000_000, streams: 2 });
      expect((await kept(2)).tests).toEqual([]);
    },
  );

  test(
    'measures both planes where the agent itself answers at the endpoint',
    { timeout: 60_000 },
    async () => {
      const both = await run(2, 'n1', '--limit', '1MB');
      expect([both.code, both.stderr]).toEqual([0, '']);
      expect(both.stdout.match(/^ {2}(host|endpoint) .*(to|from) +default\/n1 /gm)).toHaveLength(4);
      const one = await run(2, 'n1', '--limit', '1MB', '--plane', 'endpoint');
      expect([one.code, one.stderr]).toEqual([0, '']);
    },
  );

  test(
    'Ctrl-C ends it on both ends, and it is kept as interrupted',
    { timeout: 60_000 },
    async () => {
      const isOver = () =>
        outputs[1]?.output.match(/test of another node ended midway/g)?.length ?? 0;
      const before = isOver();
      const { child, ended } = start(1, 'n2', '--for', '30s', '--limit', '10GB', '--plane', 'host');
      await vi.waitUntil(() => outputs[1]?.output.includes('"ms":30000'), 20_000);
      const busy = await run(1, 'n2');
      expect(busy).toMatchObject({
        code: 1,
        stderr: 'meshprobe: a throughput test is under way here, and one runs at a time\n',
      });
      child.kill('SIGINT');
      expect(await ended).toMatchObject({ code: 130, stderr: '' });
      await vi.waitUntil(() => isOver() === before + 1, 10_000);
      await vi.waitUntil(async () => (await kept(1)).tests[0]?.error === 'interrupted', 10_000);
      // Both ends are free again.
      const next = await run(2, 'n1', '--limit', '1MB', '--plane', 'host', '-o', 'json');
      expect([next.code, next.stdout.trim().split('\n').length]).toEqual([0, 4]);
    },
  );

  test('without a mesh key there is none, here or there', { timeout: 60_000 }, async () => {
    const here = await run(3, 'n2');
    expect([here.code, here.stdout]).toEqual([1, '']);
    expect(here.stderr).toMatch(/^meshprobe: a throughput test needs a mesh key: give all agents/);
    const there = await run(1, 'n3');
    expect(there.code).toBe(1);
    expect(there.stderr).toMatch(/^meshprobe: the agent of default\/n3 has no mesh key: give it/);
  });

  test('what is not possible is a usage error', { timeout: 60_000 }, async () => {
    const cases = [
      [['n9'], 'there is no node default/n9 (meshprobe nodes lists them)'],
      [['n1'], 'default/n1 is the node of this agent: expected another one'],
      [['n3', '--plane', 'endpoint'], 'default/n3 has no address on the endpoint plane'],
      [['n2', '--for', '5'], 'Expected a duration such as 5s'],
      [['n2', '--for', '1m'], 'Expected a duration from 100ms to 30s'],
      [['n2', '--limit', '100'], 'Expected a size such as 100MB or 1GiB'],
      [['n2', '--limit', '11GB'], 'Expected a size from 1MB to 10GB'],
      [['n2', '--streams', '0'], 'Expected a whole number from 1 to 16'],
      [['--limit', '5MB'], '--limit: expected with a node to measure, got none'],
    ] as const;
    for (const [args, message] of cases) {
      const { code, stdout, stderr } = await run(1, ...args);
      expect([args, code, stdout]).toEqual([args, 2, '']);
      expect(stderr).toContain(message);
    }
  });

  test('the API says what it expects', async () => {
    const put = await ask(socketOf(1), '/v1/throughput', 'PUT');
    expect(put).toMatchObject({
      status: 405,
      body: 'method PUT is not allowed here, expected GET, HEAD, POST, OPTIONS',
    });
    const post = await ask(socketOf(1), '/v1/throughput', 'POST');
    expect(post).toMatchObject({ status: 400 });
  });
});
