import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { createServer, type Socket } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { healthAnswerSchema } from '../../api/schema/kubelet.js';
import { summarySchema, type Summary } from '../../api/schema/v1/summary.js';
import { listenForTest } from '../resources/test-server.js';
import { ask, healthzOf, useAgentBench } from './lib/agent-process.js';
import { freePort } from './lib/free-port.js';

const filesLimit = 64;
const silentPeers = 60;
const polling = { timeout: 40_000, interval: 50 };

const bench = useAgentBench();
const sockets = new Set<Socket>();
afterEach(() => {
  for (const socket of sockets) socket.destroy();
});

/** Peers that take each connection and never answer, so that each GET lasts until its timeout. */
async function startSilentPeers(): Promise<{ readonly port: number; readonly nodes: object[] }> {
  const nodes: object[] = [];
  let port = 0;
  for (let index = 1; index <= silentPeers; index++) {
    const host = `127.0.11.${index}`;
    const server = createServer((socket) => {
      sockets.add(socket.on('error', () => undefined));
      socket.on('close', () => sockets.delete(socket));
    });
    port = await listenForTest(server, port, host);
    nodes.push({ name: `peer${index}`, host });
  }
  return { port, nodes };
}

test('an agent that may open few files says so, and stays alive for the kubelet', async () => {
  const { port, nodes } = await startSilentPeers();
  const socketPath = bench.path('n1.sock');
  const settings = {
    'node-name': 'n1',
    'nodes-file': bench.file(
      'nodes.json',
      JSON.stringify({ nodes: [{ name: 'n1', host: '127.0.12.1' }, ...nodes] }),
    ),
    'socket-path': socketPath,
    'listen-address': '127.0.12.1',
    'probe-port': String(port),
    'icmp-engine': 'off',
    'http-interval': '200ms',
    'http-budget': '500',
    'probe-timeout': '3s',
    'max-memory-mib': '4096',
    'health-listen': '127.0.0.1:0',
  };
  const limited = bench.file('limited.sh', `ulimit -n ${filesLimit}; exec "$@"`);
  const args = Object.entries(settings).flatMap(([flag, value]) => [`--${flag}`, value]);
  const agent = bench.startUnder(['sh', limited], args);
  const line = /"port":(\d+),"msg":"health port is listening"/;
  await vi.waitFor(() => expect(agent.output).toMatch(line), polling);
  const liveness = `http://127.0.0.1:${line.exec(agent.output)?.[1] ?? ''}/liveness`;

  await vi.waitFor(async () => {
    const { problems } = await healthzOf(socketPath);
    expect(problems?.join()).toMatch(/^http probes could not be sent: too many open files/);
  }, polling);
  for (let asked = 0; asked < 30; asked++) {
    const answer = healthAnswerSchema.parse(await (await fetch(liveness)).json());
    expect(answer).toMatchObject({ ok: true, reasons: [] });
  }
});

/** Asks over a connection that stays open, because an agent without free files takes no other. */
async function summaryOver(agent: Agent, socketPath: string): Promise<Summary> {
  const asked = request({ socketPath, path: '/v1/summary', agent }).end();
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  let text = '';
  for await (const chunk of answer) text += String(chunk);
  return summarySchema.parse(JSON.parse(text));
}

test('an agent that can send no GET any more does not call the cluster well', async () => {
  const port = String(await freePort());
  const hosts = [1, 2, 3].map((index) => ({ name: `n${index}`, host: `127.0.13.${index}` }));
  const nodesFile = bench.file('nodes.json', JSON.stringify({ nodes: hosts }));
  const agents = hosts.map(({ name, host }) => {
    const settings = {
      'node-name': name,
      'nodes-file': nodesFile,
      'socket-path': bench.path(`${name}.sock`),
      'listen-address': host,
      'probe-port': port,
      'icmp-engine': 'off',
      'http-interval': '300ms',
      'probe-timeout': '300ms',
      'max-memory-mib': '4096',
    };
    return bench.start(Object.entries(settings).flatMap(([flag, value]) => [`--${flag}`, value]));
  });
  const socketPath = bench.path('n1.sock');
  await vi.waitFor(async () => {
    const { body } = await ask(socketPath, '/v1/summary');
    expect(body).toMatchObject({ verdict: 'ok', observers: { fresh: 2 } });
  }, polling);

  const kept = new Agent({ keepAlive: true, maxSockets: 1 });
  const before = await summaryOver(kept, socketPath);
  expect(before.paths.host.http).toMatchObject({ reachable: 3, unknown: 0 });
  execFileSync('prlimit', ['--pid', String(agents[0]?.child.pid), '--nofile=4:']);
  await vi.waitFor(async () => {
    const { verdict, reason, observers, paths } = await summaryOver(kept, socketPath);
    expect(paths.host.http).toMatchObject({ reachable: 0, unreachable: 0, unknown: 3 });
    expect(observers).toMatchObject({ fresh: 0, stale: 2 });
    expect([verdict, reason]).toEqual([
      'unknown',
      'only 0 of 2 other agents still tell what they see',
    ]);
  }, polling);
  kept.destroy();
});
