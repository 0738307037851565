import { beforeEach, describe, expect, test } from 'vitest';
import { V1Socket } from '../doubles/serve-v1.js';
import { failingPlane, targetBody, targetPlane } from '../doubles/targets.js';
import { endpointPlaneFinding, MemoryV1Source, nodeEntry } from '../doubles/v1-source.js';
import { runHere } from './lib/run-here.js';

const names = Array.from({ length: 20 }, (_, index) => `c/n${index + 1}`);

let socket: V1Socket;
let source: MemoryV1Source;
beforeEach(async () => {
  socket = new V1Socket();
  source = new MemoryV1Source(names);
  await socket.serve(source);
});

const run = (...args: readonly string[]) => runHere(args, { MESHPROBE_SOCK: socket.path });

/** The lines with single spaces. */
const squeezed = (text: string) => text.split('\n').map((line) => line.replace(/ +/g, ' '));

const hostile = 'evil\u001b[31m\u202e';

function breakDns(notFrom: readonly string[]): void {
  source.openTargets = [
    targetBody('cluster-dns', 20, {
      verdict: 'broken',
      planes: {
        host: targetPlane(20),
        endpoint: failingPlane(20, notFrom, {
          state: 'unreachable',
          failure: 'no such name',
          failureKind: 'nxdomain',
          servers: [
            { server: '10.96.0.10', state: 'reachable' },
            { server: '10.96.0.11', state: 'unreachable', failure: 'no such name' },
          ],
        }),
      },
    }),
    targetBody('registry', 20, {
      kind: 'http',
      probe: 'GET https://registry.example/v2/',
      planes: {
        host: targetPlane(20, {
          status: 401,
          certificate: { endsAt: '2026-12-05T10:00:00.000Z', endsSoon: true },
          answeredBy: hostile,
        }),
      },
      verdict: 'degraded',
    }),
  ];
}

