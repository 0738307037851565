import { mkdtempSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runProgram } from '../../cli/program.js';
import { serveV1 } from '../doubles/serve-v1.js';
import { failingPlane, targetBody, targetPlane } from '../doubles/targets.js';
import { MemoryV1Source } from '../doubles/v1-source.js';

const names = Array.from({ length: 20 }, (_, index) => `c/n${index + 1}`);

let folder: string;
let socketPath: string;
let source: MemoryV1Source;
let server: Server;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'meshprobe-targets-'));
  socketPath = join(folder, 'x.sock');
  source = new MemoryV1Source(names);
  server = await serveV1(source, socketPath);
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

async function run(...args: readonly string[]) {
  const output = { stdout: '', stderr: '' };
  const code = await runProgram(args, {
    stdout: { write: (text) => (output.stdout += text) },
    stderr: { write: (text) => (output.stderr += text) },
    env: { MESHPROBE_SOCK: socketPath },
    signal: new AbortController().signal,
  });
  return { code, ...output };
}

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

  test('says of what nobody has looked at that it is not known', async () => {
    const reached = { from: 0, of: 0, lossy: 0, slow: 0, notLooked: 20 };
    const plane = targetPlane(0, { state: 'unknown', reason: 'not probed yet', reached });
    source.openTargets = [targetBody('t', 0, { verdict: 'unknown', planes: { host: plane } })];
    const { stdout } = await run('targets');
    expect(stdout).toContain('1 target: 1 unknown');
    expect(squeezed(stdout)[3]).toContain('t host unknown unknown not known (20 not looked)');
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
