import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { EventLog } from '../../agent/reports/event-log.js';
import type { NodeEntry, NodePage } from '../../api/schema/v1/nodes.js';
import { V1Socket } from '../doubles/serve-v1.js';
import {
  endpointPlaneFinding,
  MemoryV1Source,
  nodeEntry,
  pathChange,
} from '../doubles/v1-source.js';
import { runHere } from './lib/run-here.js';
import { closeServer } from '../resources/listen.js';
import { cli, printed, startProgram } from '../resources/program.js';

const names = ['c/n1', 'c/n2', 'c/n3'];

let socket: V1Socket;
let source: MemoryV1Source;
const children = new Set<ChildProcess>();
beforeEach(async () => {
  socket = new V1Socket();
  source = new MemoryV1Source(names);
  await socket.serve(source);
});
afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
});

/** Starts the built program. */
function start(args: readonly string[], env: Record<string, string> = {}) {
  const started = startProgram(cli, args, {
    env: { PATH: process.env['PATH'], MESHPROBE_SOCK: socket.path, ...env },
  });
  children.add(started.child);
  return started;
}

const run = (...args: readonly string[]) => runHere(args, { MESHPROBE_SOCK: socket.path });

describe('meshprobe diagnose', () => {
  test('says in one line that all is well and on how much data that is based', async () => {
    source.observers = { fresh: 39, stale: 1, silent: 0, oldestSeconds: 4.12 };
    expect(await run('diagnose')).toEqual(
      printed(
        0,
        'All is well: no finding for 3 active nodes, by 40 of 41 observers (1 stale), the oldest row is 4.1s old.\n',
      ),
    );
  });

  test('says first that a protocol is not probed, and that the agent has problems', async () => {
    const icmp = { protocol: 'icmp' as const, reason: 'no permission', text: 'run as root' };
    source.notProbed = [{ ...icmp, switchedOff: false }];
    source.verdict = 'unknown';
    source.reason = 'ICMP is not probed (no permission)';
    source.problems = [
      { code: 'icmp-unavailable', severity: 'error', text: 'run as root' },
      { code: 'targets-file', severity: 'error', text: 'targets.yaml: line 3' },
    ];
    expect(await run('diagnose')).toEqual(
      printed(
        4,
        'ICMP is not probed (no permission): 3 active nodes, by 3 of 3 observers, the oldest row is 4.1s old.\nThis agent has 2 problems: meshprobe get\n',
      ),
    );
    const waited = await run('wait', '--timeout', '0s');
    expect([waited.code, waited.stdout.split('\n').slice(1)]).toEqual([
      4,
      ['  ICMP is not probed (no permission)', 'This agent has 2 problems: meshprobe get', ''],
    ]);
    source.verdict = undefined;
    source.open = [endpointPlaneFinding()];
    expect((await run('diagnose')).stdout).toMatch(
      /^1 finding, by .* old; ICMP is not probed \(no permission\)\.\nThis agent has 2 problems/,
    );
    source.open = [];
    source.notProbed = [{ ...icmp, reason: 'switched off', switchedOff: true }];
    expect((await run('diagnose')).stdout).toMatch(
      /^All is well: .*; ICMP is not probed \(switched off\)\.\n/,
    );
    expect((await run('wait', '--timeout', '0s')).stdout).toMatch(
      /^ok after \S+\nICMP is not probed \(switched off\)\nThis agent has 2 problems/,
    );
  });

  test('does not say that all is well before it knows', async () => {
    source.verdict = 'unknown';
    source.reason = '3 failing pairs, cause not known yet';
    expect(await run('diagnose')).toEqual(
      printed(
        4,
        '3 failing pairs, cause not known yet: 3 active nodes, by 3 of 3 observers, the oldest row is 4.1s old.\n',
      ),
    );
    source.open = [endpointPlaneFinding({ kind: 'not-listed', severity: 'degraded' })];
    source.reason = "this agent's node c/\u001b is not in the node list";
    const { code, stdout } = await run('diagnose');
    expect([code, stdout.split('\n')[1]]).toEqual([
      4,
      "Not known yet: this agent's node c/\\x1b is not in the node list.",
    ]);
  });

  test('tells what Kubernetes says of a node, and the names that a finding stands for', async () => {
    source.open = [
      endpointPlaneFinding({
        known: 'Kubernetes: NotReady since 14:02',
        count: 40,
        examples: ['c/n7', 'c/\u001b[31m'],
      }),
    ];
    const { stdout } = await run('diagnose');
    expect(stdout).toContain('\n  Kubernetes: NotReady since 14:02, for 2m10s, seen by 38 of 39');
    expect(stdout).toContain('\n  such as c/n7, c/\\x1b[31m\n');
  });

  test('tells each finding with its next commands, the worst first, and exits 4', async () => {
    source.open = [
      endpointPlaneFinding(),
      endpointPlaneFinding({ id: 'x', severity: 'degraded', text: 'c/n2 loses 3 % of probes' }),
    ];
    source.unexplained = 3;
    const { code, stdout } = await run('why');
    expect(code).toBe(4);
    expect(stdout).toBe(`2 findings, by 3 of 3 observers, the oldest row is 4.1s old.

BROKEN  38 of 39 nodes cannot reach the endpoint of c/n7 (10.244.7.2); its node IP answers all of them
  for 2m10s, seen by 38 of 39 observers, explains 76 failing pairs, 97% sure
  next: kubectl -n meshprobe get pods -o wide --field-selector spec.nodeName=n7
        kubectl -n kube-system logs -l k8s-app=cilium --field-selector spec.nodeName=n7

DEGRADED  c/n2 loses 3 % of probes
  for 2m10s, seen by 38 of 39 observers, explains 76 failing pairs, 97% sure
  next: kubectl -n meshprobe get pods -o wide --field-selector spec.nodeName=n7

3 failing pairs more, cause not known yet: meshprobe matrix --by node
`);
  });

  test('tells who cannot reach a target, and that other targets fail without a cause', async () => {
    const look = {
      plane: 'endpoint',
      failure: 'no such \u001b[31mname',
      since: '2026-11-19T07:20:51Z',
    };
    source.open = [
      endpointPlaneFinding({
        id: 'target-unreachable:cluster-dns:c/n7:endpoint',
        kind: 'target-unreachable',
        target: 'cluster-dns',
        explains: 1,
        evidence: [],
        looks: [{ ...look, from: 'c/n7', plane: 'endpoint' }],
        text: 'pods of c/n7 cannot reach cluster-dns; the node itself can',
      }),
    ];
    source.unexplainedTargets = 1;
    const { stdout } = await run('diagnose');
    expect(stdout).toContain('explains 1 failing look,');
    expect(stdout).toContain(
      '\n  for example c/n7 -> cluster-dns from the endpoint plane: no such \\x1b[31mname\n',
    );
    expect(stdout).toContain('\n1 failing target more, cause not known yet: meshprobe targets\n');
  });

  test('says where the meaning of the worst finding is written', async () => {
    const docs = 'https://example.com/\u001b[31m#endpoint-plane';
    source.open = [endpointPlaneFinding({ docs })];
    const line = 'means, and what to do: https://example.com/\\x1b[31m#endpoint-plane\n';
    expect((await run('diagnose')).stdout).toContain(`\n\nWhat this ${line}`);
    source.open = [endpointPlaneFinding({ docs }), endpointPlaneFinding({ id: 'x' })];
    expect((await run('diagnose')).stdout).toContain(`\n\nWhat the first of them ${line}`);
  });

  test('says what concerns one node', async () => {
    const zones: [string, string] = ['a', 'b'];
    const about = (id: string, more: object) =>
      endpointPlaneFinding({ id, text: id, node: undefined, ...more });
    source.entries.set('c/n2', nodeEntry('c/n2', { zone: 'b', findings: ['it and others'] }));
    source.open = [
      about('its own', { node: 'c/n2' }),
      about('another', { node: 'c/n3' }),
      about('its pair', { pair: ['c/n1', 'c/n2'] }),
      about('its zone', { zones }),
      about('it and others', { count: 17 }),
      about('many others', { count: 20 }),
      about('the cluster', { kind: 'http-filtered' }),
    ];
    const texts = JSON.parse((await run('diagnose', 'n2', '-o', 'json')).stdout) as {
      findings: { text: string }[];
    };
    expect(texts.findings.map(({ text }) => text)).toEqual([
      'its own',
      'its pair',
      'its zone',
      'it and others',
      'the cluster',
    ]);
    expect((await run('diagnose', 'n9')).code).toBe(2);
    source.open = [];
    const { code, stdout } = await run('diagnose', 'n3');
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/^c\/n3 is ok: no finding names it, 39 of 39 observers reach it; /),
    ]);
    source.entries.set('c/n3', nodeEntry('c/n3', { verdict: 'unknown' }));
    expect((await run('diagnose', 'n3')).code).toBe(4);
    source.verdict = 'unknown';
    source.reason = 'no other agent answers yet';
    const early = await run('diagnose', 'n2');
    expect([early.code, early.stdout.split('\n')[1]]).toEqual([
      4,
      'Not known yet: no other agent answers yet.',
    ]);
  });

  test('prints the body as it is with -o json', async () => {
    source.open = [endpointPlaneFinding()];
    const { code, stdout } = await run('diagnose', '-o', 'json');
    expect([code, JSON.parse(stdout)]).toEqual([4, source.findings()]);
  });

  test('escapes what could move the cursor or reorder text', async () => {
    source.open = [endpointPlaneFinding({ text: 'a\u001b[2Jb\tc\u202e', next: ['echo \u0007\n'] })];
    const { stdout } = await run('diagnose');
    expect(stdout).toContain('a\\x1b[2Jb\\x09c\\u202e');
    expect(stdout).toContain('echo \\x07\\x0a');
  });

  test('exits 3 where no agent answers', async () => {
    await socket.stop();
    expect((await run('diagnose')).code).toBe(3);
  });

  test('colours only a terminal, or any output if it is told to', async () => {
    expect((await start(['diagnose'], { FORCE_COLOR: '1' }).ended).stdout).toContain('\u001b[32m');
    expect((await start(['diagnose']).ended).stdout).not.toContain('\u001b');
  });
});

