import { describe, expect, test } from 'vitest';
import { nameHash } from '../../../../../agent/model/name-hash.js';
import { listOf } from '../../../../../agent/model/row-coverage.js';
import type { Path } from '../../../../../agent/model/path.js';
import { runAtOnce } from '../../../../../agent/platform/time-slices.js';
import type { ClusterState } from '../../../../../agent/reports/v1/cluster-state.js';
import { unknownNode } from '../../../../../agent/reports/v1/node-entries.js';
import { nodeMatrixBody } from '../../../../../agent/reports/v1/node-matrix-body.js';
import { zoneMatrixBody } from '../../../../../agent/reports/v1/zone-matrix-body.js';
import { byteToState } from '../../../../../api/schema/v1/matrix-bytes.js';
import {
  byteToChannels,
  channelText,
  decodeMatrix,
  readPages,
} from '../../../../../api/schema/v1/matrix-cells.js';
import {
  nodeMatrixSchema,
  zoneMatrixSchema,
  type NodeMatrix,
  type ZoneMatrix,
} from '../../../../../api/schema/v1/matrix.js';
import type { MatrixQuery } from '../../../../../api/schema/v1/queries.js';
import { failing, fresh, nodeOf, rowOf, staleRow, stateOf, storeOf } from './cluster.js';

const zoned = [1, 2, 3, 4].map((index) => nodeOf(index, { zone: index <= 2 ? 'a' : 'b' }));
const hostIcmp = { plane: 'host', protocol: 'icmp' } as const;
const worst = { plane: 'worst', protocol: 'worst' } as const;

/** By node, and of echoes on the host plane if nothing else is asked for. */
function nodeBody(state: ClusterState, query: Partial<MatrixQuery> = {}): NodeMatrix {
  const asked = { by: 'node', ...hostIcmp, ...query };
  return nodeMatrixSchema.parse(runAtOnce(nodeMatrixBody(state, asked)));
}

/** By zone, and of echoes on the host plane if nothing else is asked for. */
function zoneBody(state: ClusterState, query: Partial<MatrixQuery> = {}): ZoneMatrix {
  const asked = { by: 'zone', ...hostIcmp, ...query };
  return zoneMatrixSchema.parse(runAtOnce(zoneMatrixBody(state, asked)));
}

const cellIn = ({ cells }: ZoneMatrix, from: string, to: string) =>
  cells.find((one) => one.from === from && one.to === to);

function cellsOf(state: ClusterState, more: Partial<MatrixQuery> = {}) {
  const { rows, columns, states } = decodeMatrix(nodeBody(state, more));
  return rows.map((_, row) =>
    columns.map((__, column) => byteToState(states[row * columns.length + column] ?? 0)),
  );
}

/** A row of 20 nodes that names ten and had no room for nine. */
function cutRow(nodes: readonly { readonly name: string }[]) {
  const byHash = nodes
    .filter(({ name }) => name !== 'c/n2')
    .sort((a, b) => nameHash(a.name) - nameHash(b.name));
  const row = rowOf(
    'c/n2',
    byHash.slice(0, 10).map(({ name }) => failing(name)),
    { omittedNodes: 9 },
  );
  return { row, left: byHash.slice(10).map(({ name }) => name) };
}

test('a zone that no node is in is not known, and the nearest one is named', () => {
  const nodes = [nodeOf(1, { zone: 'eu-west' }), nodeOf(2)];
  const ask = (query: Partial<MatrixQuery>) =>
    runAtOnce(nodeMatrixBody(stateOf(nodes), { by: 'node', ...hostIcmp, ...query }));
  expect(ask({ zone: 'eu-wes' })).toEqual({ zone: 'eu-wes', nearest: 'eu-west' });
  expect(ask({ zone: '', toZone: 'x' })).toEqual({ zone: 'x', nearest: undefined });
  expect(ask({ zone: '', toZone: 'eu-west' })).toMatchObject({ rows: ['c/n2'] });
});

