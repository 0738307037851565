import { describe, expect, test } from 'vitest';
import { nameHash } from '../../../../../agent/model/name-hash.js';
import { findingsBody } from '../../../../../agent/reports/v1/findings-body.js';
import { nodeEntries, nodeEntry } from '../../../../../agent/reports/v1/node-entries.js';
import { nodeMatrixBody } from '../../../../../agent/reports/v1/node-matrix-body.js';
import { summaryBody } from '../../../../../agent/reports/v1/summary-body.js';
import { zoneMatrixBody } from '../../../../../agent/reports/v1/zone-matrix-body.js';
import { findingsSchema } from '../../../../../api/schema/v1/findings.js';
import { byteToState, decodeMatrixBytes } from '../../../../../api/schema/v1/matrix-bytes.js';
import { nodeMatrixSchema, zoneMatrixSchema } from '../../../../../api/schema/v1/matrix.js';
import { nodeEntrySchema } from '../../../../../api/schema/v1/nodes.js';
import { summarySchema } from '../../../../../api/schema/v1/summary.js';
import { failing, fresh, nodeOf, rowOf, stateOf } from './cluster.js';

const zoned = [1, 2, 3, 4].map((index) => nodeOf(index, { zone: index <= 2 ? 'a' : 'b' }));
const hostIcmp = { plane: 'host', protocol: 'icmp' } as const;
const filter = { afterName: undefined, limit: 1000 };

function cellsOf(state: ReturnType<typeof stateOf>, plane: 'host' | 'endpoint' = 'host') {
  const body = nodeMatrixBody(state, { by: 'node', plane, protocol: 'icmp' });
  const { states } = decodeMatrixBytes(body);
  const width = body.columns.length;
  return body.rows.map((_, row) =>
    body.columns.map((__, column) => byteToState(states[row * width + column] ?? 0)),
  );
}

describe('the summary', () => {
  test('says ok while nothing is found, and counts nodes and paths', () => {
    const cordoned = nodeOf(5, { lifecycle: { phase: 'excluded', reason: 'cordoned' } });
    const body = summaryBody(stateOf([...zoned, cordoned]));
    expect(summarySchema.parse(body)).toMatchObject({
      node: 'c/n1',
      verdict: 'ok',
      nodes: { active: 4, joining: 0, leaving: 0, excluded: 1 },
      paths: { host: { icmp: { reachable: 4, unreachable: 0, unknown: 0 } } },
      findings: 0,
    });
  });

  test('is unknown without a node list and before the first sweep', () => {
    expect(summaryBody(stateOf([])).verdict).toBe('unknown');
    expect(summaryBody(stateOf(zoned, { isSwept: false })).verdict).toBe('unknown');
  });

  test('has the verdict of the worst finding', () => {
    const finding = (severity: string) => ({ id: 'x', kind: 'pair', severity }) as never;
    const verdict = (...findings: never[]) => summaryBody(stateOf(zoned, { findings })).verdict;
    expect(verdict(finding('degraded'))).toBe('degraded');
    expect(verdict(finding('degraded'), finding('broken'))).toBe('broken');
  });
});

describe('the findings', () => {
  test('leave out the count of unexplained pairs if it is zero', () => {
    expect(findingsSchema.parse(findingsBody(stateOf(zoned)))).not.toHaveProperty('unexplained');
    expect(findingsBody(stateOf(zoned, { unexplained: 3 })).unexplained).toBe(3);
  });
});