test('meshprobe status ends with a line where a finding is open', async () => {
  expect((await run('status')).stdout).not.toContain('finding');
  source.open = [endpointPlaneFinding()];
  expect((await run('status')).stdout).toMatch(/\n1 finding: meshprobe diagnose\n$/);
  expect((await run('status', '--succinct')).stdout).toMatch(/\n1 finding: meshprobe diagnose\n$/);
});

describe('meshprobe matrix', () => {
  /** Longer than any name. */
  const long = 'x'.repeat(600);

  test('draws three nodes node by node', async () => {
    source.cells.set('c/n1 c/n3', { state: 'unreachable' });
    source.cells.set('c/n2 c/n1', { state: 'lossy-or-slow', rttNs: 1e6 });
    source.cells.set('c/n2 c/n3', { state: 'unreachable', channels: 2 + 8 });
    for (const to of names) source.cells.set(`c/n3 ${to}`, { state: 'no-report' });
    source.ages.set('c/n3', null);
    source.unreported = [{ plane: 'endpoint', protocol: 'icmp' }];
    const { code, stdout } = await run('matrix');
    expect(code).toBe(0);
    expect(stdout)
      .toBe(`3 observers, 3 nodes, 6 pairs, each by its worst channel: 2 unreachable, 1 lossy or slow, 2 unknown (2 without a report)
The oldest row is 1.5s old, 1 observer never sent one
Nobody reports endpoint ICMP

  from  1 2 3
1 c/n1  o o X
2 c/n2  ~ o X
3 c/n3  . . .

c/n3   unreachable     all channels               from c/n1
c/n3   unreachable     host HTTP, endpoint HTTP   from c/n2
c/n1   lossy or slow   all channels               from c/n2

Legend: o reachable  ~ lossy or slow  X unreachable  ? unknown  . no report, or a stale one  - excluded
Columns have the numbers of the rows.
`);
    const narrow = (await run('matrix', '--plane', 'host', '--protocol', 'http')).stdout;
    expect(narrow).toMatch(/^3 observers, 3 nodes, 6 pairs on the host plane by HTTP: /);
    expect(narrow).not.toContain('from c/n1');
  });

  test('shows no cell of a stale row, but its age', async () => {
    source.stale.add('c/n2');
    source.ages.set('c/n2', 35.2);
    const { stdout } = await run('matrix');
    expect(stdout).toContain('2 unknown (2 without a report)\n');
    expect(stdout).toContain('\n1 c/n1  o o o\n2 c/n2  . . .  35s old, stale\n3 c/n3  o o o\n');
    const csv = (await run('matrix', '--by', 'node', '-o', 'csv')).stdout;
    expect(csv).toContain('\nc/n2,c/n3,reachable,host/icmp;host/http;endpoint/icmp;endpoint/http,');
    expect(csv.split('\n').filter((line) => line.endsWith(',true'))).toHaveLength(3);
  });

  test('has all pages of a large matrix, or says what is left out', async () => {
    source.maxRows = 2;
    const lines = (await run('matrix', '--by', 'node', '-o', 'csv')).stdout.trim().split('\n');
    expect(lines).toHaveLength(1 + 3 * 3);
    expect((await run('matrix', '--by', 'node')).stdout).toMatch(/^3 observers, 3 nodes/);
    const json = await run('matrix', '--by', 'node', '-o', 'json');
    expect(JSON.parse(json.stdout)).toMatchObject({ rows: ['c/n1', 'c/n2'], omittedRows: 1 });
    expect(json.stderr).toBe(
      'meshprobe: 1 more observer left out for lack of room: --zone ZONE, or -o csv\n',
    );
  });

  test('refuses a zone where it would say nothing', async () => {
    expect((await run('matrix', '--to-zone', 'a')).code).toBe(2);
    expect((await run('matrix', '--by', 'zone', '--zone', 'a')).code).toBe(2);
    source.entries.set('c/n3', nodeEntry('c/n3', { zone: 'a' }));
    expect((await run('matrix', '--zone', 'a')).stdout).toMatch(
      /^1 observer, 1 node, 0 pairs, each/,
    );
    const { code, stdout, stderr } = await run('matrix', '--zone', 'A');
    expect([code, stdout, stderr]).toEqual([2, '', 'meshprobe: there is no zone A, is a meant?\n']);
  });

  test('lists the nodes of one zone', async () => {
    source.entries.set('c/n3', nodeEntry('c/n3', { zone: 'a' }));
    const { nodes } = JSON.parse(
      (await run('nodes', '--zone', 'a', '-o', 'json')).stdout,
    ) as NodePage;
    expect(nodes.map(({ name }) => name)).toEqual(['c/n3']);
    const { code, stdout, stderr } = await run('nodes', '--zone', 'A');
    expect([code, stdout, stderr]).toEqual([2, '', 'meshprobe: there is no zone A, is a meant?\n']);
    const { stderr: refused } = await run('nodes', '--zone', 'x'.repeat(1000));
    expect(refused).toContain('--zone: expected the name of a zone, got "xxx');
  });

  test.each([
    [['--by', ''], '--by: expected zone, node, or the name of a label, got ""'],
    [['--by', long], '--by: expected zone, node, or the name of a label, got "xxx'],
    [['--zone', long], '--zone: expected the name of a zone, got "xxx'],
    [['--zone', 'a', '--to-zone', long], '--to-zone: expected the name of a zone, got "xxx'],
    [['--target', 'dns', '--zone', long], '--zone: expected the name of a zone, got "xxx'],
  ])('calls a value that can be no name wrong usage: %.40j', async (argv, words) => {
    const { code, stdout, stderr } = await run('matrix', ...argv);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(`meshprobe: ${words}`);
  });

  test('shows the values of a label, and refuses one that nodes are not grouped by', async () => {
    source.groupBy = ['zone', 'kernel'];
    for (const [name, kernel] of [
      ['c/n1', '6.8'],
      ['c/n2', '6.9\u001b[31m'],
    ] as const)
      source.entries.set(name, nodeEntry(name, { labels: { kernel } }));
    source.cells.set('c/n1 c/n2', { state: 'unreachable' });
    const { code, stdout } = await run('matrix', '--by', 'kernel');
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^\d values of kernel, \d+ pairs, each cell by its worst channel: 1 failing/,
    );
    expect(stdout).toContain('6.9\\x1b[31m');
    const json = JSON.parse((await run('matrix', '--by', 'kernel', '-o', 'json')).stdout) as object;
    expect(json).toMatchObject({ by: 'kernel' });
    const wrong = await run('matrix', '--by', 'kernle');
    expect([wrong.code, wrong.stderr]).toEqual([
      2,
      'meshprobe: --by: expected zone, node, or a label that nodes are grouped by: there is no label kernle, is zone meant?\n',
    ]);
    const withZone = await run('matrix', '--by', 'kernel', '--zone', 'a');
    expect([withZone.code, withZone.stderr]).toEqual([
      2,
      'meshprobe: --zone: expected only by node, got --by kernel\n',
    ]);
    expect((await run('matrix', '--by', 'kernel', '--target', 'dns')).code).toBe(2);
  });

  test('draws a large cluster zone by zone, then the worst pairs of zones', async () => {
    source = new MemoryV1Source();
    const zoneOf = (index: number) => ['a', 'b', ''][index % 3] ?? '';
    for (let index = 0; index < 60; index++) {
      const name = `c/n${index}`;
      const zone = zoneOf(index);
      source.entries.set(name, nodeEntry(name, zone === '' ? {} : { zone }));
    }
    source.cells.set('c/n0 c/n1', { state: 'unreachable' });
    await socket.serve(source);
    const { stdout } = await run('matrix');
    expect(stdout)
      .toBe(`3 zones, 3600 pairs, each cell by its worst channel: 1 failing, 0 lossy, 0 slow, 0 unknown

  from       1 2 3
1 (no zone)  o o o
2 a          o o X
3 b          o o o

Legend: o reachable  ~ lossy or slow  X unreachable  ? unknown  . no report, or a stale one  - excluded

From   To   Worst by    Pairs   Failing   Lossy   Slow   Unknown   p50     p99
a      b    host HTTP   400     1         0       0      0         200µs   200µs
`);
  });

  test('shows the worst of 1,000 nodes and says what is left out', async () => {
    source = new MemoryV1Source(Array.from({ length: 1000 }, (_, at) => `c/n${at}`));
    for (let from = 0; from < 1000; from++) {
      source.cells.set(`c/n${from} c/n777`, { state: 'unreachable' });
    }
    source.cells.set('c/n500 c/n600', { state: 'lossy-or-slow' });
    await socket.serve(source);
    const { stdout } = await run('matrix', '--by', 'node');
    const lines = stdout.split('\n');
    expect(lines.length).toBeLessThan(62);
    expect(Math.max(...lines.slice(3).map((line) => line.length))).toBeLessThanOrEqual(120);
    expect(lines.slice(3, 7).map((line) => line.slice(0, 20))).toEqual([
      '             7 6',
      '             7 0    ',
      '     from    8 1 1 2',
      ' 501 c/n500  X ~ o o',
    ]);
    expect(stdout).toMatch(/The worst are shown; \d+ rows and \d+ columns are not/);
  });

  test('prints the body, or one line a cell', async () => {
    const all = 'host/icmp;host/http;endpoint/icmp;endpoint/http';
    source.cells.set('c/n1 c/n3', { state: 'unreachable', channels: 2 });
    source.entries.set('c/"x",\u001b', nodeEntry('c/"x",\u001b'));
    const body = JSON.parse((await run('matrix', '-o', 'json')).stdout) as object;
    expect(body).toHaveProperty('cells');
    const csv = (await run('matrix', '--by', 'node', '--plane', 'endpoint', '-o', 'csv')).stdout;
    expect(csv.split('\n').slice(0, 5)).toEqual([
      'from,to,state,channels,rttNs,ageSeconds,stale',
      `c/n1,c/n1,reachable,${all},197403,1.5,false`,
      `c/n1,c/n2,reachable,${all},197403,1.5,false`,
      'c/n1,c/n3,unreachable,host/http,,1.5,false',
      `c/n1,"c/""x"",\\x1b",reachable,${all},197403,1.5,false`,
    ]);
    expect((await run('matrix', '-o', 'csv')).stdout.split('\n')).toEqual([
      'from,to,plane,protocol,pairs,failing,lossy,slow,unknown,p50Ns,p99Ns',
      ',,host,http,16,1,0,0,0,200000,200000',
      '',
    ]);
  });
});

