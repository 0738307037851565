import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { decodeMatrixBytes } from '../../api/schema/v1/matrix-bytes.js';
import { nodeMatrixSchema } from '../../api/schema/v1/matrix.js';
import { AgentBench, ask, healthzOf, statusOf } from './lib/agent-process.js';
import { freePort } from './lib/free-port.js';

let bench: AgentBench;
let port: number;
beforeEach(async () => {
  bench = new AgentBench();
  port = await freePort();
});
afterEach(() => bench.close());

const root = join(import.meta.dirname, '../..');
const patience = { timeout: 20_000, interval: 100 };
const node = (n: number) => ({ name: `n${n}`, host: `127.0.8.${n}` });
const intervals = ['--icmp-interval', '200ms', '--http-interval', '500ms'];

function start(n: number, nodes: readonly object[], agentProgram?: string) {
  const path = bench.file(`nodes${n}.yaml`, JSON.stringify({ nodes }));
  const socketPath = bench.path(`n${n}.sock`);
  const ends = ['--node-name', `n${n}`, '--nodes-file', path, '--socket-path', socketPath];
  const listen = ['--probe-port', String(port), '--listen-address', `127.0.8.${n}`];
  const agent = bench.start([...ends, ...listen, ...intervals], {}, 'pipe', agentProgram);
  return { agent, socketPath };
}

/** The matrix of HTTP on the host plane, as an agent serves it. */
async function matrixOf(socketPath: string) {
  const path = '/v1/matrix?by=node&plane=host&protocol=http';
  const matrix = nodeMatrixSchema.parse((await ask(socketPath, path)).body);
  return { ...matrix, ...decodeMatrixBytes(matrix) };
}

describe('the matrix by node of real agents', () => {
  test('fills with the whole rows of peers once it is looked at, and they are renewed', async () => {
    const nodes = [1, 2, 3].map(node);
    const [first] = [start(1, nodes), start(2, nodes), start(3, nodes)];
    const fresh = async () => (await healthzOf(first.socketPath)).exchange?.observers.fresh;
    await vi.waitFor(async () => expect(await fresh()).toBe(2), patience);
    const rtts = async () => [...(await matrixOf(first.socketPath)).rtts];

    // Rows alone have no RTTs: only the own row has some until peers are asked for their whole ones.
    expect((await rtts()).slice(3)).toEqual([0, 0, 0, 0, 0, 0]);
    await vi.waitFor(
      async () => expect((await rtts()).every((rtt) => rtt > 0)).toBe(true),
      patience,
    );
    const { ages, states } = await matrixOf(first.socketPath);
    expect([...states]).toEqual(Array<number>(9).fill(2));
    expect(ages).toHaveLength(3);
    const before = (await healthzOf(first.socketPath)).exchange?.messages;
    expect(before).toMatchObject({ malformed: 0, unauthenticated: 0, source: 0 });

    // Whole rows come again and again: an age that grew falls again.
    const peerAge = async () => (await matrixOf(first.socketPath)).ages[1] ?? Infinity;
    let highest = await peerAge();
    await vi.waitFor(async () => {
      const age = await peerAge();
      const fell = age < highest;
      highest = Math.max(highest, age);
      expect(fell).toBe(true);
    }, patience);
  });

  test('fills too where the node lists of two agents differ', async () => {
    const first = start(1, [1, 2, 3].map(node));
    start(2, [1, 2, 4].map(node));
    const row = async () => [...(await matrixOf(first.socketPath)).states].slice(3, 6);
    // Of the third node the second agent knows nothing.
    await vi.waitFor(async () => expect(await row()).toEqual([2, 2, 0]), patience);
  });
});

/**
 * All that an agent answers to those bytes, with the date left out. Version 0.1.0 kept a connection for three seconds
 * more where it was asked to; today each connection is good for one request, as HTTP allows any server to say.
 */
async function answerTo(host: string, request: string): Promise<string> {
  const socket = connect(port, host);
  socket.setEncoding('latin1');
  let text = '';
  socket.on('data', (chunk: string) => (text += chunk));
  socket.write(request);
  await once(socket, 'close');
  return text
    .replace(/Date: [^\r]+/, 'Date: now')
    .replace('Connection: keep-alive\r\nKeep-Alive: timeout=3\r\n', 'Connection: close\r\n');
}

const exchangeOf = (from: string) =>
  `meshprobe-exchange: 1;from=default/${from};to=default/n1;nonce=abcdefghijklmnop\r\n`;

