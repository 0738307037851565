import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { freePort } from './lib/free-port.js';
import { runHere } from './lib/run-here.js';
import { runCli } from '../resources/program.js';

const program = join(import.meta.dirname, '../../dist/mesh/main.js');
let running: Run[] = [];

interface Run {
  readonly process: ChildProcess;
  readonly exited: Promise<number | null>;
  output(): string;
}

function startMesh(environment: NodeJS.ProcessEnv, ...args: string[]): Run {
  const child = spawn(process.execPath, [program, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...environment },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
  }
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve));
  const run = { process: child, exited, output: () => output };
  running.push(run);
  return run;
}

afterEach(async () => {
  for (const run of running) {
    run.process.kill('SIGTERM');
    await run.exited;
  }
  running = [];
});

/** A port that is free on the mesh's first address. It is probably free on the others too. */
const freeMeshPort = () => freePort('127.0.1.1');

const polling = { timeout: 40_000, interval: 100 };
const slowPolling = { timeout: 60_000, interval: 500 };

/** Runs `meshprobe diagnose` against the agent of a socket. */
const diagnose = (socket: string) => runHere(['diagnose'], { MESHPROBE_SOCK: socket });

/** Waits until the last printed table has a matching row for the node. */
async function untilRow(run: Run, node: string, columns: RegExp): Promise<void> {
  const lastRow = (): string | undefined =>
    run
      .output()
      .split('\n')
      .filter((line) => line.trimStart().startsWith(`${node} `))
      .at(-1);
  await expect.poll(lastRow, polling).toMatch(columns);
}