describe('meshprobe events', () => {
  test('prints what is kept, one change a line', async () => {
    source.events.add(pathChange('c/n2'));
    source.events.add({
      type: 'finding',
      at: 't',
      change: 'opened',
      finding: 'x',
      kind: 'lossy',
      severity: 'degraded',
      text: 'two\nlines',
    });
    source.events.add({ type: 'node', at: 't', change: 'added', node: 'c/\u001b' });
    source.events.add({ type: 'list', at: 't', nodes: 3, added: 1, removed: 0 });
    const { code, stdout } = await run('events');
    expect([code, stdout.split('\n')]).toEqual([
      0,
      [
        '2026-11-21T10:00:00.000Z  1  path     c/n2 host 10.0.0.7 ICMP: reachable -> unreachable (Connection timed out)',
        't  2  finding  opened: two\\x0alines',
        't  3  node     c/\\x1b added',
        't  4  list     node list: 3 nodes, 1 added, 0 removed',
        '',
      ],
    ]);
    const after = (await run('events', '--after', '3', '-o', 'json')).stdout;
    expect(JSON.parse(after)).toEqual({
      id: 4,
      type: 'list',
      at: 't',
      nodes: 3,
      added: 1,
      removed: 0,
    });
    expect((await run('events', '--after', 'x')).code).toBe(2);
  });

  test('prints those of some types alone, and refuses a type that there is not', async () => {
    source.events.add(pathChange('c/n2'));
    source.events.add({ type: 'list', at: 't', nodes: 3, added: 1, removed: 0 });
    source.events.add({
      type: 'change',
      at: 't',
      node: 'c/n2',
      foundAt: 't',
      withinSeconds: 0,
      change: 'rebooted',
      text: 'the host started',
      from: '',
      to: '',
    });
    const changes = await run('events', '--type', 'change');
    expect([changes.code, changes.stdout]).toEqual([0, 't  3  change   c/n2: the host started\n']);
    const two = (await run('events', '--type', 'change', '--type', 'list')).stdout;
    expect(two.split('\n').map((line) => line.slice(0, 4))).toEqual(['t  2', 't  3', '']);
    const refused = await run('events', '--type', 'changes');
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('expected one of path, finding, node, list, target');
  });

  test('follows until Ctrl-C, also past an agent that is started again', async () => {
    const { child, output, ended } = start(['events', '--follow']);
    source.events.add(pathChange('c/n1'));
    await vi.waitFor(() => expect(output.stdout).toContain('c/n1'), 10_000);
    await socket.stop();
    await vi.waitFor(() => expect(output.stderr).toContain('was lost, trying again'), 10_000);
    source.events.add(pathChange('c/n2'));
    await socket.serve(source);
    await vi.waitFor(() => expect(output.stdout).toContain('c/n2'), 10_000);
    child.kill('SIGINT');
    expect((await ended).code).toBe(130);
  });
});

