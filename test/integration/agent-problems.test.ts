import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Summary } from '../../api/schema/v1/summary.js';
import { AgentBench, ask } from './lib/agent-process.js';
import { freePort } from './lib/free-port.js';
import { runHere } from './lib/run-here.js';

// Three agents on loopback without the right to send ICMP: what they do not know is not called well.

const withoutRights = ['setpriv', '--bounding-set=-all', '--inh-caps=-all'];
const bench = new AgentBench();
const polling = { timeout: 60_000, interval: 100 };
const names = ['a', 'b', 'c'];
const missing = whatIsMissing();
let tcp = '';

/** Why agents here cannot lack the right; undefined if they can. */
function whatIsMissing(): string | undefined {
  const [command = '', ...flags] = withoutRights;
  if (spawnSync(command, [...flags, 'true']).status !== 0) return 'needs root and setpriv';
  const [low = 1, high = 0] = readFileSync('/proc/sys/net/ipv4/ping_group_range', 'utf8')
    .split(/\s+/)
    .map(Number);
  return low <= high ? 'net.ipv4.ping_group_range lets groups send ICMP here' : undefined;
}

beforeAll(async () => {
  if (missing !== undefined) return;
  const probePort = String(await freePort());
  const apiPort = await freePort();
  tcp = `tcp://127.0.0.1:${apiPort}`;
  const nodes = names.map((name, at) => ({ name, host: `127.0.7.${at + 1}` }));
  for (const [at, name] of names.entries()) {
    bench.startUnder(withoutRights, [
      ...['--node-name', name, '--socket-path', bench.path(`${name}.sock`)],
      ...['--nodes-file', bench.file(`${name}.json`, JSON.stringify({ nodes }))],
      ...['--listen-address', `127.0.7.${at + 1}`, '--probe-port', probePort],
      ...['--state-folder', 'off', '--http-interval', '1s'],
      ...(at === 0 ? ['--api-listen', `127.0.0.1:${apiPort}`] : []),
    ]);
  }
  const seen = async () =>
    (await run('diagnose').catch(() => undefined))?.stdout.includes('3 of 3 observers') === true;
  await vi.waitUntil(seen, polling);
}, 90_000);
afterAll(() => bench.close());

async function runWith(socket: string, argv: readonly string[]) {
  const { code, stdout } = await runHere(argv, { MESHPROBE_SOCK: socket });
  return { code, stdout, first: stdout.split('\n', 1)[0] ?? '' };
}

const run = (...argv: readonly string[]) => runWith(bench.path('a.sock'), argv);

describe.skipIf(missing !== undefined)(`agents without the right to send ICMP`, () => {
  test('say so in the first line of what judges the cluster, and it is not well', async () => {
    const diagnosed = await run('diagnose');
    expect([diagnosed.code, diagnosed.first]).toEqual([
      4,
      expect.stringMatching(/^ICMP is not probed \(no permission\): 3 active nodes/),
    ]);
    const waited = await run('wait', '--timeout', '0s');
    expect([waited.code, waited.stdout]).toEqual([
      4,
      expect.stringContaining('\n  ICMP is not probed (no permission)\n'),
    ]);
    expect((await run('nodes')).first).toBe('3 nodes: 3 ok; ICMP is not probed (no permission)');
  });

  test('say what a verdict about a node does not know', async () => {
    const verdict =
      'default/b is ok: 2 of 2 observers reach it at all first addresses that they probe; ICMP is not probed (no permission)';
    // The row of the third agent tells of it a little later than that it observes.
    await expect.poll(async () => (await run('node', 'b')).first.trimEnd(), polling).toBe(verdict);
    expect((await run('status', 'b')).stdout).toContain(`${verdict}\n`);
    expect((await run('matrix', '--by', 'node')).stdout).toContain('\nNobody reports host ICMP\n');
  });

  test('tell over TCP of a nodes file that became bad, without its folder', async () => {
    writeFileSync(bench.path('a.json'), '{"nodes": [');
    const problems = async () => (await runWith(tcp, ['get'])).stdout;
    await vi.waitUntil(async () => (await problems()).includes('a.json'), polling);
    expect(await problems()).toMatch(/^Problem: waiting for the nodes file a\.json since /m);
    expect(await problems()).not.toContain(bench.folder);
    expect((await run('get')).stdout).toContain(`the nodes file ${bench.path('a.json')} since `);
    expect((await run('diagnose')).stdout).toContain('This agent has 2 problems: meshprobe get\n');

    const { body } = await ask(bench.path('a.sock'), '/v1/summary');
    expect(JSON.stringify(body)).not.toContain(bench.folder);
    expect((body as Summary).problems?.map(({ code }) => code)).toEqual([
      'icmp-unavailable',
      'node-source',
    ]);
  });
});
