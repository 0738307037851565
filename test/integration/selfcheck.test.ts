import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import {
  componentsReportSchema,
  healthAnswerSchema,
  type HealthAnswer,
} from '../../api/schema/kubelet.js';
import { createClient } from '../../api/client/client.js';
import { listenForTest } from '../resources/test-server.js';
import { healthzOf, type AgentProcess, useAgentBench } from './lib/agent-process.js';
import { freePort } from './lib/free-port.js';

const bench = useAgentBench();

const polling = { timeout: 40_000, interval: 50 };
const node = (n: number) => ({ name: `n${n}`, host: `127.0.7.${n}` });
const nodesFile = (...nodes: object[]) => bench.file('nodes.yaml', JSON.stringify({ nodes }));

/** The flags that each agent here has. */
function flagsOf(n: number, path: string, socketPath: string): string[] {
  return [
    ...['--node-name', `n${n}`, '--nodes-file', path, '--socket-path', socketPath],
    ...['--listen-address', `127.0.7.${n}`, '--probe-port', String(bench.port)],
  ];
}

/** Starts an agent without ICMP and waits for its health port. */
async function start(n: number, path: string, ...more: string[]) {
  const socketPath = bench.path(`n${n}.sock`);
  const agent = bench.start([
    ...flagsOf(n, path, socketPath),
    ...['--icmp-engine', 'off', '--http-interval', '200ms', '--probe-timeout', '300ms'],
    ...['--health-listen', '127.0.0.1:0', ...more],
  ]);
  return { agent, socketPath, at: await healthPort(agent) };
}

async function healthPort(agent: AgentProcess): Promise<string> {
  const line = /"port":(\d+),"msg":"health port is listening"/;
  await vi.waitFor(() => expect(agent.output).toMatch(line), polling);
  return `127.0.0.1:${line.exec(agent.output)?.[1] ?? ''}`;
}

async function ask(at: string, path: string): Promise<{ status: number; body: unknown }> {
  const answer = await fetch(`http://${at}${path}`);
  return { status: answer.status, body: await answer.json() };
}

const verdict = async (at: string, path: string): Promise<HealthAnswer> =>
  healthAnswerSchema.parse((await ask(at, path)).body);

async function becomes(at: string, path: string, status: number): Promise<void> {
  await vi.waitFor(async () => expect((await ask(at, path)).status).toBe(status), polling);
}

async function check(...args: string[]) {
  const command = bench.start(['check', ...args]);
  const code = await command.exited;
  return { code, output: command.output, lines: command.errors.split('\n').slice(0, -1) };
}

/** Listens on a free port and treats each connection as the test says. */
async function peer(behave: (socket: Socket) => void): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    behave(socket);
  });
  return `127.0.0.1:${await listenForTest(server)}`;
}

describe('a starting agent', () => {
  test('is alive, but not ready until every peer was reached once', async () => {
    const path = nodesFile(node(1), node(2));
    const first = await start(1, path);
    await vi.waitFor(async () => {
      expect((await verdict(first.at, '/readiness')).reasons).toEqual([
        expect.stringMatching(/^peers: 0 of 1 reached since the start, \d+ s left to wait/),
      ]);
    }, polling);
    expect((await ask(first.at, '/liveness')).status).toBe(200);
    expect(await check('--live', '--health-listen', first.at)).toMatchObject({ code: 0 });
    expect(await check('--live', '--ready', '--health-listen', first.at)).toMatchObject({
      code: 1,
      lines: [expect.stringMatching(/^not ready: peers: 0 of 1 reached/)],
    });

    const second = await start(2, path);
    await becomes(first.at, '/readiness', 200);
    await becomes(second.at, '/readiness', 200);
    expect(await check('--live', '--ready', '--health-listen', first.at)).toEqual({
      code: 0,
      output: 'live and ready\n',
      lines: [],
    });
    expect((await ask(first.at, '/healthz')).status).toBe(200);
    // The notes still name what the agent cannot do.
    expect((await verdict(first.at, '/readiness')).notes).toEqual([
      expect.stringContaining('icmp: ICMP is switched off'),
    ]);
    const { status, body } = await ask(first.at, '/status');
    expect(status).toBe(200);
    expect(Object.keys(componentsReportSchema.parse(body).components).sort()).toEqual([
      'api-socket',
      'config',
      'event-loop',
      'first-sweep',
      'http',
      'icmp',
      'local-node',
      'memory',
      'node-source',
      'peers',
      'responder',
      'scheduler',
    ]);

    // A ready agent stays ready while one peer answers. No peer answers here, but the readiness
    // window is still open.
    second.agent.child.kill('SIGTERM');
    expect(await second.agent.exited).toBe(0);
    expect((await ask(first.at, '/readiness')).status).toBe(200);
    // The log says it at the next report, which comes later than the answer.
    await vi.waitFor(() => expect(first.agent.output).toMatch(/"the agent is ready"/), polling);
    first.agent.child.kill('SIGTERM');
    expect(await first.agent.exited).toBe(0);
    expect(first.agent.output.match(/"the agent is ready"/g)).toHaveLength(1);
  });

  test('says that it waits for the node list, and since when, while that is being read', async () => {
    const listed = Array.from({ length: 100_000 }, (_, i) => ({
      name: `n${i}`,
      host: `127.${1 + (i >> 16)}.${(i >> 8) & 255}.${i & 255}`,
    }));
    const { at, socketPath } = await start(1, nodesFile(...listed));
    const [ready, live, { problems }] = await Promise.all([
      verdict(at, '/readiness'),
      ask(at, '/liveness'),
      healthzOf(socketPath),
    ]);
    const words = /waiting for the nodes file \S+ since \d{4}-.*Z: there is no node list yet$/;
    expect(ready.reasons).toContainEqual(expect.stringMatching(words));
    expect(problems).toContainEqual(expect.stringMatching(words));
    expect(live.status).toBe(200);
  });

  test('is ready without any peer', async () => {
    const { at } = await start(1, nodesFile(node(1)));
    await becomes(at, '/readiness', 200);
  });
});

