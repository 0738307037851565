import { describe, expect, test } from 'vitest';
import type { RowTarget, Target, TargetProbe } from '../../../../../agent/model/target.js';
import { runAtOnce, type Steps } from '../../../../../agent/platform/time-slices.js';
import type { ObservedRow } from '../../../../../agent/model/row.js';
import type { ClusterState } from '../../../../../agent/reports/v1/cluster-state.js';
import { targetMatrixBody } from '../../../../../agent/reports/v1/target-matrix-body.js';
import { targetProbeText } from '../../../../../agent/reports/v1/target-probe-text.js';
import { targetDetail, targetsBody } from '../../../../../agent/reports/v1/targets-body.js';
import type { TargetPlaneView, TargetView } from '../../../../../agent/targets/views.js';
import { byteToState } from '../../../../../api/schema/v1/matrix-bytes.js';
import { decodeMatrix } from '../../../../../api/schema/v1/matrix-cells.js';
import { nodeMatrixSchema, zoneMatrixSchema } from '../../../../../api/schema/v1/matrix.js';
import {
  targetDetailSchema,
  targetsSchema,
  type TargetBody,
} from '../../../../../api/schema/v1/targets.js';
import { at, fresh, nodeOf, rowOf, stateOf } from './cluster.js';
import { reachable, saidOf, targetOf, viewOf } from './target-views.js';

const zoned = [1, 2, 3, 4].map((index) => nodeOf(index, { zone: index <= 2 ? 'a' : 'b' }));
const dns = targetOf('dns', { from: ['host'] });

/** The rows of observers, each with what it says of targets. */
function rowsOf(said: Readonly<Record<string, readonly RowTarget[]>>): ObservedRow[] {
  return Object.entries(said).map(([name, targets]) => fresh(rowOf(name, [], { targets })));
}

function stateWith(rows: readonly ObservedRow[], more: Partial<ClusterState> = {}): ClusterState {
  return stateOf(zoned, { targets: [viewOf(dns)], rows, ...more });
}

function bodyOf(state: ClusterState): TargetBody {
  const { targets } = targetsSchema.parse(runAtOnce(targetsBody(state)));
  const [first] = targets;
  if (!first) throw new Error('no target');
  return first;
}

const hostOf = (state: ClusterState) => bodyOf(state).planes.host;

const failing = (more: Partial<RowTarget> = {}) =>
  saidOf('dns', { state: 'unreachable', ageSeconds: 60, failure: 'servfail', ...more });