test('of a node that is not known the nearest name is told', () => {
  const nodes = [nodeOf(1, { name: 'c/worker-1' }), nodeOf(2, { name: 'c/worker-2' })];
  const state = { nodes, clusterName: 'c' };
  expect(unknownNode(state, 'wroker-2')).toEqual({ nearest: 'c/worker-2' });
  expect(unknownNode(state, 'c/worker-3')).toEqual({ nearest: undefined });
});

describe('the matrix by a label', () => {
  const nodes = [1, 2, 3, 4].map((index) =>
    nodeOf(index, {
      zone: 'a',
      ...(index < 4 && { labels: { kernel: index === 2 ? '6.9' : '6.8' } }),
    }),
  );
  const rows = [
    fresh(rowOf('c/n1', [failing('c/n2')])),
    fresh(rowOf('c/n2')),
    fresh(rowOf('c/n3', [failing('c/n2'), failing('c/n4', { state: 'lossy' })])),
  ];
  const state = stateOf(nodes, { rows, groupBy: ['zone', 'kernel'] });

  test('counts the pairs of its values, and of the nodes without one', () => {
    const body = zoneBody(state, { by: 'kernel' });
    expect(body).toMatchObject({ by: 'kernel', zones: ['', '6.8', '6.9'] });
    const cell = (from: string, to: string) => cellIn(body, from, to);
    expect(cell('6.8', '6.9')).toMatchObject({ pairs: 2, failing: 2, unknown: 0 });
    expect(cell('6.8', '6.8')).toMatchObject({ pairs: 2, failing: 0, unknown: 0 });
    expect(cell('6.8', '')).toMatchObject({ pairs: 2, lossy: 1, unknown: 0 });
    expect(cell('', '6.8')).toMatchObject({ pairs: 2, unknown: 2 });
    expect(cell('6.9', '6.9')).toBeUndefined();
    expect(body.cells.every(({ p50Ns }) => p50Ns === undefined)).toBe(true);
  });

  test('is by zone by both names of its label, and knows no others', () => {
    for (const by of ['zone', 'topology.kubernetes.io/zone']) {
      const body = zoneBody(state, { by });
      expect(body.zones).toEqual(['a']);
      expect(body).not.toHaveProperty('by');
    }
    const ask = (by: string) => runAtOnce(zoneMatrixBody(state, { by, ...hostIcmp }));
    expect(ask('kernle')).toEqual({ label: 'kernle', nearest: 'kernel' });
    expect(ask('constructor')).toEqual({ label: 'constructor', nearest: undefined });
  });
});

