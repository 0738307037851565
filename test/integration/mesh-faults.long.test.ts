import { describe, expect, test } from 'vitest';
import { freeMeshPort, isAlive, pidsOf, polling, useMeshes, type Run } from './lib/mesh-program.js';
import { runHere } from './lib/run-here.js';

const { startReady } = useMeshes();

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

describe('the faults of the guide of the local mesh', () => {
  test('shows each of the four outcomes of a frozen agent and a frozen endpoint', async () => {
    const run = await startReady('--nodes', '3', '--probe-port', String(await freeMeshPort()));
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
    const run = await startReady('--probe-port', String(await freeMeshPort()));
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
});
