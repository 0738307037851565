import { rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type Server } from 'node:net';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { findingsSchema } from '../../api/schema/v1/findings.js';
import { targetsSchema, type TargetBody } from '../../api/schema/v1/targets.js';
import { listen } from '../resources/listen.js';
import { listenForTest } from '../resources/test-server.js';
import { ask, useAgentBench } from './lib/agent-process.js';
import { runHere } from './lib/run-here.js';

const polling = { timeout: 30_000, interval: 200 };

const bench = useAgentBench();
let database: Server;
let databasePort: number;
beforeEach(async () => {
  databasePort = await startDatabase();
});
afterEach(() => void database.close());

function startDatabase(at = 0): Promise<number> {
  database = createServer((socket) => socket.end());
  return listen(database, at);
}

const nodes = [
  { name: 'n1', host: '127.0.21.1', endpoint: '127.0.22.1' },
  { name: 'n2', host: '127.0.21.2' },
];

function startAgent(name: string, address: string, ...more: string[]) {
  return startAgentAmong(nodes, name, address, ...more);
}

function startAgentAmong(listed: object[], name: string, address: string, ...flags: string[]) {
  const more = ['--http-interval', '500ms', ...flags];
  return bench.startNode({ name, nodes: listed, listen: [address], more });
}

/** Runs `meshprobe` against an agent. */
async function meshprobe(socketPath: string, ...args: readonly string[]) {
  const ended = await runHere(args, { MESHPROBE_SOCK: socketPath });
  return { ...ended, stdout: ended.stdout.replace(/ +/g, ' ') };
}

async function targetOf(socketPath: string): Promise<TargetBody | undefined> {
  const { targets } = targetsSchema.parse((await ask(socketPath, '/v1/targets')).body);
  return targets.find(({ name }) => name === 'database');
}