describe('the matrix by zone', () => {
  test('counts the pairs of two zones by what their observers say', () => {
    const rows = [
      fresh(rowOf('c/n1')),
      fresh(rowOf('c/n2', [failing('c/n3'), failing('c/n4', { state: 'lossy' })])),
      fresh(rowOf('c/n3', [failing('c/n1', { state: 'slow' })])),
      fresh(rowOf('c/n4')),
    ];
    const body = zoneBody(stateOf(zoned, { rows }));
    expect(body.zones).toEqual(['a', 'b']);
    const none = { failing: 0, lossy: 0, slow: 0, degraded: 0, unknown: 0 };
    const cell = (from: string, to: string) => cellIn(body, from, to);
    expect(cell('a', 'a')).toMatchObject({ ...none, pairs: 2 });
    expect(cell('a', 'b')).toMatchObject({ ...none, pairs: 4, failing: 1, lossy: 1, degraded: 1 });
    expect(cell('b', 'a')).toMatchObject({ ...none, pairs: 4, slow: 1, degraded: 1 });
  });

  test('calls a pair unknown if no fresh row reports it', () => {
    const rows = [fresh(rowOf('c/n1')), staleRow(rowOf('c/n2'))];
    const body = zoneBody(stateOf(zoned, { rows }));
    expect(body.cells.map(({ unknown }) => unknown)).toEqual([1, 2, 4, 2]);
  });

  test('calls nodes that a full row left out unknown, and not reachable', () => {
    const nodes = Array.from({ length: 20 }, (_, index) => nodeOf(index + 1));
    const { row, left } = cutRow(nodes);
    const rows = nodes.map(({ name }) => fresh(name === row.observer ? row : rowOf(name)));
    const body = zoneBody(stateOf(nodes, { rows }));
    expect(body.cells[0]).toMatchObject({ pairs: 380, failing: 10, unknown: 9 });
    const cells = cellsOf(stateOf(nodes, { rows }));
    const names = nodes.map(({ name }) => name).sort();
    const ofRow = cells[names.indexOf(row.observer)] ?? [];
    const untold = names.filter((name, at) => name !== 'c/n2' && ofRow[at] === 'no-report');
    expect(untold).toEqual(left.sort());
  });

  test('gives the median of the medians and the worst 99th percentile', () => {
    const zone = (paths: number, p50Ns: number, p99Ns: number) => ({
      zones: [{ zone: 'b', ...hostIcmp, paths, p50Ns, p99Ns }],
    });
    const cellOf = (...zones: ReturnType<typeof zone>[]) => {
      const rows = zones.map((told, at) => fresh(rowOf(`c/n${at + 1}`, [], told)));
      const body = zoneBody(stateOf(zoned, { rows }));
      return cellIn(body, 'a', 'b');
    };
    expect(cellOf(zone(100, 100_000, 300_000), zone(100, 200_000, 900_000))).toMatchObject({
      p50Ns: 100_000,
      p99Ns: 900_000,
    });
    // The 99th percentile of fewer is the largest of them.
    expect(cellOf(zone(100, 100_000, 300_000), zone(99, 200_000, 900_000))?.p99Ns).toBe(300_000);
    const few = cellOf(zone(2, 100_000, 300_000), zone(2, 200_000, 900_000));
    expect(few?.p50Ns).toBe(100_000);
    expect(few?.p99Ns).toBeUndefined();
  });
});