describe('meshprobe targets', () => {
  test('prints one line a target and plane', async () => {
    breakDns(names.slice(0, 15));
    const { code, stdout } = await run('targets');
    expect(code).toBe(0);
    expect(squeezed(stdout)).toEqual([
      '2 targets: 1 broken, 1 degraded',
      '',
      'Name Plane Verdict State Reached from p50 p99 Not from',
      'cluster-dns host broken reachable 20 of 20 nodes 420µs 1.9ms -',
      'cluster-dns endpoint broken unreachable 5 of 20 nodes 420µs 1.9ms c/n1, c/n2, c/n3 and 12 more',
      'registry host degraded reachable 20 of 20 nodes 420µs 1.9ms -',
      '',
    ]);
  });

  test('says of what nobody has looked at that it is not known, and why', async () => {
    const reached = { from: 0, of: 0, lossy: 0, slow: 0, notLooked: 20 };
    const host = targetPlane(0, { state: 'unknown', reason: `no ${hostile}`, reached });
    source.openTargets = ['t', 'u'].map((name) =>
      targetBody(name, 0, { verdict: 'unknown', planes: { host, endpoint: targetPlane(20) } }),
    );
    const lines = squeezed((await run('targets')).stdout);
    expect(lines[0]).toBe('2 targets: 2 unknown');
    expect(lines[3]).toContain('t host unknown unknown not known (20 not looked)');
    expect(lines.slice(-3)).toEqual([
      '',
      'Not known from the host plane: no evil\\x1b[31m\\u202e (t, u)',
      '',
    ]);
  });

  test('says that there are none', async () => {
    expect((await run('targets')).stdout).toMatch(/^No targets: /);
  });

  test('prints all that is known of one', async () => {
    breakDns(['c/n1']);
    const dns = await run('targets', 'cluster-dns');
    expect(dns.code).toBe(0);
    const lines = squeezed(dns.stdout);
    expect(lines.slice(0, 5)).toEqual([
      'cluster-dns is broken',
      '',
      'Probe: dns A kubernetes.default.svc at its own nameservers',
      'Plan: every 5s from each plane of each node, timeout 2s, at most 50 probes a second of all nodes',
      'Time to detect: 7.5s where one node fails, 3.5s where all do',
    ]);
    expect(lines).toContain(' This node: unreachable for 2h0m0s');
    expect(lines).toContain(' Not from: c/n1');
    expect(lines).toContain(' Last failure: no such name');
    expect(lines).toContain(
      ' Servers: 10.96.0.10 reachable, 10.96.0.11 unreachable (no such name)',
    );
    expect(lines).toContain(' Losses: 0% in 1m, 0% in 10m, 1% in 1h');
    const registry = squeezed((await run('targets', 'registry')).stdout);
    expect(registry).toContain(' Status: 401');
    expect(registry).toContain(' Certificate: ends 2026-12-05T10:00:00.000Z (in 14 days), soon');
  });

  test('escapes what a target or node calls itself', async () => {
    breakDns(['c/n1', hostile]);
    for (const args of [[], ['registry'], ['-o', 'json'], ['-o', 'yaml'], ['-o', 'csv']]) {
      const { code, stdout } = await run('targets', ...args);
      expect(code).toBe(0);
      // eslint-disable-next-line no-control-regex
      expect(stdout).not.toMatch(/[\u001b\u202e]/);
    }
  });

  test('prints the body of the API, or a line of CSV for each plane', async () => {
    breakDns(['c/n1', 'c/n2']);
    expect(JSON.parse((await run('targets', '-o', 'json')).stdout)).toEqual(source.targets());
    expect(JSON.parse((await run('targets', 'registry', '-o', 'json')).stdout)).toEqual(
      source.target('registry'),
    );
    const { stdout } = await run('targets', '-o', 'csv');
    expect(stdout.split('\n').slice(0, 3)).toEqual([
      'name,kind,plane,verdict,state,reachedFrom,of,notLooked,p50Ns,p99Ns,failureKind,notFrom',
      'cluster-dns,dns,host,broken,reachable,20,20,0,420000,1900000,,',
      'cluster-dns,dns,endpoint,broken,unreachable,18,20,0,420000,1900000,nxdomain,c/n1;c/n2',
    ]);
  });

  test('refuses a name that no target has, and one that cannot be one', async () => {
    breakDns([]);
    expect(await run('targets', 'cluster-dn')).toMatchObject({
      code: 2,
      stderr:
        'meshprobe: there is no target cluster-dn, is cluster-dns meant? (meshprobe targets lists them)\n',
    });
    expect((await run('targets', hostile)).stderr).not.toContain('\u001b');
    for (const name of ['', ' ', 'x'.repeat(64)]) {
      const { code, stderr } = await run('targets', name);
      expect([code, stderr]).toEqual([2, expect.stringContaining('Expected')]);
    }
  });
});