describe('a target', () => {
  test('is ok where all look and reach it, with the RTTs of all', () => {
    const rows = rowsOf({
      'c/n1': [saidOf('dns', { p50Ns: 100, p99Ns: 500 })],
      'c/n2': [saidOf('dns', { p50Ns: 200, p99Ns: 900 })],
      'c/n3': [saidOf('dns', { p50Ns: 300, p99Ns: 700 })],
      'c/n4': [saidOf('dns', { p50Ns: 400, p99Ns: 600 })],
    });
    expect(bodyOf(stateWith(rows))).toMatchObject({
      name: 'dns',
      kind: 'dns',
      verdict: 'ok',
      plan: { intervalMs: 5000, timeoutMs: 1000, budgetPerSecond: 50 },
      planes: {
        host: {
          state: 'reachable',
          reached: { from: 4, of: 4, lossy: 0, slow: 0, notLooked: 0 },
          notFrom: [],
          p50Ns: 200,
          p99Ns: 900,
          rtt: { lastNs: 410_000, p50Ns: 400_000, p95Ns: 700_000, p99Ns: 900_000 },
          loss: { loss1m: 0, loss10m: 0 },
        },
      },
    });
  });

  test('is unknown, never ok, while on one of its planes nobody has looked', () => {
    const both = targetOf('dns');
    const state = stateWith(rowsOf({ 'c/n1': [saidOf('dns')] }), { targets: [viewOf(both)] });
    expect(bodyOf(state)).toMatchObject({
      verdict: 'unknown',
      planes: { endpoint: { reached: { from: 0, of: 0, notLooked: 4 } } },
    });
    expect(bodyOf(stateWith([])).verdict).toBe('unknown');
    const unknown = rowsOf({ 'c/n1': [saidOf('dns', { state: 'unknown' })] });
    expect(bodyOf(stateWith(unknown)).verdict).toBe('unknown');
  });

  test('is ok where no node has an endpoint, if it is probed from one of its planes', () => {
    const nodes = zoned.map((node) => ({ ...node, endpoint: [] }));
    const rows = rowsOf({ 'c/n1': [saidOf('dns')] });
    const verdict = (from: Target['from'], more: Partial<ClusterState> = {}) =>
      bodyOf(stateWith(rows, { nodes, targets: [viewOf(targetOf('dns', { from }))], ...more }))
        .verdict;
    expect(verdict(['host', 'endpoint'])).toBe('ok');
    expect(verdict(['endpoint'])).toBe('unknown');
    expect(verdict(['host', 'endpoint'], { rows: [] })).toBe('unknown');
    expect(verdict(['host', 'endpoint'], { nodes: [] })).toBe('unknown');
  });

  test('is broken where one node cannot reach it, and names that node', () => {
    const rows = rowsOf({ 'c/n1': [saidOf('dns')], 'c/n3': [failing()], 'c/n2': [failing()] });
    expect(bodyOf(stateWith(rows))).toMatchObject({
      verdict: 'broken',
      planes: {
        host: { reached: { from: 1, of: 3, notLooked: 1 }, notFrom: ['c/n2', 'c/n3'] },
      },
    });
  });

  test.each([
    ['lossy', { lossy: 1, slow: 0 }],
    ['slow', { lossy: 0, slow: 1 }],
  ] as const)('is degraded where it is %s from one node', (state, reached) => {
    const rows = rowsOf({ 'c/n1': [saidOf('dns')], 'c/n2': [saidOf('dns', { state })] });
    expect(bodyOf(stateWith(rows))).toMatchObject({
      verdict: 'degraded',
      planes: { host: { reached } },
    });
  });

  test.each([
    [20, 'degraded', true],
    [22, 'ok', false],
    [-1, 'degraded', true],
  ])('whose certificate ends in %i days is %s', (days, verdict, endsSoon) => {
    const answer = { status: 200, certificateEndsAt: at + days * 86_400_000 };
    const targets = [viewOf(dns, { answer })];
    const body = bodyOf(stateWith(rowsOf({ 'c/n1': [saidOf('dns')] }), { targets }));
    expect(body.verdict).toBe(verdict);
    expect(body.planes.host).toMatchObject({ status: 200, certificate: { endsSoon } });
  });
});