describe('the matrix by node', () => {
  test('has the own row with RTTs, peers from their rows, and no report for a missing row', () => {
    const rows = [fresh(rowOf('c/n1')), fresh(rowOf('c/n2', [failing('c/n3')]))];
    const state = stateOf(zoned, { rows });
    const body = nodeBody(state);
    expect(body.ages).toEqual([1, 1, null, null]);
    expect(decodeMatrix(body).rtts[1]).toBeGreaterThan(0);
    const silent = Array<string>(4).fill('no-report');
    expect(cellsOf(state)).toEqual([
      ['reachable', 'reachable', 'reachable', 'reachable'],
      ['reachable', 'reachable', 'unreachable', 'reachable'],
      silent,
      silent,
    ]);
  });

  test('has the medians of the own round trips, not the last ones', () => {
    const store = storeOf(zoned, () => false);
    const rttsNow = () => {
      const state = stateOf(zoned, { snapshot: store.snapshot() });
      return decodeMatrix(nodeBody(state)).rtts;
    };
    const before = rttsNow();
    const paths: Path[] = [];
    store.paths.visitPrimaryPaths((path, protocol) => {
      if (protocol === 'icmp') paths.push(path);
    });
    const slow = { outcome: 'reply', rttNs: 90_000_000, sentMs: 2, at: 0 } as const;
    for (const path of paths) store.record(path, 'icmp', slow);
    expect(paths).toHaveLength(8);
    expect(store.snapshot().nodes[0]?.host[0]?.icmp.state.rttNs).toBe(slow.rttNs);
    expect(rttsNow()).toEqual(before);
  });

  test('tells of which round trips there are few', () => {
    const store = storeOf(zoned, () => false);
    const ofFew = () => {
      const state = stateOf(zoned, { snapshot: store.snapshot() });
      const { few } = decodeMatrix(nodeBody(state));
      return [...(few ?? [])].slice(0, 4);
    };
    expect(ofFew()).toEqual([1, 1, 1, 1]);
    const paths: Path[] = [];
    store.paths.visitPrimaryPaths((path, protocol) => {
      if (protocol === 'icmp' && path.node === 'c/n3') paths.push(path);
    });
    const reply = { outcome: 'reply', rttNs: 200_000, sentMs: 2, at: 0 } as const;
    for (const path of paths) for (let i = 0; i < 19; i++) store.record(path, 'icmp', reply);
    expect(ofFew()).toEqual([1, 1, 0, 1]);
  });

  test('has the own row as peers get it: what this agent no longer knows is unknown there too', () => {
    const counts = rowOf('c/n1').counts;
    const notSending = { ready: true, starved: false, notSending: ['icmp'] } as const;
    const unknown = failing('c/n3', { state: 'unknown' });
    const row = rowOf('c/n1', [unknown], { counts, health: notSending });
    const body = nodeBody(stateOf(zoned, { rows: [fresh(row)] }));
    expect(cellsOf(stateOf(zoned, { rows: [fresh(row)] }))[0]).toEqual([
      'no-report',
      'no-report',
      'unknown',
      'no-report',
    ]);
    expect([...decodeMatrix(body).rtts.slice(0, 4)]).toEqual([0, 0, 0, 0]);
  });

  test('marks the nodes that are not expected to answer, and those without such an address', () => {
    const cordoned = { lifecycle: { phase: 'excluded', reason: 'cordoned' } } as const;
    const nodes = [nodeOf(1), nodeOf(2, { endpoint: [] }), nodeOf(3, cordoned)];
    expect(cellsOf(stateOf(nodes), { plane: 'endpoint' })[0]).toEqual([
      'reachable',
      'excluded',
      'excluded',
    ]);
  });

  test('takes the states of a peer from what came last, and the round trips from its whole row', () => {
    let ageMs = 500;
    const whole = () => ({
      ageMs,
      nodes: ['c/n4', 'c/n1'],
      states: Uint8Array.of(3, 4),
      rtts: Uint8Array.of(80, 0),
      few: Uint8Array.of(1, 0),
    });
    const wholeRow = (observer: string) => (observer === 'c/n2' ? whole() : undefined);
    const rows = zoned.map(({ name }) => fresh(rowOf(name, [failing('c/n3')])));
    const state = stateOf(zoned, { rows, wholeRow });
    const body = () => decodeMatrix(nodeBody(state));
    expect(cellsOf(state)[1]).toEqual(['unreachable', 'no-report', 'no-report', 'lossy-or-slow']);
    expect(body().ages).toEqual([1, 0.5, 1, 1]);
    ageMs = 2100;
    const told = ['reachable', 'reachable', 'unreachable', 'reachable'];
    expect(cellsOf(state)[1]).toEqual(told);
    expect([...body().rtts.slice(4, 8)]).toEqual([0, 0, 0, 80]);
    expect([...(body().few?.slice(4, 8) ?? [])]).toEqual([0, 0, 0, 1]);
    expect(body().ages).toEqual([1, 1, 1, 1]);
    ageMs = 3_600_000;
    expect(cellsOf(state)[1]).toEqual(told);
    expect([...body().rtts.slice(4, 8)]).toEqual([0, 0, 0, 0]);
  });

  test('has the nodes of one zone as rows and those of another as columns', () => {
    const nodes = ['a', 'a', 'b', 'b', 'b'].map((zone, index) => nodeOf(index + 1, { zone }));
    const rows = [fresh(rowOf('c/n1')), fresh(rowOf('c/n2', [failing('c/n4')]))];
    const body = nodeBody(stateOf(nodes, { rows }), { zone: 'a', toZone: 'b' });
    expect(body.rows).toEqual(['c/n1', 'c/n2']);
    expect(body.columns).toEqual(['c/n3', 'c/n4', 'c/n5']);
    expect(body.ages).toEqual([1, 1]);
    const { states, rtts } = decodeMatrix(body);
    expect([...states].map(byteToState)).toEqual([
      ...['reachable', 'reachable', 'reachable'],
      ...['reachable', 'unreachable', 'reachable'],
    ]);
    expect([...rtts].map((rtt) => rtt > 0)).toEqual([true, true, true, false, false, false]);
  });

  test('is narrowed by zone and by names', () => {
    const rowsOf = (query: object) => nodeBody(stateOf(zoned), query).rows;
    expect(rowsOf({ zone: 'b' })).toEqual(['c/n3', 'c/n4']);
    expect(rowsOf({ nodes: ['c/n4', 'c/gone'] })).toEqual(['c/n4']);
    expect(rowsOf({ nodes: ['n4', 'd/n1'] })).toEqual(['c/n4']);
  });
});