describe('a target of real agents and a real endpoint', () => {
  test('dies and comes back, and every agent says so, from both planes', async () => {
    const file = bench.file(
      'targets.yaml',
      `targets:\n  - { name: database, tcp: "127.0.0.1:${databasePort}", interval: 1s }\n`,
    );
    const given = ['--targets-file', file];
    const first = startAgent('n1', '127.0.21.1', ...given);
    const second = startAgent('n2', '127.0.21.2', ...given);
    const endpoint = ['--listen-address', '127.0.22.1', '--probe-port', String(bench.port)];
    bench.start(['responder', ...endpoint, '--node-name', 'n1', ...given]);
    const planes = async ({ socketPath }: typeof first) => (await targetOf(socketPath))?.planes;

    for (const agent of [first, second]) {
      await vi.waitFor(async () => {
        const seen = await planes(agent);
        expect(seen?.host).toMatchObject({ state: 'reachable', reached: { from: 2, of: 2 } });
        // What the endpoint of the first node sees is in the row of its agent.
        expect(seen?.endpoint).toMatchObject({ reached: { from: 1, of: 1 } });
      }, polling);
    }
    expect((await planes(first))?.endpoint?.state).toBe('reachable');
    expect((await planes(second))?.endpoint).toMatchObject({
      state: 'unknown',
      reason: 'no endpoint of this node is listed',
    });

    await new Promise((resolve) => database.close(resolve));
    for (const agent of [first, second]) {
      await vi.waitFor(async () => {
        const seen = await planes(agent);
        expect(seen?.host).toMatchObject({
          state: 'unreachable',
          failureKind: 'refused',
          reached: { from: 0, of: 2 },
          notFrom: ['default/n1', 'default/n2'],
        });
        expect(seen?.endpoint).toMatchObject({ reached: { from: 0, of: 1 } });
      }, polling);
      expect((await ask(agent.socketPath, '/v1beta/healthz')).status).toBe(200);
    }
    expect((await planes(first))?.endpoint?.state).toBe('unreachable');
    await expect
      .poll(() => meshprobe(first.socketPath, 'diagnose'), polling)
      .toMatchObject({
        code: 4,
        stdout: expect.stringContaining('can reach database (connection refused)') as string,
      });
    const shown = await meshprobe(second.socketPath, 'targets');
    expect(shown.stdout).toMatch(
      /^database host broken unreachable 0 of 2 nodes .* default\/n1, default\/n2$/m,
    );
    expect(shown.stdout).toMatch(/^database endpoint broken unknown 0 of 1 node .* default\/n1$/m);
    expect(await meshprobe(second.socketPath, 'targets', 'database')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('connection refused') as string,
    });
    expect(
      await meshprobe(first.socketPath, 'wait', '--target', 'database', '--timeout', '1s'),
    ).toMatchObject({ code: 4 });

    await startDatabase(databasePort);
    for (const agent of [first, second]) {
      await vi.waitFor(async () => {
        const seen = await planes(agent);
        expect(seen?.host).toMatchObject({ state: 'reachable', reached: { from: 2, of: 2 } });
        expect(seen?.endpoint).toMatchObject({ reached: { from: 1, of: 1 } });
      }, polling);
    }
    expect(first.agent.output).toContain('target is unreachable');
    expect(
      await meshprobe(first.socketPath, 'wait', '--target', 'database', '--timeout', '20s'),
    ).toMatchObject({ code: 0 });
    const events = await meshprobe(first.socketPath, 'events');
    expect(events.stdout).toMatch(/database .*unreachable/);
  }, 120_000);

  test('is not known any more, and a problem, when the file of its headers is gone', async () => {
    const server = createHttpServer((_, response) => response.end());
    const headersFile = bench.file('headers', 'Authorization: Bearer secret');
    const url = `http://127.0.0.1:${await listenForTest(server)}/`;
    const http = { url, headersFile };
    const targets = [{ name: 'database', http, from: 'host', interval: '1s' }];
    const file = bench.file('targets.yaml', JSON.stringify({ targets }));
    const { agent, socketPath } = startAgent('n1', '127.0.21.1', '--targets-file', file);
    const host = async () => (await targetOf(socketPath))?.planes.host;
    await expect.poll(host, polling).toMatchObject({ state: 'reachable' });
    rmSync(headersFile);
    await expect.poll(host, polling).toMatchObject({
      state: 'unknown',
      reason: expect.stringContaining('headersFile: ') as string,
    });
    const { body } = await ask(socketPath, '/v1beta/healthz');
    expect(body).toMatchObject({
      'problem-details': expect.arrayContaining([
        expect.objectContaining({
          code: 'not-sent',
          text: expect.stringContaining('database') as string,
        }),
      ]) as unknown[],
    });
    expect(agent.output).toContain('probes of a target could not be sent');
    writeFileSync(headersFile, '');
    await expect.poll(host, polling).toMatchObject({ state: 'reachable' });
    expect(JSON.stringify((await ask(socketPath, '/v1beta/healthz')).body)).not.toContain(
      'not-sent',
    );
  }, 60_000);

  test('has no endpoint plane on hosts without endpoints, from endpoints alone it says so', async () => {
    const tcp = `127.0.0.1:${databasePort}`;
    const targets = [
      { name: 'database', tcp, interval: '1s' },
      { name: 'pods-only', tcp, interval: '1s', from: 'endpoint' },
    ];
    const file = bench.file('targets.json', JSON.stringify({ targets }));
    const hosts = nodes.map(({ name, host }) => ({ name, host }));
    const [first] = hosts.map(({ name, host }) =>
      startAgentAmong(hosts, name, host, '--targets-file', file),
    );
    const socketPath = first?.socketPath ?? '';
    await expect
      .poll(() => targetOf(socketPath), polling)
      .toMatchObject({ verdict: 'ok', planes: { host: { reached: { from: 2, of: 2 } } } });
    expect(Object.keys((await targetOf(socketPath))?.planes ?? {})).toEqual(['host']);
    const list = await meshprobe(socketPath, 'targets');
    expect(list.stdout).toMatch(/^database host ok reachable 2 of 2 nodes /m);
    expect(list.stdout).not.toMatch(/^database endpoint /m);
    const matrix = await meshprobe(socketPath, 'matrix', '--target', 'database');
    expect(matrix.stdout).toMatch(/^o default\/n1 \S+$/m);
    expect(matrix.stdout).toMatch(/^ From host$/m);
    expect((await meshprobe(socketPath, 'targets', 'pods-only')).stdout).toContain(
      'unknown (no listed node has an endpoint)',
    );
  }, 60_000);

  test('gives no finding any more when the file has it no longer', async () => {
    const targets = [{ name: 'database', tcp: '127.0.0.1:9', from: 'host', interval: '1s' }];
    const file = bench.file('targets.json', JSON.stringify({ targets }));
    const agents = [1, 2].map((n) => startAgent(`n${n}`, `127.0.21.${n}`, '--targets-file', file));
    const findings = async (socketPath: string) => {
      const { body } = await ask(socketPath, '/v1/findings');
      return findingsSchema.parse(body).findings.map(({ target }) => target);
    };
    for (const { socketPath } of agents)
      await expect.poll(() => findings(socketPath), polling).toContain('database');
    writeFileSync(file, JSON.stringify({ targets: [] }));
    for (const { socketPath } of agents)
      await expect.poll(() => findings(socketPath), polling).not.toContain('database');
  }, 90_000);
});