describe('the observers of a target', () => {
  const reachedOf = (rows: readonly ObservedRow[], more: Partial<ClusterState> = {}) =>
    hostOf(stateWith(rows, more))?.reached;

  test('count only with a fresh row', () => {
    const stale = { ...fresh(rowOf('c/n2', [], { targets: [failing()] })), freshness: 'stale' };
    const rows = [...rowsOf({ 'c/n1': [saidOf('dns')] }), stale as ObservedRow];
    expect(reachedOf(rows)).toMatchObject({ from: 1, of: 1, notLooked: 3 });
  });

  test('count only where they probe the same, and the others are told', () => {
    const rows = rowsOf({ 'c/n1': [saidOf('dns')], 'c/n2': [failing({ digest: 8 })] });
    expect(reachedOf(rows)).toMatchObject({ from: 1, of: 1, otherDefinition: 1 });
  });

  test('count only where they are listed and active', () => {
    const cordoned = nodeOf(5, { lifecycle: { phase: 'excluded' } });
    const rows = rowsOf({ 'c/n1': [saidOf('dns')], 'c/n5': [failing()], 'c/n9': [failing()] });
    expect(reachedOf(rows, { nodes: [...zoned, cordoned] })).toMatchObject({ from: 1, of: 1 });
  });

  test('do not count if they looked before the first failure began', () => {
    const rows = rowsOf({
      'c/n1': [saidOf('dns', { probedSeconds: 4 })],
      'c/n2': [failing({ ageSeconds: 3 })],
      'c/n3': [saidOf('dns', { probedSeconds: 1 })],
    });
    expect(reachedOf(rows)).toMatchObject({ from: 1, of: 2, notLooked: 2 });
  });

  test('do not count if they stopped looking', () => {
    const rows = rowsOf({
      'c/n1': [saidOf('dns')],
      'c/n2': [saidOf('dns', { probedSeconds: 60 })],
    });
    expect(reachedOf(rows)).toMatchObject({ from: 1, of: 1, notLooked: 3 });
  });

  test('count by when they confirmed their row: looking alone writes no new one', () => {
    const confirmed = { ...fresh(rowOf('c/n2', [], { targets: [saidOf('dns')] })) };
    const rows = [
      ...rowsOf({ 'c/n1': [failing({ ageSeconds: 30 })] }),
      { ...confirmed, bodyAgeMs: 3_600_000 },
    ];
    expect(reachedOf(rows)).toMatchObject({ from: 1, of: 2 });
  });

  test('of the endpoint plane are the nodes that have an endpoint', () => {
    const nodes = [nodeOf(1), nodeOf(2, { endpoint: [] })];
    const targets = [viewOf(targetOf('dns'))];
    const { planes } = bodyOf(stateWith([], { nodes, targets }));
    expect([planes.host?.reached.notLooked, planes.endpoint?.reached.notLooked]).toEqual([2, 1]);
  });

  test('are named up to 64, in the order of their names', () => {
    const nodes = Array.from({ length: 100 }, (_, index) => nodeOf(index));
    const rows = nodes.map(({ name }) => fresh(rowOf(name, [], { targets: [failing()] })));
    const host = hostOf(stateWith(rows, { nodes }));
    expect(host?.reached).toMatchObject({ from: 0, of: 100 });
    expect(host?.notFrom).toHaveLength(64);
    expect(host?.notFrom.slice(0, 3)).toEqual(['c/n0', 'c/n1', 'c/n10']);
  });
});

describe("this node's own view", () => {
  const planeOf = (more: Partial<TargetPlaneView>) =>
    hostOf(stateWith([], { targets: [viewOf(dns, more)] }));

  test('says why nothing is known', () => {
    const unknown = reachable({ state: 'unknown', lastProbedAt: undefined });
    expect(planeOf({ state: unknown })).toMatchObject({
      state: 'unknown',
      reason: 'not probed yet',
    });
    const because = 'no endpoint of this node answers';
    expect(planeOf({ state: unknown, unknownBecause: because })).toMatchObject({ reason: because });
  });

  test('says why the last probe could not be sent', () => {
    const state = reachable({ notSent: 'headersFile: it is gone' });
    expect(planeOf({ state })).toMatchObject({
      state: 'reachable',
      reason: 'headersFile: it is gone',
    });
  });

  test('has the answer, the servers and the failure', () => {
    const failed = { state: 'unreachable', failure: 'no such name', failureKind: 'nxdomain' };
    expect(
      planeOf({
        state: reachable(failed as object),
        servers: [{ server: '198.51.100.53', state: failed as never }],
        answer: { addresses: ['10.96.0.1'], ttlSeconds: 30, answeredBy: 'c/n3' },
      }),
    ).toMatchObject({
      state: 'unreachable',
      failure: 'no such name',
      failureKind: 'nxdomain',
      servers: [{ server: '198.51.100.53', state: 'unreachable', failure: 'no such name' }],
      addresses: ['10.96.0.1'],
      ttlSeconds: 30,
      answeredBy: 'c/n3',
    });
  });
});

