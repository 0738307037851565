import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { healthAnswerSchema } from '../../api/schema/kubelet.js';
import { AgentBench, healthzOf } from './lib/agent-process.js';

const filesLimit = 64;
const silentPeers = 60;
const polling = { timeout: 40_000, interval: 50 };

let bench: AgentBench;
const servers: Server[] = [];
const sockets = new Set<Socket>();
beforeEach(() => (bench = new AgentBench()));
afterEach(async () => {
  await bench.close();
  for (const socket of sockets) socket.destroy();
  for (const server of servers.splice(0)) server.close();
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
    }).listen(port, host);
    servers.push(server);
    await once(server, 'listening');
    port = (server.address() as AddressInfo).port;
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