describe('meshprobe events --node', () => {
  test('tells what happened to one node, and that events are missing', async () => {
    const small = new EventLog({ capacity: 4 });
    source = new MemoryV1Source(names, small);
    await socket.serve(source);
    for (const name of ['c/n1', 'c/n1', 'c/n2', 'c/n1']) source.events.add(pathChange(name));
    const finding = {
      kind: 'lossy',
      severity: 'degraded',
      change: 'opened',
      finding: 'x',
    } as const;
    source.events.add({ type: 'finding', at: 't', ...finding, node: 'c/n2', text: 'lost' });
    source.events.add({ type: 'list', at: 't', nodes: 3, added: 1, removed: 0 });
    const { code, stdout, stderr } = await run('events', '--node', 'n2');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout.split('\n').map((line) => line.split('  ').slice(1).join(' '))).toEqual([
      '',
      '3 path   c/n2 host 10.0.0.7 ICMP: reachable -> unreachable (Connection timed out)',
      '5 finding opened: lost',
      '',
    ]);
    expect(stdout).toMatch(/^-- older events/);
    const json = (await run('events', '--node', 'c/n2', '--after', '4', '-o', 'json')).stdout;
    expect(JSON.parse(json)).toMatchObject({ id: 5, node: 'c/n2' });
  });

  test('tells of findings of a pair, a zone and groups that the node is in', async () => {
    const entry = source.entries.get('c/n2');
    if (!entry) throw new Error('expected a node c/n2, got none');
    source.entries.set('c/n2', { ...entry, zone: 'a', labels: { rack: 'r2' } });
    const finding = { kind: 'pair', severity: 'broken', change: 'opened', text: 'x' } as const;
    const add = (id: string, about: object): void =>
      source.events.add({ type: 'finding', at: 't', ...finding, finding: id, ...about });
    add('pair', { pair: ['c/n1', 'c/n2'] });
    add('other pair', { pair: ['c/n1', 'c/n3'] });
    add('zone', { zones: ['b', 'a'] });
    add('other zone', { zones: ['b'] });
    add('group', { group: { label: 'rack', value: 'r2', nodes: 2 } });
    add('other group', { group: { label: 'rack', value: 'r3', nodes: 2 } });
    add('many', { count: 20, examples: ['c/n2'] });
    const { code, stdout } = await run('events', '--node', 'n2', '-o', 'json');
    expect(code).toBe(0);
    const ids = stdout.trim().split('\n');
    expect(ids.map((line) => (JSON.parse(line) as { finding: string }).finding)).toEqual([
      'pair',
      'zone',
      'group',
      'many',
    ]);
  });

  test('tells of a node that has gone, and says that it has', async () => {
    source.events.add({ type: 'node', at: 't', change: 'removed', node: 'c/gone' });
    const { code, stdout, stderr } = await run('events', '--node', 'gone');
    expect([code, stdout]).toEqual([0, 't  1  node     c/gone removed\n']);
    expect(stderr).toBe('meshprobe: there is no node c/gone now\n');
    const unknown = await run('events', '--node', 'nope');
    expect([unknown.code, unknown.stdout, unknown.stderr]).toEqual([
      2,
      '',
      'meshprobe: there is no node c/nope (meshprobe nodes lists them), and no event of it is kept\n',
    ]);
    expect((await run('events', '--node', '')).code).toBe(2);
  });
});