describe('an agent past its readiness window', () => {
  test('is ready with one reachable peer of three, and not with none', async () => {
    const path = nodesFile(node(1), node(2), node(3), node(4));
    const second = await start(2, path);
    const { at, socketPath } = await start(1, path, '--readiness-window', '0s');
    await becomes(at, '/readiness', 200);
    second.agent.child.kill('SIGTERM');
    await becomes(at, '/readiness', 503);
    expect((await verdict(at, '/readiness')).reasons).toEqual([
      expect.stringMatching(/^peers: 0 of 3 reachable, not \S+n2, \S+n3, \S+n4$/),
    ]);
    expect((await ask(at, '/liveness')).status).toBe(200);
    await vi.waitFor(
      async () =>
        expect((await healthzOf(socketPath)).problems).toContainEqual(
          expect.stringMatching(/^peers: 0 of 3 reachable, not /),
        ),
      polling,
    );
  });
});

describe('an agent in trouble', () => {
  test('is not alive past its memory limit, and says so', async () => {
    const { at } = await start(1, nodesFile(node(1)), '--max-memory-mib', '16');
    await becomes(at, '/liveness', 503);
    const words = /memory: \d+ MiB resident, max-memory-mib 16$/;
    expect((await verdict(at, '/liveness')).reasons).toEqual([expect.stringMatching(words)]);
    const { code, lines } = await check('--live', '--health-listen', at);
    expect([code, lines]).toEqual([1, [expect.stringMatching(words)]]);
  });

  test('sees at once in /healthz that its socket is gone, and makes it again once there is a folder', async () => {
    const folder = bench.path('run');
    mkdirSync(folder);
    const socketPath = join(folder, 'n1.sock');
    const { agent, at } = await start(1, nodesFile(node(1)), '--socket-path', socketPath);
    await becomes(at, '/healthz', 200);
    rmSync(folder, { recursive: true });
    const { status, body } = await ask(at, '/healthz');
    expect(status).toBe(503);
    expect(body).toMatchObject({ reasons: [`api-socket: ${socketPath} is gone`] });
    await vi.waitFor(() => {
      expect(agent.output).toContain(`there is no folder ${folder}`);
    }, polling);
    mkdirSync(folder);
    await becomes(at, '/healthz', 200);
    expect(agent.output).toContain('the socket was gone and is made again');
    agent.child.kill('SIGTERM');
    expect(await agent.exited).toBe(0);
    expect(readdirSync(folder)).toEqual([]);
  });

  test('exits 1 with one line where the health port is taken, and leaves no socket', async () => {
    const at = await peer((socket) => socket.end());
    const socketPath = bench.path('n1.sock');
    const agent = bench.start([
      ...flagsOf(1, nodesFile(node(1)), socketPath),
      ...['--health-listen', at],
    ]);
    expect(await agent.exited).toBe(1);
    expect(agent.errors).toMatch(
      /^meshprobe-agent: health-listen: cannot listen on 127\.0\.0\.1, port \d+: the port is taken; choose another --health-listen\n$/,
    );
    expect(existsSync(socketPath)).toBe(false);
  });

  test('runs without a health port if the default one is taken, and says so', async () => {
    // Either this test or another process holds the port now.
    await listenForTest(createServer(), 4241).catch(() => undefined);
    const socketPath = bench.path('n1.sock');
    bench.start(flagsOf(1, nodesFile(node(1)), socketPath), { MESHPROBE_HEALTH_LISTEN: '' });
    const client = createClient({ address: { kind: 'unix', path: socketPath }, timeoutMs: 5000 });
    await vi.waitFor(async () => {
      const { problems } = await client.daemonHealth();
      expect(problems).toEqual([
        'there is no health port: health-listen: cannot listen on 127.0.0.1, port 4241: the port is taken; choose another --health-listen',
      ]);
    }, polling);
  });
});