describe('the matrix by zone', () => {
  test('counts the pairs of two zones by what their observers say', () => {
    const rows = [
      fresh(rowOf('c/n1', [failing('c/n3')])),
      fresh(rowOf('c/n2', [failing('c/n4', { state: 'lossy' })])),
      fresh(rowOf('c/n3')),
      fresh(rowOf('c/n4')),
    ];
    const body = zoneMatrixBody(stateOf(zoned, { rows }), { by: 'zone', ...hostIcmp });
    expect(zoneMatrixSchema.parse(body).zones).toEqual(['a', 'b']);
    const cell = (from: string, to: string) =>
      body.cells.find((one) => one.from === from && one.to === to);
    expect(cell('a', 'a')).toMatchObject({ pairs: 2, failing: 0, degraded: 0, unknown: 0 });
    expect(cell('a', 'b')).toMatchObject({ pairs: 4, failing: 1, degraded: 1, unknown: 0 });
  });

  test('calls a pair unknown if no fresh row reports it', () => {
    const stale = { row: rowOf('c/n2'), ageMs: 60_000, freshness: 'stale' } as const;
    const state = stateOf(zoned, { rows: [fresh(rowOf('c/n1')), stale] });
    const body = zoneMatrixBody(state, { by: 'zone', ...hostIcmp });
    expect(body.cells.map(({ unknown }) => unknown)).toEqual([1, 2, 4, 2]);
  });

  test('calls nodes that a full row left out unknown, and not reachable', () => {
    const nodes = Array.from({ length: 20 }, (_, index) => nodeOf(index + 1));
    const byHash = nodes.slice(1).sort((a, b) => nameHash(a.name) - nameHash(b.name));
    const row = rowOf('c/n1', [failing(byHash[9]?.name ?? '')], { omittedNodes: 9 });
    const rows = [fresh(row), ...nodes.slice(1).map(({ name }) => fresh(rowOf(name)))];
    const body = zoneMatrixBody(stateOf(nodes, { rows }), { by: 'zone', ...hostIcmp });
    expect(body.cells[0]).toMatchObject({ pairs: 380, failing: 1, unknown: 9 });
  });

  test('gives the median of the medians and the worst 99th percentile', () => {
    const zone = (p50Ns: number, p99Ns: number) => ({
      zones: [{ zone: 'b', ...hostIcmp, paths: 2, p50Ns, p99Ns }],
    });
    const rows = [
      fresh(rowOf('c/n1', [], zone(100_000, 300_000))),
      fresh(rowOf('c/n2', [], zone(200_000, 900_000))),
    ];
    const body = zoneMatrixBody(stateOf(zoned, { rows }), { by: 'zone', ...hostIcmp });
    expect(body.cells.find(({ from, to }) => from === 'a' && to === 'b')).toMatchObject({
      p50Ns: 100_000,
      p99Ns: 900_000,
    });
  });
});

describe('the matrix by node', () => {
  test('has the own row with RTTs, peers from their rows, and no report for a missing row', () => {
    const rows = [fresh(rowOf('c/n1')), fresh(rowOf('c/n2', [failing('c/n3')]))];
    const state = stateOf(zoned, { rows });
    const body = nodeMatrixSchema.parse(nodeMatrixBody(state, { by: 'node', ...hostIcmp }));
    expect(body.ages).toEqual([1, 1, null, null]);
    expect(decodeMatrixBytes(body).rtts[1]).toBeGreaterThan(0);
    const silent = Array<string>(4).fill('no-report');
    expect(cellsOf(state)).toEqual([
      ['reachable', 'reachable', 'reachable', 'reachable'],
      ['reachable', 'reachable', 'unreachable', 'reachable'],
      silent,
      silent,
    ]);
  });

  test('marks the nodes that are not expected to answer, and those without such an address', () => {
    const cordoned = { lifecycle: { phase: 'excluded', reason: 'cordoned' } } as const;
    const nodes = [nodeOf(1), nodeOf(2, { endpoint: [] }), nodeOf(3, cordoned)];
    expect(cellsOf(stateOf(nodes), 'endpoint')[0]).toEqual(['reachable', 'excluded', 'excluded']);
  });

  test('uses a whole row while it is fresh, and gives its age', () => {
    let ageMs = 2100;
    const whole = () => ({
      ageMs,
      nodes: ['c/n4', 'c/n1'],
      states: Uint8Array.of(3, 4),
      rtts: Uint8Array.of(80, 0),
    });
    const wholeRow = (observer: string) => (observer === 'c/n2' ? whole() : undefined);
    const state = stateOf(zoned, { wholeRow });
    const ages = () => nodeMatrixBody(state, { by: 'node', ...hostIcmp }).ages;
    expect(cellsOf(state)[1]).toEqual(['unreachable', 'no-report', 'no-report', 'degraded']);
    expect(ages()).toEqual([1, 2.1, 1, 1]);
    ageMs = 3_600_000;
    expect(cellsOf(state)[1]).toEqual(Array<string>(4).fill('reachable'));
    expect(ages()).toEqual([1, 1, 1, 1]);
  });

  test('has the nodes of one zone as rows and those of another as columns', () => {
    const nodes = ['a', 'a', 'b', 'b', 'b'].map((zone, index) => nodeOf(index + 1, { zone }));
    const rows = [fresh(rowOf('c/n1')), fresh(rowOf('c/n2', [failing('c/n4')]))];
    const query = { by: 'node', ...hostIcmp, zone: 'a', toZone: 'b' } as const;
    const body = nodeMatrixSchema.parse(nodeMatrixBody(stateOf(nodes, { rows }), query));
    expect(body.rows).toEqual(['c/n1', 'c/n2']);
    expect(body.columns).toEqual(['c/n3', 'c/n4', 'c/n5']);
    expect(body.ages).toEqual([1, 1]);
    const { states, rtts } = decodeMatrixBytes(body);
    expect([...states].map(byteToState)).toEqual([
      ...['reachable', 'reachable', 'reachable'],
      ...['reachable', 'unreachable', 'reachable'],
    ]);
    expect([...rtts].map((rtt) => rtt > 0)).toEqual([true, true, true, false, false, false]);
  });

  test('is narrowed by zone and by names', () => {
    const rowsOf = (query: object) =>
      nodeMatrixBody(stateOf(zoned), { by: 'node', ...hostIcmp, ...query }).rows;
    expect(rowsOf({ zone: 'b' })).toEqual(['c/n3', 'c/n4']);
    expect(rowsOf({ nodes: ['c/n4', 'c/gone'] })).toEqual(['c/n4']);
  });
});