/** The process ids in the printed line `kill SIGNAL PID... # what`. */
function pidsOf(run: Run, what: string): number[] {
  const line =
    run
      .output()
      .split('\n')
      .find((line) => line.includes(`# ${what}`)) ?? '';
  return [...line.replace(/#.*/, '').matchAll(/\d+/g)].map(([pid]) => Number(pid));
}

/** A zombie has no command line and counts as ended. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !existsSync('/proc/self') || readFileSync(`/proc/${pid}/cmdline`, 'utf8') !== '';
  } catch {
    return false;
  }
}

function socketsOf(run: Run): string[] {
  return run
    .output()
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.endsWith('.sock'));
}

async function startReadyMesh(...args: string[]): Promise<Run> {
  const run = startMesh({}, ...args);
  await expect.poll(() => run.output(), polling).toContain('Cluster health:');
  return run;
}

const pageUrl =
  /^The page, as default\/node1 sees it, for a browser: (http:\/\/127\.0\.1\.1:(\d+)\/)$/m;

describe('the local mesh', () => {
  test('has a guide whose commands all work, and that ends with the page', async () => {
    const run = await startReadyMesh('--nodes', '2', '--probe-port', String(await freeMeshPort()));
    const [guide = ''] = run.output().split('Cluster health:');
    const commands = guide
      .split('\n')
      .flatMap((line) => /^ {2}MESHPROBE_SOCK=(\S+) npx meshprobe (.+?) +# /.exec(line) ?? [])
      .filter((_, index) => index % 3 === 2);
    expect(commands).toEqual(['diagnose', 'status', 'matrix', 'events --follow', 'wait --for 5s']);
    const [socket = ''] = socketsOf(run);
    for (const command of commands) {
      const args = command.replace(' --follow', '').split(' ');
      const env = { ...process.env, MESHPROBE_SOCK: socket };
      const { code, stdout } = await runCli([...args, '--timeout', '20s'], { env });
      expect([command, stdout]).toEqual([command, expect.stringMatching(/./)]);
      // The cluster may be too young for a verdict.
      expect([0, 4]).toContain(code);
    }
    const lines = guide.trim().split('\n');
    const [, url = ''] = pageUrl.exec(lines.at(-1) ?? '') ?? [];
    const answer = await fetch(url);
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('<html')]);
  });

  test('shows each of the four outcomes of a frozen agent and a frozen endpoint', async () => {
    const run = await startReadyMesh('--nodes', '3', '--probe-port', String(await freeMeshPort()));
    // An agent that may not send ICMP reports `unknown` for healthy paths.
    const fine = run.output().includes('ICMP stays unknown') ? 'unknown' : 'reachable';
    const [agent = 0] = pidsOf(run, 'freeze its agent');
    const [endpoint = 0] = pidsOf(run, 'freeze its endpoint');
    expect(isAlive(agent) && isAlive(endpoint)).toBe(true);
    const becomes = (node: string, endpoints: string) =>
      untilRow(run, 'default/node2', new RegExp(`127\\.0\\.1\\.2 +${node} +${endpoints}$`));

    await becomes(fine, fine);
    if (fine === 'reachable')
      await expect.poll(() => run.output(), polling).toContain('3/3 reachable');
    process.kill(agent, 'SIGSTOP');
    await becomes('unreachable', fine);
    process.kill(endpoint, 'SIGSTOP');
    await becomes('unreachable', 'unreachable');
    process.kill(agent, 'SIGCONT');
    await becomes(fine, 'unreachable');
    process.kill(endpoint, 'SIGCONT');
    await becomes(fine, fine);
  });

  test('diagnoses a fault of the second node on the last one, with the command of its guide', async () => {
    const run = await startReadyMesh('--probe-port', String(await freeMeshPort()));
    const guide = run.output().split('\n');
    const asked = guide.findIndex((line) => line.includes('now ask another node why'));
    const command = /^ {2}MESHPROBE_SOCK=(\S+node4\.sock) npx meshprobe diagnose$/;
    const [, socket = ''] = command.exec(guide[asked + 1] ?? '') ?? [];
    expect(socket).not.toBe('');
    await expect.poll(() => diagnose(socket), polling).toMatchObject({ code: 0 });
    for (const [what, cause] of [
      ['freeze its agent', 'the agent of default/node2 '],
      ['freeze its endpoint', 'the server at the endpoint of default/node2 '],
    ] as const) {
      const [pid = 0] = pidsOf(run, what);
      process.kill(pid, 'SIGSTOP');
      await expect
        .poll(() => diagnose(socket), slowPolling)
        .toMatchObject({
          code: 4,
          stdout: expect.stringContaining(cause) as string,
        });
      process.kill(pid, 'SIGCONT');
      await expect.poll(() => diagnose(socket), slowPolling).toMatchObject({ code: 0 });
    }
  }, 180_000);

  test('says where its first node serves the API, whichever ports are taken', async () => {
    const taken = createServer().listen(4242, '127.0.1.1');
    // If another process has taken this port, the test works as well.
    taken.on('error', () => undefined);
    try {
      const run = await startReadyMesh(
        '--nodes',
        '1',
        '--probe-port',
        String(await freeMeshPort()),
      );
      const url = pageUrl.exec(run.output());
      expect(Number(url?.[2])).toBeGreaterThan(4242);
      const answer = await fetch(`${url?.[1]}v1beta/status`);
      expect(answer.status).toBe(200);
    } finally {
      taken.close();
    }
  });

  test('says in one line that there is no folder for temporary files', async () => {
    const run = startMesh({ TMPDIR: '/nowhere' }, '--probe-port', String(await freeMeshPort()));
    expect(await run.exited).toBe(1);
    expect(run.output()).toMatch(
      /^mesh: expected TMPDIR to be a folder that can be written, got \/nowhere: ENOENT.*\n$/m,
    );
    expect(run.output()).not.toContain('    at ');
  });

  test('leaves no process and no file behind, even of frozen ones, and exits with 0', async () => {
    const run = await startReadyMesh('--nodes', '2', '--probe-port', String(await freeMeshPort()));
    const pids = pidsOf(run, 'freeze both');
    const [socket = ''] = socketsOf(run);
    expect(pids).toHaveLength(2);
    expect(existsSync(socket)).toBe(true);

    for (const pid of pids) process.kill(pid, 'SIGSTOP');
    run.process.kill('SIGINT');
    expect(await run.exited).toBe(0);
    expect(pids.filter(isAlive)).toEqual([]);
    expect(existsSync(dirname(socket))).toBe(false);
  });

  test('leaves nothing behind if it is killed itself', async () => {
    const run = await startReadyMesh('--nodes', '2', '--probe-port', String(await freeMeshPort()));
    const pids = pidsOf(run, 'freeze both');
    const [socket = ''] = socketsOf(run);

    run.process.kill('SIGKILL');
    await run.exited;
    await expect.poll(() => pids.filter(isAlive), polling).toEqual([]);
    await expect.poll(() => existsSync(dirname(socket)), polling).toBe(false);
  });

  test('is refused in one line if another mesh runs', async () => {
    const port = String(await freeMeshPort());
    await startReadyMesh('--nodes', '1', '--probe-port', port);
    const second = startMesh({}, '--nodes', '1', '--probe-port', port);
    expect(await second.exited).toBe(1);
    expect(second.output()).toMatch(
      new RegExp(`^mesh: cannot listen on 127\\.0\\.1\\.1, port ${port}: it is taken; .+\\n$`),
    );
  });

  test('ends with 1 and names the process that died, and why', async () => {
    const run = await startReadyMesh('--nodes', '2', '--probe-port', String(await freeMeshPort()));
    const [agent = 0] = pidsOf(run, 'freeze its agent');
    process.kill(agent, 'SIGKILL');
    expect(await run.exited).toBe(1);
    expect(run.output()).toContain('mesh: the agent of default/node2 ended by SIGKILL: ');
  });

  test('refuses a bad argument in one line, with exit code 2', async () => {
    const run = startMesh({}, '--nodes', '0');
    expect(await run.exited).toBe(2);
    expect(run.output()).toBe('mesh: --nodes: expected a whole number from 1 to 50, got "0"\n');
  });
});