describe('meshprobe nodes', () => {
  test('lists the nodes with their verdicts and the way that this agent sees them', async () => {
    const lossy = { state: 'reachable', rttNs: 250_000, lossy: true } as const;
    const dead = { state: 'unreachable', failure: 'Connection timed out' } as const;
    source.entries.set(
      'c/n2',
      nodeEntry('c/n2', {
        verdict: 'broken',
        zone: 'a\u001b',
        paths: { host: { icmp: lossy, http: dead } },
        seenBy: { reachable: 0, unreachable: 39, of: 39 },
      }),
    );
    const lifecycle = { phase: 'excluded', reason: 'cordoned' } as const;
    source.entries.set('c/n3', nodeEntry('c/n3', { verdict: 'excluded', lifecycle }));
    const { code, stdout, stderr } = await run('nodes');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toBe(`3 nodes: 1 ok, 1 broken, 1 excluded

Name   Zone    Verdict               Seen by    Host ICMP       Host HTTP     Endpoint ICMP   Endpoint HTTP
c/n1   -       ok                    39 of 39   200µs           200µs         200µs           200µs
c/n2   a\\x1b   broken                0 of 39    250µs (lossy)   unreachable   -               -
c/n3   -       excluded (cordoned)   -          200µs           200µs         200µs           200µs
`);
  });

  test('lists those of one verdict, and knows which there are', async () => {
    source.entries.set('c/n3', nodeEntry('c/n3', { verdict: 'broken' }));
    expect((await run('nodes', '--state', 'broken')).stdout).toMatch(/^1 node: 1 broken\n\nName/);
    expect((await run('nodes', '--state', 'unknown')).stdout).toBe('0 nodes\n');
    const { code, stderr } = await run('nodes', '--state', 'bad');
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('Allowed choices are ok, degraded, broken, unknown, excluded'),
    ]);
  });

  test('prints the body with all pages, of 2,500 nodes too', async () => {
    const many = Array.from({ length: 2500 }, (_, at) => `c/n${String(at).padStart(4, '0')}`);
    source = new MemoryV1Source(many);
    await socket.serve(source);
    const body = JSON.parse((await run('nodes', '-o', 'json')).stdout) as { nodes: NodeEntry[] };
    expect(body.nodes.map(({ name }) => name)).toEqual(many);
    expect(Object.keys(body)).toEqual(['at', 'nodes']);
    expect((await run('nodes')).stdout.split('\n')).toHaveLength(2 + 1 + 2500 + 1);
  });
});