describe('meshprobe matrix --target', () => {
  test('prints the zones of the nodes by plane', async () => {
    for (const [index, name] of names.entries()) {
      source.entries.set(name, nodeEntry(name, { zone: index < 10 ? 'a' : hostile }));
    }
    breakDns(['c/n1', 'c/n2']);
    const { code, stdout } = await run('matrix', '--target', 'cluster-dns');
    expect(code).toBe(0);
    // eslint-disable-next-line no-control-regex
    expect(stdout).not.toMatch(/[\u001b\u202e]/);
    expect(squeezed(stdout).slice(0, 7)).toEqual([
      'cluster-dns from 2 zones: 2 failing, 0 lossy, 0 slow, 0 unknown',
      '',
      ' From Plane Nodes Failing Lossy Slow Unknown p50 p99',
      'o a host 10 0 0 0 0 420µs 1.9ms',
      'X a endpoint 10 2 0 0 0 420µs 1.9ms',
      'o evil\\x1b[31m\\u202e host 10 0 0 0 0 420µs 1.9ms',
      'o evil\\x1b[31m\\u202e endpoint 10 0 0 0 0 420µs 1.9ms',
    ]);
  });

  test('prints the nodes of a small cluster, or with --by node', async () => {
    breakDns(['c/n2']);
    const { stdout } = await run('matrix', '--target', 'cluster-dns');
    const lines = squeezed(stdout);
    expect(lines[0]).toBe('cluster-dns from 20 nodes: 1 unreachable, 0 lossy or slow, 0 unknown');
    expect(lines[2]).toBe(' From host endpoint');
    expect(lines[3]).toMatch(/^oo c\/n1 430µs 430µs$/);
    expect(lines.find((line) => line.includes('c/n2 '))).toMatch(/^oX c\/n2 \d+µs unreachable$/);
    expect((await run('matrix', '--target', 'cluster-dns', '--by', 'node')).stdout).toBe(stdout);
  });

  test('shows the worst nodes if not all fit', async () => {
    source.entries.clear();
    for (let index = 100; index < 400; index++) {
      source.entries.set(`c/n${index}`, nodeEntry(`c/n${index}`));
    }
    breakDns(['c/n377']);
    const lines = squeezed((await run('matrix', '--target', 'cluster-dns', '--by', 'node')).stdout);
    expect(lines[3]).toContain('oX c/n377 ');
    expect(lines).toContain(
      'The worst are shown; 248 nodes more: meshprobe matrix --target cluster-dns --by node -o csv',
    );
  });

  test('prints the body, or one line a cell', async () => {
    breakDns(['c/n2']);
    const body: unknown = JSON.parse(
      (await run('matrix', '--target', 'cluster-dns', '-o', 'json')).stdout,
    );
    expect(body).toMatchObject({ target: 'cluster-dns', columns: ['host', 'endpoint'] });
    const zones = (await run('matrix', '--target', 'cluster-dns', '-o', 'csv')).stdout.split('\n');
    expect(zones[2]).toBe(',endpoint,endpoint,,20,1,0,0,0,420000,1900000');
    const args = ['matrix', '--target', 'cluster-dns', '--by', 'node', '-o', 'csv'];
    const nodes = (await run(...args)).stdout.split('\n');
    expect(nodes.find((line) => line.startsWith('c/n2,endpoint,'))).toContain('unreachable');
  });

  test.each(['--plane host', '--protocol icmp'])('refuses %s', async (flag) => {
    const { code, stderr } = await run('matrix', '--target', 'x', ...flag.split(' '));
    expect([code, stderr]).toEqual([2, expect.stringContaining('only without --target')]);
  });

  test('refuses a target that is not there', async () => {
    const { code, stderr } = await run('matrix', '--target', 'x');
    expect([code, stderr]).toEqual([2, expect.stringContaining('there is no target x')]);
  });
});

describe('meshprobe wait --target', () => {
  const once = ['wait', '--timeout', '0s', '--target', 'cluster-dns'];

  test('is ok as soon as all that look reach it, whatever else is wrong', async () => {
    breakDns([]);
    source.open = [endpointPlaneFinding()];
    source.verdict = 'broken';
    const { code, stdout } = await run(...once);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^ok/)]);
    expect((await run(...once, '--kind', 'endpoint-plane')).code).toBe(4);
  });

  test('ends with 4 and the nodes that cannot reach it', async () => {
    breakDns(names.slice(0, 5));
    const { code, stdout } = await run(...once);
    expect(code).toBe(4);
    expect(stdout).toContain(
      'target cluster-dns on the endpoint plane: reached from 15 of 20 nodes, not from c/n1, c/n2, c/n3 and 2 more (no such name)',
    );
  });

  test('waits for a target that nobody has looked at, and for one that is not there yet', async () => {
    const reached = { from: 0, of: 0, lossy: 0, slow: 0, notLooked: 20 };
    const plane = targetPlane(0, { state: 'unknown', reason: 'not probed yet', reached });
    source.openTargets = [targetBody('cluster-dns', 0, { planes: { host: plane } })];
    const { code, stdout } = await run(...once, '--target', 'later');
    expect(code).toBe(4);
    expect(stdout).toContain('on the host plane: nobody has looked yet (not probed yet)');
    expect(stdout).toContain('there is no target later');
  });

  test('goes on once it is reached', async () => {
    breakDns(['c/n1']);
    const waited = run('wait', '--target', 'cluster-dns', '--for', '0s', '--timeout', '30s');
    await expect.poll(() => source.asked.includes('target cluster-dns')).toBe(true);
    breakDns([]);
    const { code, stderr } = await waited;
    expect([code, stderr]).toEqual([
      0,
      expect.stringContaining('waiting: target cluster-dns on the endpoint plane'),
    ]);
  });
});