describe('what a row tells of', () => {
  test('does not include the nodes that its observer may not know', () => {
    const known = zoned.slice(0, 3);
    const list = listOf(known.map(({ name }) => nameHash(name)));
    const rows = [fresh(rowOf('c/n1')), fresh(rowOf('c/n2', [failing('c/n1')], { list }))];
    const state = stateOf(zoned, { rows });
    const [, told = []] = cellsOf(state);
    expect([told[0], told[3]]).toEqual(['unreachable', 'no-report']);
    const cell = cellIn(zoneBody(state), 'a', 'b');
    expect(cell).toMatchObject({ pairs: 4, failing: 0 });
    expect(cell?.unknown).toBeGreaterThanOrEqual(1);
  });

  test('includes a node that it names, though it may not know all nodes of that group', () => {
    const list = listOf([nameHash('c/gone')]);
    const rows = [fresh(rowOf('c/n1')), fresh(rowOf('c/n2', [failing('c/n3')], { list }))];
    const state = stateOf(zoned, { rows });
    expect(cellsOf(state)[1]?.[2]).toBe('unreachable');
    const cells = zoneBody(state).cells;
    const total = (field: 'failing' | 'unknown' | 'pairs') =>
      cells.reduce((sum, cell) => sum + cell[field], 0);
    expect(total('pairs')).toBe(12);
    expect(total('failing')).toBe(1);
    const noReport = cellsOf(state).flatMap((row, from) =>
      row.filter((cell, to) => from !== to && cell === 'no-report'),
    );
    expect(total('unknown')).toBe(noReport.length);
  });

  test('is everything for the own row, however many nodes fail', () => {
    const nodes = Array.from({ length: 20 }, (_, index) => nodeOf(index + 1));
    const row = rowOf(
      'c/n1',
      nodes.slice(1).map(({ name }) => failing(name)),
    );
    const state = stateOf(nodes, { rows: [fresh(row)] });
    const [cell] = zoneBody(state).cells;
    expect(cell).toMatchObject({ pairs: 380, failing: 19, unknown: 361 });
  });
});

test('a stale row is marked, with its age', () => {
  const stale = { ...staleRow(rowOf('c/n2', [failing('c/n3')])), ageMs: 35_000 };
  const body = nodeBody(stateOf(zoned, { rows: [fresh(rowOf('c/n1')), stale] }));
  expect(body.ages).toEqual([1, 35, null, null]);
  expect(body.stale).toEqual([false, true, false, false]);
});