describe('the nodes', () => {
  test('have the own paths, who sees them, and a verdict', () => {
    const rows = [fresh(rowOf('c/n1')), fresh(rowOf('c/n2', [failing('c/n3')]))];
    const entry = nodeEntry(stateOf(zoned, { rows }), 'n3');
    expect(nodeEntrySchema.parse(entry)).toMatchObject({
      name: 'c/n3',
      zone: 'b',
      lifecycle: { phase: 'active' },
      verdict: 'degraded',
      paths: { host: { icmp: { state: 'reachable', rttNs: 200_000 } } },
      seenBy: { reachable: 1, unreachable: 1, of: 2 },
    });
  });

  test('do not count an observer for itself, nor a stale row', () => {
    const stale = { row: rowOf('c/n2'), ageMs: 60_000, freshness: 'stale' } as const;
    const state = stateOf(zoned, { rows: [fresh(rowOf('c/n1')), stale] });
    expect(nodeEntry(state, 'c/n1')?.seenBy).toEqual({ reachable: 0, unreachable: 0, of: 0 });
    expect(nodeEntry(state, 'c/n2')?.seenBy).toEqual({ reachable: 1, unreachable: 0, of: 1 });
  });

  test('get their verdict from the worst finding about them', () => {
    const finding = (severity: string) => ({ node: 'c/n2', severity }) as never;
    const findings = [finding('broken'), finding('degraded')];
    expect(nodeEntry(stateOf(zoned, { findings }), 'c/n2')?.verdict).toBe('broken');
  });

  test('are filtered and cut to a page in the order of their names', () => {
    const state = stateOf([...zoned, nodeOf(10)]);
    const names = (more: object) =>
      nodeEntries(state, { ...filter, ...more }).map(({ name }) => name);
    expect(names({})).toEqual(['c/n1', 'c/n10', 'c/n2', 'c/n3', 'c/n4']);
    expect(names({ afterName: 'c/n10', limit: 2 })).toEqual(['c/n2', 'c/n3']);
    expect(names({ zone: 'b' })).toEqual(['c/n3', 'c/n4']);
    expect(names({ name: 'n1' })).toEqual(['c/n1', 'c/n10']);
    expect(names({ state: 'broken' })).toEqual([]);
  });

  test('are not found under a name of another cluster', () => {
    expect(nodeEntry(stateOf(zoned), 'other/n1')).toBeUndefined();
  });
});
