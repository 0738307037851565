import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { NodeEntry } from '../../api/schema/v1/nodes.js';
import type { Summary } from '../../api/schema/v1/summary.js';
import { AgentBench, ask } from './lib/agent-process.js';
import { freePort } from './lib/free-port.js';
import { runHere } from './lib/run-here.js';

// Three agents on loopback, with lists in which a node has fewer or more addresses than one of each plane.

const bench = new AgentBench();
const polling = { timeout: 60_000, interval: 100 };
const numbers = [1, 2, 4];
const hostOf = (n: number) => `127.0.23.${n}`;
const nodeOf = (n: number, host: string | string[] = hostOf(n)) => ({
  name: `n${n}`,
  host,
  endpoint: `127.0.24.${n}`,
});

/** Gives the agents another list; they read it when they find that the file has changed. */
function list(...nodes: readonly object[]): void {
  writeFileSync(bench.path('nodes.json'), JSON.stringify({ nodes }));
}

beforeAll(async () => {
  bench.port = await freePort();
  list(...numbers.map((n) => nodeOf(n)));
  for (const n of numbers) {
    bench.startNode({
      ...{ name: `n${n}`, nodes: bench.path('nodes.json') },
      listen: [hostOf(n), `127.0.24.${n}`],
      more: ['--http-interval', '1s', '--state-folder', 'off'],
    });
  }
  const isSeen = async () => /3 active nodes, by 3 of 3/.test(await first('diagnose'));
  await vi.waitUntil(isSeen, polling);
}, 90_000);
afterAll(() => bench.close());

const run = (...argv: readonly string[]) =>
  runHere(argv, { MESHPROBE_SOCK: bench.path('n1.sock') });

/** The first line that a command prints; empty while there is no agent. */
const first = async (...argv: readonly string[]) =>
  (await run(...argv).catch(() => undefined))?.stdout.split('\n', 1)[0] ?? '';

const entryOf = async (name: string) =>
  (await ask(bench.path('n1.sock'), `/v1/nodes/${name}`)).body as Partial<NodeEntry>;

describe('a listed node', () => {
  test('without a host address is excluded, not well, and its endpoint is probed all the same', async () => {
    list(
      ...numbers.map((n) => nodeOf(n)),
      { name: 'bare' },
      { name: 'half', endpoint: '127.0.24.9' },
    );
    const half = async () => (await entryOf('half')).paths?.endpoint?.icmp?.state;
    await expect.poll(half, polling).toBe('reachable');
    const without = {
      lifecycle: { phase: 'excluded', reason: 'no address' },
      verdict: 'excluded',
    };
    expect(await entryOf('bare')).toMatchObject({ ...without, seenBy: { reachable: 0 } });
    expect(await entryOf('half')).toMatchObject(without);
    expect(await first('nodes')).toBe('5 nodes: 2 excluded, 3 ok');
    expect(await first('diagnose')).toMatch(/^All is well: no finding for 3 active nodes, /);
    expect((await run('get')).stdout).toMatch(
      /^Problem: +default\/bare, default\/half have no host address and are excluded$/m,
    );
  });

  test('with a further address that does not answer leaves the cluster unknown, by name', async () => {
    list(nodeOf(1), nodeOf(2), nodeOf(4, [hostOf(4), '127.0.23.44']));
    await expect
      .poll(() => first('diagnose'), polling)
      .toMatch(
        /^1 of 1 second IPv4 address on the host plane does not answer by HTTP \(127\.0\.23\.44 of default\/n4\): 3 active nodes, /,
      );
    expect((await run('diagnose')).code).toBe(4);
    const { stdout } = await run('node', 'n4');
    expect(stdout).toMatch(
      /^default\/n4 is unknown: 2 of 2 observers reach it at all first addresses that they probe/,
    );
    expect(stdout).toContain('127.0.23.44 (does not answer): ');
  });

  test('with the only address of a second family, which fails, is no finding about most nodes', async () => {
    list(nodeOf(1), nodeOf(2), nodeOf(4, [hostOf(4), '::1']));
    const reason =
      '1 of 1 second IPv6 address on the host plane does not answer by HTTP (::1 of default/n4)';
    const says = { verdict: 'unknown', reason, findings: 0 };
    const summary = async (n: number) =>
      (await ask(bench.path(`n${n}.sock`), '/v1/summary')).body as Summary;
    for (const n of [1, 2]) await expect.poll(() => summary(n), polling).toMatchObject(says);
    // A finding waits for five seconds, and nothing tells that none will come.
    const saidAt = Date.parse((await summary(2)).at);
    const laterMs = async () => Date.parse((await summary(2)).at) - saidAt;
    await expect.poll(laterMs, polling).toBeGreaterThan(10_000);
    for (const n of [1, 2]) expect(await summary(n)).toMatchObject(says);
  });
});