describe('the worst of several channels', () => {
  const http = (node: string, plane: 'host' | 'endpoint') =>
    failing(node, { plane, protocol: 'http' });
  const rows = [
    fresh(rowOf('c/n1')),
    fresh(
      rowOf('c/n2', [
        http('c/n3', 'host'),
        http('c/n3', 'endpoint'),
        failing('c/n4', { state: 'slow' }),
        failing('c/n1', { plane: 'endpoint', state: 'unknown' }),
      ]),
    ),
    fresh(rowOf('c/n3')),
    fresh(rowOf('c/n4')),
  ];
  const channelsAt = (body: NodeMatrix, at: number) =>
    byteToChannels(decodeMatrix(body).channels?.[at] ?? 0).map(channelText);

  test('is shown for each cell, with the channels that are so', () => {
    const state = stateOf(zoned, { rows });
    expect(cellsOf(state, worst)[1]).toEqual([
      'unknown',
      'reachable',
      'unreachable',
      'lossy-or-slow',
    ]);
    const body = nodeBody(state, worst);
    expect(channelsAt(body, 4)).toEqual(['endpoint ICMP']);
    expect(channelsAt(body, 5)).toHaveLength(4);
    expect(channelsAt(body, 6)).toEqual(['host HTTP', 'endpoint HTTP']);
    expect(channelsAt(body, 7)).toEqual(['host ICMP']);
    expect(body).not.toHaveProperty('unreported');
  });

  test('can be of one plane or one protocol', () => {
    const state = stateOf(zoned, { rows });
    const icmp = { plane: 'worst', protocol: 'icmp' } as const;
    expect(cellsOf(state, icmp)[1]?.[2]).toBe('reachable');
    const endpoint = nodeBody(state, { plane: 'endpoint', protocol: 'worst' });
    expect(channelsAt(endpoint, 6)).toEqual(['endpoint HTTP']);
    expect(nodeBody(state)).not.toHaveProperty('channels');
  });

  test('leaves out channels that nobody reports, and names those of planes that nodes have', () => {
    const nodes = zoned.map((node) => ({ ...node, endpoint: [] }));
    const state = stateOf(nodes);
    const endpoint = [
      { plane: 'endpoint', protocol: 'icmp' },
      { plane: 'endpoint', protocol: 'http' },
    ];
    const body = nodeBody(state, worst);
    expect(body.unreported).toBeUndefined();
    expect(cellsOf(state, worst).flat()).toEqual(Array<string>(16).fill('reachable'));
    expect(channelsAt(body, 0)).toEqual(['host ICMP', 'host HTTP']);
    const zones = zoneBody(state, worst);
    expect(zones.unreported).toBeUndefined();
    const asked = { plane: 'endpoint', protocol: 'worst' } as const;
    expect(nodeBody(state, asked).unreported).toEqual(endpoint);
    expect(zoneBody(state, asked).unreported).toEqual(endpoint);
    expect(zones.cells.map(({ unknown }) => unknown)).toEqual([0, 0, 0, 0]);
  });

  test('is no report where nobody reports any channel', () => {
    const state = stateOf(zoned, { rows: [], snapshot: storeOf([], () => true).snapshot() });
    expect(cellsOf(state, worst).flat()).toEqual(Array<string>(16).fill('no-report'));
    const cells = zoneBody(state, worst).cells;
    expect(cells.every(({ pairs, unknown }) => pairs === unknown)).toBe(true);
    expect(nodeBody(state, worst).unreported).toHaveLength(4);
    expect(zoneBody(state, worst).unreported).toHaveLength(4);
  });

  test('has for each pair of zones the counts of the channel with the most failures', () => {
    const body = zoneBody(stateOf(zoned, { rows }), worst);
    const cell = (from: string, to: string) => cellIn(body, from, to);
    expect(cell('a', 'b')).toMatchObject({ failing: 1, plane: 'host', protocol: 'http' });
    expect(cell('a', 'a')).toMatchObject({ unknown: 1, plane: 'endpoint', protocol: 'icmp' });
    expect(cell('b', 'b')).toMatchObject({ failing: 0, plane: 'host', protocol: 'icmp' });
  });
});

describe('a matrix that is too large for one body', () => {
  const many = Array.from({ length: 1200 }, (_, index) =>
    nodeOf(index % 200, { name: `c/n${String(index).padStart(4, '0')}` }),
  );

  test('is cut to whole rows, counts the others, and goes on after any row', async () => {
    const state = stateOf(many, { rows: [], localName: 'c/n0000' });
    const first = nodeBody(state);
    expect([first.rows.length, first.columns.length]).toEqual([833, 1200]);
    expect(first.omittedRows).toBe(367);
    const next = nodeBody(state, { rowsAfter: first.rows.at(-1) });
    expect(next.rows).toHaveLength(367);
    expect(next).not.toHaveProperty('omittedRows');
    const whole = await readPages((rowsAfter) =>
      Promise.resolve(decodeMatrix(nodeBody(state, { rowsAfter }))),
    );
    expect(whole.rows).toEqual(many.map(({ name }) => name));
    expect([whole.states.length, whole.ages.length, whole.omittedRows]).toEqual([
      1_440_000, 1200, 0,
    ]);
  });
});