describe('a target of nodes without endpoints', () => {
  const nodes = zoned.map((node) => ({ ...node, endpoint: [] }));
  const viewFrom = (...from: Target['from']) =>
    viewOf(targetOf('dns', { from }), {
      state: reachable({ state: 'unknown', lastProbedAt: undefined }),
      unknownBecause: 'no endpoint of this node is listed',
    });
  const stateOfNodes = (view: TargetView, more: Partial<ClusterState> = {}) =>
    stateWith(rowsOf({ 'c/n1': [saidOf('dns')] }), { nodes, targets: [view], ...more });
  const columnsOf = (state: ClusterState) =>
    (['zone', 'node'] as const).map((by) => {
      const body = runAtOnce(targetMatrixBody(state, { target: 'dns', by }));
      return 'columns' in body ? body.columns : undefined;
    });

  test('has no endpoint plane', () => {
    const state = stateOfNodes(viewFrom('host', 'endpoint'));
    expect(Object.keys(bodyOf(state).planes)).toEqual(['host']);
    expect(Object.keys(runAtOnce(targetsBody(state)).targets[0]?.planes ?? {})).toEqual(['host']);
    expect(columnsOf(state)).toEqual([['host'], ['host']]);
  });

  test('has one as soon as a node has an endpoint, though it is not active, and while nobody knows', () => {
    const cordoned = nodeOf(5, { lifecycle: { phase: 'excluded' } });
    for (const listed of [[...nodes, cordoned], []]) {
      const state = stateOfNodes(viewFrom('host', 'endpoint'), { nodes: listed });
      expect(Object.keys(bodyOf(state).planes)).toEqual(['host', 'endpoint']);
      expect(columnsOf(state)).toEqual([
        ['host', 'endpoint'],
        ['host', 'endpoint'],
      ]);
    }
  });

  test.each([failing({ plane: 'endpoint' }), failing({ plane: 'endpoint', digest: 8 })])(
    'has one where an agent tells of it, whose node list is another',
    (said) => {
      const rows = rowsOf({ 'c/n1': [saidOf('dns')], 'c/n2': [said] });
      const state = stateOfNodes(viewFrom('host', 'endpoint'), { rows });
      expect(Object.keys(bodyOf(state).planes)).toEqual(['host', 'endpoint']);
    },
  );

  test('that is probed from endpoints only is unknown, and says why', () => {
    const state = stateOfNodes(viewFrom('endpoint'));
    expect(bodyOf(state)).toMatchObject({
      verdict: 'unknown',
      planes: { endpoint: { state: 'unknown', reason: 'no listed node has an endpoint' } },
    });
    expect(columnsOf(state)).toEqual([['endpoint'], ['endpoint']]);
  });
});

describe('one target', () => {
  const state = stateWith(rowsOf({ 'c/n1': [saidOf('dns')] }), {
    targets: [viewOf(dns), viewOf(targetOf('registry'))],
  });

  test('is the same as in the list, with the time', () => {
    const body = targetDetailSchema.parse(runAtOnce(targetDetail(state, 'dns')));
    expect(body).toEqual({ ...bodyOf(state), at: '2026-11-21T10:00:00.000Z' });
  });

  test('that is not there has a nearest name, if one is near', () => {
    expect(runAtOnce(targetDetail(state, 'registri'))).toEqual({ nearest: 'registry' });
    expect(runAtOnce(targetDetail(state, 'x/../y'))).toEqual({ nearest: undefined });
  });
});

describe('what is probed', () => {
  const http = (url: string): TargetProbe => ({
    kind: 'http',
    http: {
      url,
      method: 'GET',
      expectStatus: [],
      headersFile: '/etc/secret',
      caFile: undefined,
      tlsName: undefined,
    },
  });

  test.each<[TargetProbe, string]>([
    [{ kind: 'icmp', host: '198.51.100.254' }, '198.51.100.254'],
    [{ kind: 'tcp', tcp: { host: 'db.example', port: 5432 } }, 'db.example:5432'],
    [{ kind: 'tcp', tcp: { host: '2001:db8::1', port: 1 } }, '[2001:db8::1]:1'],
    [http('https://r.example/v2/'), 'GET https://r.example/v2/'],
    [http('https://me:secret@r.example:8443/a?token=secret#x'), 'GET https://r.example:8443/a?...'],
  ])('is told without credentials: %j', (probe, text) => {
    expect(targetProbeText(probe)).toBe(text);
  });
});