describe('meshprobe node', () => {
  const sign = {
    sign: 'interface-drops',
    text: 'interface e\u001b dropped 500 packets in the last minute',
    value: 500,
    limit: 100,
    since: '2026-11-21T09:57:40.000Z',
    plane: 'host' as const,
  };

  const change = {
    change: 'interface-mtu',
    text: 'interface eth0 went from MTU 1500 to 1400',
    from: '1500',
    to: '1400',
    at: '2026-11-21T09:57:45.000Z',
    withinSeconds: 10,
  };

  test('shows who reaches it, the paths to it, the signs of its host and what is found', async () => {
    const labels = { zone: 'a', kernel: '6.8.0-45' };
    source.entries.set(
      'c/n7',
      nodeEntry('c/n7', { verdict: 'broken', zone: 'a', labels, signs: [sign], changes: [change] }),
    );
    source.open = [endpointPlaneFinding(), endpointPlaneFinding({ id: 'other', node: 'c/n8' })];
    expect(await run('node', 'n7')).toEqual(
      printed(
        0,
        `c/n7 is broken: 39 of 39 observers reach it at all first addresses that they probe
  Zone        a
  Label       kernel=6.8.0-45
  Lifecycle   active
  Host        10.0.0.1: ICMP 200µs, HTTP 200µs
  Endpoint    10.244.0.1: ICMP 200µs, HTTP 200µs
  Sign        interface e\\x1b dropped 500 packets in the last minute since 09:57:40 UTC
  Change      interface eth0 went from MTU 1500 to 1400, at 09:57:45 UTC or up to 10s before
  Finding     BROKEN  38 of 39 nodes cannot reach the endpoint of c/n7 (10.244.7.2); its node IP answers all of them
`,
      ),
    );
    const body = JSON.parse((await run('node', 'n7', '-o', 'json')).stdout) as NodeEntry;
    expect(body.signs).toEqual([sign]);
  });

  test('tells nothing of signs where there are none, and says which node was meant', async () => {
    expect((await run('node', 'n1')).stdout).not.toContain('Sign');
    const { code, stderr } = await run('node', 'nope');
    expect([code, stderr]).toEqual([2, expect.stringContaining('no node')]);
    expect((await run('node')).code).toBe(2);
  });

  test('its signs are told with a finding that began at the same time', async () => {
    source.open = [
      endpointPlaneFinding({
        signs: [
          { node: 'c/n7', ...sign },
          { node: 'c/n7', ...sign, lastToldAt: '2026-11-21T09:57:55.000Z' },
        ],
        changes: [{ node: 'c/n7', ...change }],
      }),
    ];
    const { stdout } = await run('diagnose');
    expect(stdout).toContain(
      '\n  at the same time: c/n7: interface e\\x1b dropped 500 packets in the last minute since 09:57:40 UTC\n',
    );
    expect(stdout).toContain(
      ' in the last minute since 09:57:40 UTC; it told this last at 09:57:55 UTC\n',
    );
    expect(stdout).toContain(
      '\n  5s before it: c/n7: interface eth0 went from MTU 1500 to 1400, at 09:57:45 UTC or up to 10s before\n',
    );
  });
});

