import { chmodSync, existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { roundsPerSecond } from '../../agent/targets/target-plan.js';
import { targetSchema } from '../../api/schema/v1/targets.js';
import type { ApiServer } from '../doubles/api-server/api-server.js';
import { kubeconfigText } from '../doubles/api-server/kubeconfig.js';
import { nodeObject, podObject } from '../doubles/api-server/objects.js';
import { ask, healthzOf, statusOf, useAgentBench } from './lib/agent-process.js';
import { startApiServer } from '../doubles/api-server/start-api-server.js';

const bench = useAgentBench();
let server: ApiServer;
let socketPath: string;

beforeEach(async () => {
  socketPath = bench.path('agent.sock');
  server = await startApiServer();
  server.nodes.put(nodeObject('n1', { internal: ['127.0.6.1'] }));
  server
    .pods('default')
    .put(podObject('e1', { node: 'n1', namespace: 'default', ips: ['127.0.7.1'] }));
});

/** Starts the agent of n1 with a kubeconfig: one that leads to the server, if nothing else is said. */
const start = (
  more: readonly string[] = [],
  kubeconfig = bench.file('kubeconfig', kubeconfigText(server.url)),
) =>
  bench.start([
    ...['--node-source', 'kubernetes', '--kubeconfig', kubeconfig, '--node-name', 'n1'],
    ...['--socket-path', socketPath, '--probe-port', '24240', '--icmp-engine', 'off'],
    ...['--listen-address', '127.0.6.1', '--listen-address', '127.0.7.1'],
    ...['--http-interval', '100ms', ...more],
  ]);
const until = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 15_000, interval: 50 });
/** Waits until the agent tells of a problem in these words, or of none. */
const untilTold = (words: string) =>
  until(async () => expect(JSON.stringify(await healthzOf(socketPath))).toContain(words));
const untilNotTold = (words: string) =>
  until(async () => expect(JSON.stringify(await healthzOf(socketPath))).not.toContain(words));
const names = async () => (await statusOf(socketPath)).nodes.map(({ name }) => name);