describe('meshprobe-agent check', () => {
  test('says that a frozen agent does not answer, once for each question', async () => {
    const { agent, at } = await start(1, nodesFile(node(1)));
    agent.child.kill('SIGSTOP');
    const flags = ['--live', '--ready', '--timeout', '300ms', '--health-listen', at];
    expect(await check(...flags)).toMatchObject({
      code: 1,
      lines: [
        `not live: ${at} did not answer within 300 ms`,
        `not ready: ${at} did not answer within 300 ms`,
      ],
    });
    agent.child.kill('SIGCONT');
    expect(await check('--live', '--health-listen', at)).toMatchObject({
      code: 0,
      output: 'live\n',
      lines: [],
    });
  });

  test('says that nothing listens', async () => {
    const at = `127.0.0.1:${await freePort()}`;
    expect(await check('--live', '--health-listen', at)).toMatchObject({
      code: 1,
      lines: [`not live: nothing listens on ${at}`],
    });
  });

  test('takes the port from the flag, or else from the environment', async () => {
    const at = `127.0.0.1:${await freePort()}`;
    const command = bench.start(['check', '--live'], { MESHPROBE_HEALTH_LISTEN: at });
    expect(await command.exited).toBe(1);
    expect(command.errors).toBe(`not live: nothing listens on ${at}\n`);
  });

  test.each([
    ['garbage', '\0\xffgarbage', /^not live: 127\.0\.0\.1:\d+: /],
    [
      'an answer of something else',
      'HTTP/1.1 404 No\r\nconnection: close\r\n\r\n',
      /^not live: 127\.0\.0\.1:\d+ answered 404$/,
    ],
    ['nothing', '', /^not live: 127\.0\.0\.1:\d+: /],
    [
      'half an answer',
      'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{',
      /^not live: 127\.0\.0\.1:\d+ broke off its answer$/,
    ],
    [
      'reasons made to fool a terminal',
      'HTTP/1.1 503 No\r\nconnection: close\r\n\r\n{"reasons":["a\\u001b[2J\\nb",7]}',
      /^not live: a\\x1b\[2J\\x0ab$/,
    ],
  ])('takes %s for a failure, in one line', async (_, bytes, line) => {
    const at = await peer((socket) => socket.once('data', () => socket.end(bytes, 'latin1')));
    const { code, lines } = await check('--live', '--health-listen', at);
    expect([code, lines]).toEqual([1, [expect.stringMatching(line)]]);
  });

  test('gives up on an answer without end', async () => {
    const head = 'HTTP/1.1 200 OK\r\ncontent-length: 99999999\r\n\r\n';
    const at = await peer((socket) =>
      socket.once('data', () => socket.write(head + 'x'.repeat(400_000))),
    );
    expect(await check('--ready', '--health-listen', at)).toMatchObject({
      code: 1,
      lines: [`not ready: ${at} answered more than 262144 bytes`],
    });
  });

  test.each([
    ['neither question', [], 'check: expected --live, --ready or both, got neither'],
    ['an unknown flag', ['--alive'], "Unknown option '--alive'"],
    ['an argument', ['--live', 'now'], "Unexpected argument 'now'"],
    ['a bad timeout', ['--live', '--timeout', '5'], 'timeout: expected a duration'],
    [
      'a bad address',
      ['--live', '--health-listen', 'here'],
      'health-listen: expected host:port, [ipv6]:port or a port alone, got "here" (flag --health-listen)',
    ],
    [
      'a health port that is off',
      ['--live'],
      'got "off" (environment variable MESHPROBE_HEALTH_LISTEN)',
    ],
  ])('exits 2 with one line for %s', async (_, args, words) => {
    const { code, lines, output } = await check(...args);
    expect([code, lines.length, output]).toEqual([2, 1, '']);
    expect(lines[0]).toContain(words);
  });

  test('has help with examples', async () => {
    const { code, output } = await check('--help');
    expect(code).toBe(0);
    expect(output).toContain('Examples:\n  meshprobe-agent check --live');
  });
});