describe('meshprobe wait', () => {
  test('looks once with --timeout 0s', async () => {
    expect(await run('wait', '--timeout', '0s')).toEqual(
      printed(0, expect.stringMatching(/^ok after \S+s\n$/)),
    );
    source.open = [endpointPlaneFinding()];
    const { code, stdout } = await run('wait', '--timeout', '0s');
    expect([code, stdout]).toEqual([4, expect.stringContaining('1 thing in the way')]);
  });

  test('ends when all has been ok for long enough', async () => {
    source.open = [endpointPlaneFinding()];
    const { output, ended } = start(['wait', '--for', '100ms']);
    await vi.waitFor(
      () => expect(output.stderr).toContain('waiting: endpoint-plane: 38 of 39'),
      10_000,
    );
    source.open = [];
    const { code, stdout, stderr } = await ended;
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/^ok after .*s, stayed ok for 100ms\n$/),
    ]);
    expect(stderr).toContain('ok, must stay ok for 100ms\n');
  });

  test('waits for an agent that is not there yet', async () => {
    await socket.stop();
    const { output, ended } = start(['wait', '--for', '0s']);
    await vi.waitFor(() => expect(output.stderr).toContain('waiting: cannot reach'), 10_000);
    await socket.serve(source);
    expect((await ended).code).toBe(0);
  });

  test('waits for an agent that goes while it answers', async () => {
    await socket.stop();
    const goes = createServer((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': 10_000 });
      response.write('{"node":"c/n1",', () => response.destroy());
    }).listen(socket.path);
    onTestFinished(() => closeServer(goes));
    const { output, ended } = start(['wait', '--for', '0s']);
    await vi.waitFor(
      () => expect(output.stderr).toMatch(/waiting: cannot reach .*: it closed .* midway\n/),
      10_000,
    );
    await closeServer(goes);
    await socket.serve(source);
    expect((await ended).code).toBe(0);
  });

  test('gives up with what stands in the way, and exits 4', async () => {
    source.entries.set('c/n3', nodeEntry('c/n3', { verdict: 'broken' }));
    const wanted = ['--min-nodes', '40', '--node', 'n3', '--node', 'n9\u001b'];
    const { code, stdout } = await run('wait', '--timeout', '600ms', '--for', '0s', ...wanted);
    expect(code).toBe(4);
    expect(stdout).toMatch(/^timed out after .*, 3 things in the way:\n/);
    expect(stdout.split('\n').slice(1)).toEqual([
      '  3 active nodes, expected at least 40',
      '  c/n3 is broken',
      '  there is no node n9\\x1b',
      '',
    ]);
  });

  test('counts only findings of the requested kinds', async () => {
    source.open = [endpointPlaneFinding()];
    const kinds = (kind: string) =>
      run('wait', '--for', '0s', '--timeout', '600ms', '--kind', kind);
    expect((await kinds('node-down')).code).toBe(0);
    expect((await kinds('endpoint-plane')).code).toBe(4);
    expect((await kinds('weather')).code).toBe(2);
  });

  test('goes on waiting while the cause of failing pairs is not known, and says so', async () => {
    source.verdict = 'unknown';
    source.reason = '3 failing pairs, cause not known yet';
    const { code, stdout } = await run('wait', '--timeout', '600ms', '--for', '0s');
    expect(code).toBe(4);
    expect(stdout).toMatch(/1 thing in the way:\n {2}3 failing pairs, cause not known yet\n$/);
  });

  test('leaves out the findings about NotReady nodes if it is asked to', async () => {
    source.open = [endpointPlaneFinding({ known: 'Kubernetes: NotReady since 14:02' })];
    const wait = ['wait', '--for', '0s', '--timeout', '600ms'];
    expect((await run(...wait)).code).toBe(4);
    expect((await run(...wait, '--ignore-not-ready')).code).toBe(0);
  });

  test('writes a JUnit report', async () => {
    source.open = [endpointPlaneFinding({ text: 'a < b & "c" \u0000' })];
    const { code, stdout } = await run('wait', '--for', '0s', '--timeout', '600ms', '-o', 'junit');
    expect(code).toBe(4);
    const body = stdout.replace(/ time="[\d.]+"/g, '').split('\n');
    const failure = 'endpoint-plane: a &lt; b &amp; &quot;c&quot; \\x00';
    expect(body).toEqual([
      '<?xml version="1.0" encoding="UTF-8"?>',
      '<testsuites name="meshprobe" tests="3" failures="1" errors="0" skipped="0">',
      '  <testsuite name="meshprobe wait" tests="3" failures="1" errors="0" skipped="0">',
      '    <testcase classname="meshprobe.wait" name="the agent answers"/>',
      '    <testcase classname="meshprobe.wait" name="the agent knows the cluster"/>',
      '    <testcase classname="meshprobe.wait" name="the verdict is ok">',
      `      <failure message="${failure}">${failure}</failure>`,
      '    </testcase>',
      '  </testsuite>',
      '</testsuites>',
      '',
    ]);
  });

  test('writes JSON', async () => {
    source.open = [endpointPlaneFinding({ text: 'a < b' })];
    const wait = ['wait', '--for', '0s', '--timeout', '600ms', '-o', 'json'];
    const { code, stdout } = await run(...wait);
    expect([code, JSON.parse(stdout)]).toEqual([
      4,
      {
        ok: false,
        seconds: expect.any(Number) as number,
        conditions: [
          { name: 'the agent answers', problems: [] },
          { name: 'the agent knows the cluster', problems: [], notes: [] },
          { name: 'the verdict is ok', problems: ['endpoint-plane: a < b'] },
        ],
      },
    ]);
    source.open = [];
    const well = await run(...wait);
    expect([well.code, JSON.parse(well.stdout)]).toMatchObject([0, { ok: true }]);
  });

  test('exits 130 at Ctrl-C, 3 where there is no agent to be asked, and 2 for nonsense', async () => {
    source.verdict = 'unknown';
    source.reason = 'the first probes of 3 nodes are under way';
    const { child, output, ended } = start(['wait']);
    await vi.waitFor(() => expect(output.stderr).toContain('waiting: the first probes'), 10_000);
    child.kill('SIGINT');
    expect((await ended).code).toBe(130);
    writeFileSync(join(socket.folder, 'file'), '');
    expect((await run('wait', '-H', join(socket.folder, 'file'))).code).toBe(3);
    for (const wrong of [
      ['--for', '5'],
      ['--timeout', 'x'],
      ['--min-nodes', '-1'],
      ['--for', '1h'],
    ]) {
      expect([wrong, (await run('wait', ...wrong)).code]).toEqual([wrong, 2]);
    }
  });
});