describe('an agent in a Kubernetes cluster', () => {
  test('probes the nodes and endpoints that the API server lists', async () => {
    start();
    await until(async () => {
      const [node] = (await statusOf(socketPath)).nodes;
      expect(node?.name).toBe('default/n1');
      expect(node?.host?.['primary-address']?.http?.latency).toBeGreaterThan(0);
      expect(node?.['health-endpoint']?.['primary-address']?.http?.latency).toBeGreaterThan(0);
    });
    server.nodes.put(nodeObject('n2', { internal: ['127.0.6.2'] }));
    await until(async () => expect(await names()).toEqual(['default/n1', 'default/n2']));
    server.nodes.remove('n2');
    await until(async () => expect(await names()).toEqual(['default/n1']));
  });

  test.each([
    ['--kubernetes-events', 'None'],
    ['--kubernetes-conditions', null],
  ] as const)(
    'with %s takes changes of nodes with includeObject=%s',
    async (flag, includeObject) => {
      start([flag]);
      const watches = () =>
        server.requests.filter(({ kind, path }) => kind === 'watch' && path === '/api/v1/nodes');
      await vi.waitFor(() => expect(watches()).toHaveLength(1), 15_000);
      expect(watches()[0]?.query.get('includeObject')).toBe(includeObject);
    },
  );

  test('tells the labels that nodes are grouped by', async () => {
    start(['--group-by', 'kernel,role,example.com/rack']);
    server.nodes.put(
      nodeObject('n2', {
        internal: ['127.0.6.2'],
        labels: { 'example.com/rack': 'r3', 'node-role.kubernetes.io/edge': '', other: 'x' },
        info: { kernelVersion: '6.8.0-45-generic' },
      }),
    );
    await until(async () => {
      const { body } = await ask(socketPath, '/v1/nodes/n2');
      expect(body).toMatchObject({
        labels: { kernel: '6.8.0-45-generic', role: 'edge', 'example.com/rack': 'r3' },
      });
    });
    const { body } = await ask(socketPath, '/v1/summary');
    expect(body).toMatchObject({ groupBy: ['kernel', 'role', 'example.com/rack'] });
  });

  test('counts nodes that are not active, too, so that a target sees no more than its budget', async () => {
    const targets = [{ name: 'gateway', tcp: '127.0.6.1:24240', from: 'host', interval: '1s' }];
    const file = bench.file('targets.json', JSON.stringify({ targets }));
    start(['--targets-file', file, '--target-budget', '10']);
    const intervalMs = async () => {
      const { body } = await ask(socketPath, '/v1/targets/gateway');
      return targetSchema.parse(body).plan.intervalMs;
    };
    const ofNodes = (nodes: number) => Math.ceil((nodes / (roundsPerSecond(10) * (7 / 8))) * 1000);
    await until(async () => expect(await intervalMs()).toBe(ofNodes(1)));
    for (const n of [2, 3, 4, 5, 6])
      server.nodes.put(nodeObject(`n${n}`, { internal: [`127.0.6.${n}`], isCordoned: n > 3 }));
    await until(async () => expect(await names()).toHaveLength(6));
    await until(async () => expect(await intervalMs()).toBe(ofNodes(6)));
  });

  test('says what it waits for while there is no API server, and goes on when there is', async () => {
    await server.stop();
    const agent = start();
    await until(async () => {
      const problems = JSON.stringify(await healthzOf(socketPath));
      expect(problems).toContain('waiting for nodes of the Kubernetes API of default since ');
      expect(problems).toContain('there is no node list yet (connect ECONNREFUSED');
    });
    await server.start();
    await until(async () => expect(await names()).toEqual(['default/n1']));
    await untilNotTold('wait');
    expect(agent.output.match(/waiting for the node source/g)).toHaveLength(1);
    agent.child.kill('SIGTERM');
    expect(await agent.exited).toBe(0);
  });

  test('knows its nodes after a restart without the API server, and says how old the list is', async () => {
    server.nodes.put(nodeObject('n2', { internal: ['127.0.6.2'] }));
    const first = start();
    await until(async () => expect(await names()).toEqual(['default/n1', 'default/n2']));
    const file = bench.path('state/agent.sock.default.nodes');
    await vi.waitFor(() => expect(readFileSync(file, 'utf8')).toContain('n2'), 15_000);
    expect(statSync(bench.path('state')).mode & 0o777).toBe(0o700);
    first.child.kill('SIGKILL');
    await first.exited;
    await server.stop();
    start();
    await until(async () => expect(await names()).toEqual(['default/n1', 'default/n2']));
    expect(JSON.stringify(await healthzOf(socketPath))).toMatch(
      /the node list of [^ ]+Z, kept by the agent before this one, stays in use \(connect ECONNREFUSED/,
    );
    const [node] = (await statusOf(socketPath)).nodes;
    expect(node?.['health-endpoint']?.['primary-address']?.ip).toBe('127.0.7.1');
    server.nodes.remove('n2');
    await server.start();
    await until(async () => expect(await names()).toEqual(['default/n1']));
    await untilNotTold('wait');
  });

  test('keeps no list where it is told so, nor where others may write', async () => {
    const off = start(['--state-folder', 'off']);
    await until(async () => expect(await names()).toEqual(['default/n1']));
    await off.kill();
    expect(existsSync(bench.path('state'))).toBe(false);
    mkdirSync(bench.path('open'));
    chmodSync(bench.path('open'), 0o777);
    start(['--state-folder', bench.path('open')]);
    await untilTold('expected nobody else to have the right to write, got mode 0777');
    await until(async () => expect(await names()).toEqual(['default/n1']));
  });

  test('stops at once while it waits', async () => {
    server.fail({ kind: 'hang' }, 'any', 100);
    const agent = start();
    await untilTold('waiting');
    await vi.waitFor(() => expect(server.requests.length).toBeGreaterThan(0), 20_000);
    agent.child.kill('SIGTERM');
    expect(await agent.exited).toBe(0);
    await vi.waitFor(() => expect(server.requests[0]?.isOpen()).toBe(false), 20_000);
  });

  test('reads a rotated token from its file', async () => {
    server.tokens.add('old');
    bench.file('token', 'old\n');
    const text = kubeconfigText(server.url, { tokenFile: 'token' });
    start([], bench.file('kubeconfig', text));
    await until(async () => expect(await names()).toEqual(['default/n1']));
    server.tokens.clear();
    server.tokens.add('new');
    server.endWatches();
    await untilTold('HTTP 401');
    expect(await names()).toEqual(['default/n1']);
    bench.file('token', 'new\n');
    await untilNotTold('401');
    expect(server.requests.at(-1)?.token).toBe('new');
  });

  test('names nodes of several clusters after their cluster', async () => {
    const other = await startApiServer();
    other.nodes.put(nodeObject('n1', { internal: ['127.0.6.9'] }));
    void other.pods('default');
    start(['--cluster', `west=${bench.file('west', kubeconfigText(other.url))}`]);
    await until(async () => expect(await names()).toEqual(['default/n1', 'west/n1']));
    await other.stop();
    await untilTold('Kubernetes API of west since');
    expect(await names()).toEqual(['default/n1', 'west/n1']);
  });

  test.each([
    ['is not there', () => '/no/such/kubeconfig', 'got no such file'],
    ['is no YAML', () => bench.file('bad', 'a: ['), 'expected a kubeconfig in'],
    ['has no context', () => bench.file('bad', 'users: []'), 'expected a current-context in'],
    ['has no URL', () => bench.file('bad', kubeconfigText('nowhere')), 'URL of an API server'],
  ])('refuses a kubeconfig that %s with exit code 2', async (_, path, words) => {
    const agent = start([], path());
    expect(await agent.exited).toBe(2);
    expect(agent.errors).toContain('meshprobe-agent: kubeconfig: ');
    expect(agent.errors).toContain(words);
    const check = start(['--check-config'], path());
    expect(await check.exited).toBe(2);
  });
});
