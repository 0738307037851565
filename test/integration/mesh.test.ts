import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runCli } from '../resources/program.js';
import { freeMeshPort, isAlive, pidsOf, polling, useMeshes, type Run } from './lib/mesh-program.js';

const { start, startReady } = useMeshes();

function socketsOf(run: Run): string[] {
  return run
    .output()
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.endsWith('.sock'));
}

const pageUrl =
  /^The page, as default\/node1 sees it, for a browser: (http:\/\/127\.0\.1\.1:(\d+)\/)$/m;

describe('the local mesh', () => {
  test('has a guide whose commands all work, and that ends with the page', async () => {
    const run = await startReady('--nodes', '2', '--probe-port', String(await freeMeshPort()));
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

  test('says where its first node serves the API, whichever ports are taken', async () => {
    const taken = createServer().listen(4242, '127.0.1.1');
    // If another process has taken this port, the test works as well.
    taken.on('error', () => undefined);
    try {
      const run = await startReady('--nodes', '1', '--probe-port', String(await freeMeshPort()));
      const url = pageUrl.exec(run.output());
      expect(Number(url?.[2])).toBeGreaterThan(4242);
      const answer = await fetch(`${url?.[1]}v1beta/status`);
      expect(answer.status).toBe(200);
    } finally {
      taken.close();
    }
  });

  test('says in one line that there is no folder for temporary files', async () => {
    const run = start({ TMPDIR: '/nowhere' }, '--probe-port', String(await freeMeshPort()));
    expect(await run.exited).toBe(1);
    expect(run.output()).toMatch(
      /^mesh: expected TMPDIR to be a folder that can be written, got \/nowhere: ENOENT.*\n$/m,
    );
    expect(run.output()).not.toContain('    at ');
  });

  test('leaves no process and no file behind, even of frozen ones, and exits with 0', async () => {
    const run = await startReady('--nodes', '2', '--probe-port', String(await freeMeshPort()));
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
    const run = await startReady('--nodes', '2', '--probe-port', String(await freeMeshPort()));
    const pids = pidsOf(run, 'freeze both');
    const [socket = ''] = socketsOf(run);

    run.process.kill('SIGKILL');
    await run.exited;
    await expect.poll(() => pids.filter(isAlive), polling).toEqual([]);
    await expect.poll(() => existsSync(dirname(socket)), polling).toBe(false);
  });

  test('is refused in one line if another mesh runs', async () => {
    const port = String(await freeMeshPort());
    await startReady('--nodes', '1', '--probe-port', port);
    const second = start({}, '--nodes', '1', '--probe-port', port);
    expect(await second.exited).toBe(1);
    expect(second.output()).toMatch(
      new RegExp(`^mesh: cannot listen on 127\\.0\\.1\\.1, port ${port}: it is taken; .+\\n$`),
    );
  });

  test('ends with 1 and names the process that died, and why', async () => {
    const run = await startReady('--nodes', '2', '--probe-port', String(await freeMeshPort()));
    const [agent = 0] = pidsOf(run, 'freeze its agent');
    process.kill(agent, 'SIGKILL');
    expect(await run.exited).toBe(1);
    expect(run.output()).toContain('mesh: the agent of default/node2 ended by SIGKILL: ');
  });

  test('refuses a bad argument in one line, with exit code 2', async () => {
    const run = start({}, '--nodes', '0');
    expect(await run.exited).toBe(2);
    expect(run.output()).toBe('mesh: --nodes: expected a whole number from 1 to 50, got "0"\n');
  });
});