/** What strangers, Cilium and kubelets ask, and what claims to be a peer and is none. */
const strangers = [
  'GET /hello HTTP/1.1\r\nHost: 127.0.8.1:4240\r\nUser-Agent: Go-http-client/1.1\r\n\r\n',
  'GET /hello HTTP/1.1\r\nHost: x\r\nConnection: keep-alive\r\n\r\n',
  'GET /hello HTTP/1.0\r\n\r\n',
  'HEAD /hello HTTP/1.1\r\nHost: x\r\n\r\n',
  `GET /hello HTTP/1.1\r\nHost: x\r\n${exchangeOf('n2')}\r\n`,
  `GET /hello HTTP/1.1\r\nHost: x\r\n${exchangeOf('unlisted')}\r\n`,
  'GET /hello HTTP/1.1\r\nHost: x\r\nmeshprobe-exchange: 1;from=\r\n\r\n',
  'GET /hello HTTP/1.1\r\nHost: x\r\nmeshprobe-exchange: 2;later\r\n\r\n',
];

/** The last commit whose agents exchange nothing. */
const oldCommit = '8e0aa3e3c0c454e6cf199d2865173bf85e4169ed';

function isInHistory(commit: string): boolean {
  try {
    execFileSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: root, stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

describe('an agent of before exchanges and one of today', () => {
  let folder = '';
  const canBuild = isInHistory(oldCommit);

  beforeAll(() => {
    if (!canBuild) return;
    folder = mkdtempSync(join(tmpdir(), 'meshprobe-old-'));
    mkdirSync(join(folder, 'src'));
    const archive = execFileSync('git', ['archive', oldCommit], {
      cwd: root,
      maxBuffer: 256 * 1024 * 1024,
    });
    execFileSync('tar', ['-x', '-C', join(folder, 'src')], { input: archive });
    symlinkSync(join(root, 'node_modules'), join(folder, 'src', 'node_modules'));
    execFileSync(process.execPath, ['scripts/build.js'], { cwd: join(folder, 'src') });
  }, 120_000);

  afterAll(() => {
    if (folder !== '') rmSync(folder, { recursive: true, force: true });
  });

  test('probe each other without a word in either log, and the old one is an observer without a row', async ({
    skip,
  }) => {
    if (!canBuild) skip(`the history of this checkout does not have the commit ${oldCommit}`);
    const nodes = [1, 2].map(node);
    const today = start(1, nodes);
    const old = start(2, nodes, join(folder, 'src/dist/agent/main.js'));
    for (const { socketPath } of [today, old]) {
      await vi.waitFor(async () => {
        const { nodes: seen } = await statusOf(socketPath);
        const states = seen.map(({ host }) => host?.['primary-address']?.http?.state);
        expect(states).toEqual(['reachable', 'reachable']);
      }, patience);
    }
    // Some rounds of GETs more, each way.
    await vi.waitFor(async () => {
      const { http } = (await statusOf(today.socketPath)).nodes[1]?.host?.['primary-address'] ?? {};
      expect(Date.parse(http?.lastProbed ?? '')).toBeGreaterThan(
        Date.parse(http?.since ?? '') + 3000,
      );
    }, patience);
    const { exchange } = await healthzOf(today.socketPath);
    expect(exchange).toMatchObject({
      observers: { fresh: 0, stale: 0, silent: 1 },
      messages: { malformed: 0, unauthenticated: 0, source: 0 },
    });
    for (const { agent } of [today, old]) {
      expect(agent.errors).toBe('');
      const lines = agent.output
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as { level: number });
      // 30 is `info`: nothing is worth a warning.
      expect(lines.filter(({ level }) => level > 30)).toEqual([]);
      expect(agent.output).not.toMatch(/exchange|malformed|refused|hint/);
    }
  });

  test('answer a stranger with the same bytes, but that today each connection ends with its answer', async ({
    skip,
  }) => {
    if (!canBuild) skip(`the history of this checkout does not have the commit ${oldCommit}`);
    const nodes = [1, 2].map(node);
    const today = start(1, nodes);
    const old = start(2, nodes, join(folder, 'src/dist/agent/main.js'));
    for (const { agent } of [today, old]) {
      await vi.waitFor(() => expect(agent.output).toContain('node list received'), patience);
    }
    const answersOf = (host: string) =>
      Promise.all(strangers.map((request) => answerTo(host, request)));
    const [answers, before] = await Promise.all(['127.0.8.1', '127.0.8.2'].map(answersOf));
    expect(answers).toEqual(before);
    for (const answer of answers ?? []) expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  });
});