describe('the matrix of a target', () => {
  const both = targetOf('dns');
  const rows = [
    ...rowsOf({
      'c/n1': [saidOf('dns'), saidOf('dns', { plane: 'endpoint', state: 'lossy' })],
      'c/n2': [failing()],
    }),
    { ...fresh(rowOf('c/n3', [], { targets: [failing()] })), freshness: 'stale' as const },
  ];
  const state = stateWith(rows, { targets: [viewOf(both)] });

  test('by zone has the nodes of each zone from each plane', () => {
    const body = zoneMatrixSchema.parse(
      runAtOnce(targetMatrixBody(state, { target: 'dns', by: 'zone' })),
    );
    expect(body).toMatchObject({ zones: ['a', 'b'], columns: ['host', 'endpoint'] });
    expect(body.cells).toMatchObject([
      { from: 'a', to: 'host', pairs: 2, failing: 1, degraded: 0, unknown: 0, p50Ns: 400_000 },
      { from: 'a', to: 'endpoint', pairs: 2, failing: 0, lossy: 1, degraded: 1, unknown: 1 },
      // The row of n3 is stale, and n4 never sent one.
      { from: 'b', to: 'host', pairs: 2, failing: 0, unknown: 2 },
      { from: 'b', to: 'endpoint', pairs: 2, unknown: 2 },
    ]);
  });

  test('by node has one row an observer and a column a plane', () => {
    const body = nodeMatrixSchema.parse(
      runAtOnce(targetMatrixBody(state, { target: 'dns', by: 'node' })),
    );
    const { states } = decodeMatrix(body);
    expect(body).toMatchObject({
      rows: ['c/n1', 'c/n2', 'c/n3', 'c/n4'],
      columns: ['host', 'endpoint'],
      stale: [false, false, true, false],
    });
    expect(Array.from(states, byteToState)).toEqual([
      ...['reachable', 'lossy-or-slow'],
      ...['unreachable', 'no-report'],
      ...['unreachable', 'no-report'],
      ...['no-report', 'no-report'],
    ]);
  });

  test('by node has the nodes that are asked for, by their full names or those in the own cluster', () => {
    const query = { target: 'dns', by: 'node' as const, nodes: ['n2', 'c/n3', 'd/n1'] };
    const body = nodeMatrixSchema.parse(runAtOnce(targetMatrixBody(state, query)));
    expect(body.rows).toEqual(['c/n2', 'c/n3']);
  });

  test('of an unknown target tells the nearest name', () => {
    expect(runAtOnce(targetMatrixBody(state, { target: 'dnss', by: 'zone' }))).toEqual({
      nearest: 'dns',
    });
  });
});

/** How many steps it takes to write a body, and the most rows that are read in one of them. */
function countSteps(state: ClusterState, start: (counted: ClusterState) => Steps<unknown>) {
  let [steps, read, most] = [0, 0, 0];
  function* counted(): Generator<ObservedRow> {
    for (const row of state.rows) {
      read++;
      yield row;
    }
  }
  const body = start({ ...state, rows: { [Symbol.iterator]: counted } });
  for (let isDone: boolean | undefined = false; !isDone; steps++) {
    read = 0;
    isDone = body.next().done;
    most = Math.max(most, read);
  }
  return { steps, most };
}

test('16 targets of 5,000 nodes are written in steps of a row or a target each', () => {
  const nodes = Array.from({ length: 5000 }, (_, index) => nodeOf(index, { zone: `${index % 3}` }));
  const targets = Array.from({ length: 16 }, (_, index) => viewOf(targetOf(`t${index}`)));
  const said = targets.flatMap(({ target }) =>
    (['host', 'endpoint'] as const).map((plane) => saidOf(target.name, { plane })),
  );
  const rows = nodes.map(({ name }) => fresh(rowOf(name, [], { targets: said })));
  const state = stateWith(rows, { nodes, targets });
  const { targets: bodies } = runAtOnce(targetsBody(state));
  expect(bodies).toHaveLength(16);
  expect(bodies[15]?.planes.endpoint?.reached).toMatchObject({ from: 5000, of: 5000 });
  // A step a row, a step a target and plane, and the end.
  expect(countSteps(state, targetsBody)).toEqual({ steps: 5000 + 16 * 2 + 1, most: 1 });
  const matrix = (counted: ClusterState) => targetMatrixBody(counted, { target: 't7', by: 'node' });
  // The rows for what they say, the rows for their ages, and the nodes.
  expect(countSteps(state, matrix)).toEqual({ steps: 3 * 5000 + 1, most: 1 });
});
