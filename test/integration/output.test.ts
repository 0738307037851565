import { spawn, spawnSync, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { constants, openSync, closeSync, writeSync, readSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { descriptorOf } from '../../agent/platform/socket-descriptor.js';
import { healthzOf, statusOf, useAgentBench } from './lib/agent-process.js';

const programOf = (name: string) =>
  fileURLToPath(new URL(`../../dist/${name}/main.js`, import.meta.url));

const bench = useAgentBench();
const open: number[] = [];
const sockets: Socket[] = [];
afterEach(() => {
  for (const end of sockets.splice(0)) end.destroy();
  for (const file of open.splice(0)) closeSync(file);
});

function opened(path: string, flags: number): number {
  const file = openSync(path, flags);
  open.push(file);
  return file;
}

/** Starts an agent that probes itself ten times a second and writes to the given output. */
function start(stdout: number | 'pipe', more: readonly string[] = []) {
  const socketPath = bench.path('n1.sock');
  const agent = bench.start(
    [...bench.loneAgent(), '--http-interval', '100ms', ...more],
    {},
    stdout,
  );
  return { agent, socketPath };
}

/** Two different probe times show that the agent is still probing. */
async function expectProbing(socketPath: string): Promise<void> {
  const lastProbed = async () =>
    (await statusOf(socketPath)).nodes[0]?.host?.['primary-address']?.http?.lastProbed;
  let first: string | null | undefined;
  await vi.waitFor(async () => expect((first = await lastProbed())).toBeDefined(), 15_000);
  await vi.waitFor(async () => expect(await lastProbed()).not.toBe(first), 15_000);
}

/** Makes a pipe that is completely full and has no reader. Returns its read end. */
function fullPipe(path: string): number {
  spawnSync('mkfifo', [path]);
  const end = opened(path, constants.O_RDWR | constants.O_NONBLOCK);
  for (const size of [4096, 1]) {
    try {
      for (;;) writeSync(end, Buffer.alloc(size, '.'));
    } catch {
      // EAGAIN means that no block of that size fits any more.
    }
  }
  return end;
}

/** A unix socket that is completely full. Returns its end, and a function that reads from the other one. */
async function fullSocket(path: string): Promise<{ end: number; read: () => () => string }> {
  const server = createServer({ pauseOnConnect: true }).listen(path);
  const accepted = once(server, 'connection') as Promise<[Socket]>;
  const end = connect(path);
  const [[reader]] = await Promise.all([accepted, once(end, 'connect')]);
  sockets.push(reader, end);
  server.close();
  // As much of it as fits is in the socket when this returns.
  end.write(Buffer.alloc(4 << 20, '.'));
  return {
    end: descriptorOf(end) ?? NaN,
    read: () => {
      // The rest of the dots stays here.
      end.destroy();
      let text = '';
      reader.on('data', (data: Buffer) => (text += data.toString())).resume();
      return () => text;
    },
  };
}

describe('an agent whose output goes nowhere', () => {
  test.each(['json', 'pretty'])('probes and answers on a full disk, with %s', async (format) => {
    const full = opened('/dev/full', constants.O_WRONLY);
    const { agent, socketPath } = start(full, ['--log-format', format]);
    await expectProbing(socketPath);
    agent.child.kill('SIGTERM');
    expect([await agent.exited, agent.errors]).toEqual([0, '']);
  });

  test('probes and answers when its reader goes away', async () => {
    const { agent, socketPath } = start('pipe');
    agent.child.stdout?.destroy();
    await expectProbing(socketPath);
    agent.child.kill('SIGTERM');
    expect([await agent.exited, agent.errors]).toEqual([0, '']);
  });

  test('probes and answers while its reader does not read, and continues the log afterwards', async () => {
    const end = fullPipe(bench.path('log'));
    const { agent, socketPath } = start(opened(bench.path('log'), constants.O_WRONLY));
    await expectProbing(socketPath);
    let read = '';
    const chunk = Buffer.alloc(65_536);
    await vi.waitFor(() => {
      read += chunk.toString('utf8', 0, readSync(end, chunk));
      expect(read).toContain('node list received');
    }, 15_000);
    agent.child.kill('SIGTERM');
    expect([await agent.exited, agent.errors]).toEqual([0, '']);
  });

  const responder = () => [
    ...['responder', '--listen-address', '127.0.4.1', '--probe-port', String(bench.port)],
  ];
  const untilAnswered = () =>
    vi.waitFor(
      async () => expect((await fetch(`http://127.0.4.1:${bench.port}/hello`)).status).toBe(200),
      15_000,
    );

  // As the journal of systemd.
  test('probes and answers while nobody reads its socket, and continues the log afterwards', async () => {
    const { end, read } = await fullSocket(bench.path('log'));
    const { agent, socketPath } = start(end);
    await expectProbing(socketPath);
    const text = read();
    await vi.waitFor(() => expect(text()).toContain('node list received'), 15_000);
    agent.child.kill('SIGTERM');
    expect([await agent.exited, agent.errors]).toEqual([0, '']);
  });

  test('answers as a responder while nobody reads its socket, and ends when it is told to', async () => {
    const { end } = await fullSocket(bench.path('log'));
    const agent = bench.start(responder(), {}, end);
    await untilAnswered();
    agent.child.kill('SIGTERM');
    expect([await agent.exited, agent.errors]).toEqual([0, '']);
  });

  test('does not disturb the responder by itself either', async () => {
    const full = opened('/dev/full', constants.O_WRONLY);
    const agent = bench.start(responder(), {}, full);
    await untilAnswered();
    agent.child.kill('SIGTERM');
    expect([await agent.exited, agent.errors]).toEqual([0, '']);
  });
});

describe('the CLI', () => {
  async function cli(args: readonly string[], stdio: StdioOptions, socketPath = '/no/such') {
    const env = { PATH: process.env['PATH'], MESHPROBE_SOCK: socketPath };
    const child = spawn(process.execPath, [programOf('cli'), ...args], { env, stdio });
    let errors = '';
    child.stderr?.on('data', (data: Buffer) => (errors += data.toString()));
    // The reader must be gone before the CLI writes anything.
    child.stdout?.destroy();
    const [code] = (await once(child, 'close')) as [number | null];
    return { code, errors };
  }

  test('says in one line that its output could not be written, and exits 1', async () => {
    const { socketPath } = start('pipe');
    await vi.waitFor(async () => expect(await healthzOf(socketPath)).toBeDefined(), 15_000);
    const full = opened('/dev/full', constants.O_WRONLY);
    for (const args of [['status'], ['status', '-o', 'json'], ['get'], ['--help']]) {
      expect(await cli(args, ['ignore', full, 'pipe'], socketPath)).toEqual({
        code: 1,
        errors: 'meshprobe: the output could not be written: no space left\n',
      });
    }
  });

  test('ends quietly if its reader closes the pipe', async () => {
    expect(await cli(['completion', 'bash'], ['ignore', 'pipe', 'pipe'])).toEqual({
      code: 0,
      errors: '',
    });
  });

  test('keeps its exit code even if the error cannot be written', async () => {
    const full = opened('/dev/full', constants.O_WRONLY);
    expect((await cli(['ping'], ['ignore', 'ignore', full])).code).toBe(3);
    expect((await cli(['nonsense'], ['ignore', 'ignore', full])).code).toBe(2);
  });
});

test.each([
  ['has colours', {}, true],
  ['has none with NO_COLOR', { NO_COLOR: '1' }, false],
])('the pretty log on a terminal %s', async (_, environment, isColoured) => {
  const nodes = bench.file('nodes.json', JSON.stringify({ nodes: [] }));
  const args = [
    '--nodes-file',
    nodes,
    '--socket-path',
    bench.path('n1.sock'),
    '--log-format',
    'pretty',
    '--listen-address',
    '127.0.4.1',
    '--probe-port',
    String(bench.port),
    '--health-listen',
    'off',
  ];
  const command = [process.execPath, programOf('agent'), ...args].join(' ');
  // `script` runs the agent on a terminal.
  const child = spawn('script', ['-qefc', `exec ${command}`, '/dev/null'], {
    env: { PATH: process.env['PATH'], TERM: 'xterm-256color', ...environment },
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  });
  try {
    let text = '';
    child.stdout.on('data', (data: Buffer) => (text += data.toString()));
    await vi.waitFor(() => expect(text).toContain('socket is answering'), 15_000);
    expect(text.includes('\u001b[3')).toBe(isColoured);
  } finally {
    const ended = once(child, 'close');
    if (child.pid !== undefined) process.kill(child.pid, 'SIGTERM');
    await ended;
  }
});