describe('meshprobe diff', () => {
  const save = (name: string, body: unknown): string => {
    const path = join(socket.folder, name);
    writeFileSync(path, typeof body === 'string' ? body : JSON.stringify(body));
    return path;
  };
  const spread = (p50: number) => ({ latency: p50, p50, p95: p50, min: p50 / 2, max: p50 * 1.5 });
  const node = (name: string, icmp: object, more: object = {}) => ({
    name,
    host: { 'primary-address': { ip: '10.0.0.1', icmp, http: spread(1000) } },
    ...more,
  });
  const status = (...nodes: object[]) => ({ local: { name: 'c/a' }, timestamp: 't', nodes });

  test('names nodes, states and round trips that differ between two statuses', async () => {
    const before = save(
      'a.json',
      status(
        node('c/a', spread(1000)),
        node('c/b', spread(1000)),
        node('c/c', {}),
        node('c/d', spread(1000)),
      ),
    );
    const after = save(
      'b.json',
      status(
        node('c/a', spread(1100)),
        node('c/b', spread(9000)),
        node('c/d', { status: 'Connection timed out' }, { lifecycle: { phase: 'leaving' } }),
        node('c/e\u001b', {}),
      ),
    );
    const { code, stdout } = await run('diff', before, after);
    expect([code, stdout.split('\n')]).toEqual([
      4,
      [
        'Worse:',
        '  ~ c/b host 10.0.0.1 ICMP: RTT 1µs -> 9µs',
        '  - c/c',
        '  ! c/d host 10.0.0.1 ICMP: reachable -> unreachable',
        'Neither:',
        '  ! c/d: active -> leaving',
        '  + c/e\\x1b',
        '5 differences: 3 worse, 2 neither',
        '',
      ],
    ]);
    const json = JSON.parse((await run('diff', before, after, '-o', 'json')).stdout) as object;
    expect(json).toMatchObject({
      changes: [{ type: 'rtt', effect: 'worse', beforeNs: 1000, afterNs: 9000 }, {}, {}, {}, {}],
    });
    const back = await run('diff', after, before);
    expect([back.code, back.stdout]).toEqual([
      4,
      expect.stringMatching(
        /^Worse:\n {2}- c\/e\\x1b\nBetter:\n {2}~ c\/b host.*\n {2}! c\/d host/,
      ),
    ]);
    expect(await run('diff', before, before)).toEqual(printed(0, 'no difference\n'));
    const one = save('one.json', status(node('c/a', spread(100))));
    const added = save('added.json', status(node('c/a', spread(100)), node('c/f', {})));
    expect(await run('diff', one, added)).toEqual(
      printed(0, 'Neither:\n  + c/f\n1 difference: 1 neither\n'),
    );
    expect((await run('diff', '--help')).stdout).toContain(
      '0 nothing is worse, also where much is different',
    );
    expect((await run('--help')).stdout).toContain('not known yet, worse, timed out');
  });

  /** Runs `meshprobe diff` with a text as the standard input, in pieces that split a character. */
  const diffWith = async (input: string, ...files: readonly string[]) => {
    const bytes = Buffer.from(input);
    const middle = Math.floor(bytes.length / 2);
    const stdin = () => Readable.from([bytes.subarray(0, middle), bytes.subarray(middle)]);
    return runHere(['diff', ...files], {}, { stdin });
  };

  test('reads one of both from the standard input', async () => {
    const before = save('a.json', status(node('c/ä', spread(1000))));
    expect(await diffWith(JSON.stringify(status(node('c/ä', spread(1000)))), before, '-')).toEqual(
      printed(0, 'no difference\n'),
    );
    expect((await diffWith(JSON.stringify(status()), '-', before)).stdout).toContain('+ c/ä');
    expect(await diffWith('{', before, '-')).toMatchObject({
      code: 2,
      stderr: 'meshprobe: the standard input: expected JSON, got "{"\n',
    });
    expect((await diffWith('', '-', '-')).stderr).toContain('expected - for one of the files');
    const child = start(['diff', '-', before]);
    expect((await child.ended).stderr).toContain('the standard input: expected JSON, got ""');
  });

  test('ends by Ctrl-C while it waits for the standard input', async () => {
    const before = save('a.json', status());
    const child = spawn(process.execPath, [cli, 'diff', '-', before], { stdio: 'pipe' });
    const ended = once(child, 'exit');
    onTestFinished(() => void child.kill('SIGKILL'));
    // More than a pipe holds has left once it reads.
    await new Promise((resolve) => child.stdin.write(Buffer.alloc(1 << 20, ' '), resolve));
    child.kill('SIGINT');
    expect(await ended).toEqual([130, null]);
  });

  test.each(['zone', 'node'])('compares two matrices by %s', async (by) => {
    const matrix = async () => (await run('matrix', '--by', by, '-o', 'json')).stdout;
    const before = save('a.json', await matrix());
    expect((await run('diff', before, before)).code).toBe(0);
    source.cells.set('c/n1 c/n3', { state: 'unreachable' });
    const after = save('b.json', await matrix());
    const { code, stdout } = await run('diff', before, after);
    expect([code, stdout.split('\n')[1]]).toEqual([
      4,
      by === 'node'
        ? '  ! c/n1 -> c/n3: reachable -> unreachable'
        : '  ! (no zone) -> (no zone): 0 failing, 0 lossy, 0 slow, 0 unknown -> 1 failing, 0 lossy, 0 slow, 0 unknown',
    ]);
  });

  test.each([
    ['{"nodes":', 'expected JSON'],
    ['[]', 'expected what status -o json or matrix -o json prints'],
    ['{"local":{"name":1},"nodes":[]}', 'local.name'],
    [
      '{"at":"t","zones":[],"cells":[]}',
      'expected two bodies of one kind, got a status and a matrix by zone',
    ],
  ])('exits 2 for %s', async (text, words) => {
    const { code, stdout, stderr } = await run(
      'diff',
      save('a.json', status()),
      save('b.json', text),
    );
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(words);
  });

  test('exits 2 where there is no such file, or the paths are not the same', async () => {
    expect(
      (await run('diff', join(socket.folder, 'none'), join(socket.folder, 'none'))).stderr,
    ).toBe(
      `meshprobe: expected a file that can be read, got "${join(socket.folder, 'none')}": there is no such file\n`,
    );
    const matrix = { at: 't', zones: [], cells: [], protocol: 'icmp' };
    const files = [
      save('a', { ...matrix, plane: 'host' }),
      save('b', { ...matrix, plane: 'endpoint' }),
    ];
    const { code, stderr } = await run('diff', ...files);
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('expected two matrices of the same paths'),
    ]);
  });
});

test.each(['diagnose', 'matrix', 'nodes', 'events', 'wait', 'diff'])(
  'meshprobe %s --help has examples',
  async (command) => {
    const { code, stdout } = await run(command, '--help');
    expect([code, stdout.includes('Examples:')]).toEqual([0, true]);
  },
);
