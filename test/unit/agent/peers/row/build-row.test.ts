import { describe, expect, test } from 'vitest';
import { boundRow, buildRow, type RowSources } from '../../../../../agent/peers/row/build-row.js';
import type { FailureKind } from '../../../../../agent/model/failure.js';
import { runAtOnce, type Steps } from '../../../../../agent/platform/time-slices.js';
import { livesForMs, maxRowNodes, type Row } from '../../../../../agent/model/row.js';
import { nameHash } from '../../../../../agent/model/name-hash.js';
import { initialState, type PathState } from '../../../../../agent/model/path-state.js';
import type { Plane } from '../../../../../agent/model/path.js';
import type { Protocol } from '../../../../../agent/model/sample.js';
import { travelled, wellRow } from '../../exchange/lib/rows.js';

const now = 1_000_000;

interface Seen {
  readonly node: string;
  readonly plane?: Plane;
  readonly protocol?: Protocol;
  readonly state?: Partial<PathState>;
  readonly isLossy?: boolean;
  readonly isSlow?: boolean;
  readonly lost?: number;
  /** The time since which the path is lossy or slow. */
  readonly degradedAt?: number;
}

/**
 * The row of an agent that sees these paths. All of them answer unless their entry says otherwise.
 */
function rowOf(
  seen: readonly Seen[],
  lastGetMs: RowSources['lastGetMs'] = (node) => (node === 'c/heard' ? now : undefined),
) {
  const { observer, version, httpIntervalMs, httpTimeoutMs, health } = wellRow('c/a');
  const steps: Steps<Row> = buildRow({
    head: { observer, version, httpIntervalMs, httpTimeoutMs, health },
    nowMs: now,
    intervalsMs: { icmp: 800, http: 5000 },
    zoneOf: () => 'z',
    lastGetMs,
    *visitFurtherPaths() {
      // Each node has one address on a plane.
    },
    *visitPaths(visit) {
      yield;
      for (const one of seen) {
        const {
          node,
          plane = 'host',
          protocol = 'icmp',
          isLossy = false,
          isSlow = false,
          lost = 0,
        } = one;
        const reachable = {
          state: 'reachable',
          rttNs: 80_000,
          sinceMs: now - 90_000,
          answeredSentMs: now - 1000,
        } as const;
        const known = { ...initialState(0, 0), ...reachable, ...one.state };
        visit({ node, plane, ip: '198.51.100.1' }, protocol, known, {
          isLossy,
          isSlow,
          lost,
          sinceMs: one.degradedAt,
        });
      }
    },
  });
  return runAtOnce(steps);
}

describe('the row that an agent writes', () => {
  test('names a slow path with its channel, counts it as degraded, and has its RTT in the zone', () => {
    const row = rowOf([
      { node: 'c/n1' },
      { node: 'c/n2', plane: 'endpoint', protocol: 'http', isSlow: true, degradedAt: now - 30_000 },
    ]);
    expect(row.paths).toEqual([
      { node: 'c/n2', plane: 'endpoint', protocol: 'http', state: 'slow', ageSeconds: 30 },
    ]);
    expect(row.counts.endpoint.http).toMatchObject({ reachable: 1, degraded: 1, unreachable: 0 });
    expect(row.counts.host.icmp).toMatchObject({ reachable: 1, degraded: 0 });
    expect(row.zones.find(({ plane }) => plane === 'endpoint')).toMatchObject({ paths: 1 });
    // The fields that the diagnosis needs must arrive.
    expect(travelled(row)).toEqual(row);
  });

  test('calls a path lossy if it is also slow, and a slow path unreachable when it fails', () => {
    const { paths, counts } = rowOf([
      { node: 'c/n1', isLossy: true, isSlow: true },
      { node: 'c/n2', isSlow: true, state: { state: 'unreachable', failureKind: 'timeout' } },
    ]);
    const stateOf = (node: string) => paths.find((path) => path.node === node);
    expect(stateOf('c/n1')).toMatchObject({ state: 'lossy' });
    expect(stateOf('c/n1')).not.toHaveProperty('failure');
    expect(stateOf('c/n2')).toMatchObject({ state: 'unreachable', failure: 'timeout' });
    expect(counts.host.icmp).toEqual({ reachable: 1, unreachable: 1, unknown: 0, degraded: 1 });
  });

  test('tells how many probes a lossy path lost, and of no other one', () => {
    const { paths } = rowOf([
      { node: 'c/n1', isLossy: true, lost: 9 },
      { node: 'c/n2', isSlow: true, lost: 0 },
      { node: 'c/n3', lost: 9, state: { state: 'unreachable', failureKind: 'timeout' } },
      { node: 'c/n4', isLossy: true, lost: 0 },
    ]);
    expect(paths.map(({ lost }) => lost)).toEqual([9, undefined, undefined, undefined]);
  });

  test('names a path of which nothing is known, with its age', () => {
    const unknown = { state: 'unknown', sinceMs: now - 11_001 } as const;
    const { paths, counts } = rowOf([{ node: 'c/n1' }, { node: 'c/n2', state: unknown }]);
    const named = { state: 'unknown', ageSeconds: 11 };
    expect(paths).toEqual([{ node: 'c/n2', plane: 'host', protocol: 'icmp', ...named }]);
    expect(counts.host.icmp).toEqual({ reachable: 1, unreachable: 0, unknown: 1, degraded: 0 });
  });

  test('says which of its named nodes are heard', () => {
    const failing = { state: 'unreachable' } as const;
    expect(rowOf([{ node: 'c/heard', state: failing }]).heard).toEqual(['c/heard']);
    expect(rowOf([{ node: 'c/heard' }])).not.toHaveProperty('heard');
    // Nothing began to fail after which its GETs could have come.
    expect(rowOf([{ node: 'c/heard', isLossy: true }])).not.toHaveProperty('heard');
  });

  test('says of a node that it is heard if its GETs came after the last of its paths failed', () => {
    const failedAt = (sinceMs: number, failureKind: FailureKind = 'timeout') =>
      ({ state: 'unreachable', sinceMs, failureKind }) as const;
    const row = (getAt: number, failure?: FailureKind) =>
      rowOf(
        [
          { node: 'c/n1', state: failedAt(now - 60_000) },
          { node: 'c/n1', plane: 'endpoint', state: failedAt(now - 4000, failure) },
          { node: 'c/n1', protocol: 'http', isSlow: true },
        ],
        () => getAt,
      );
    expect(row(now - 5000)).not.toHaveProperty('heard');
    expect(row(now - 3500).heard).toEqual(['c/n1']);
    // A refusal comes at once, so what was sent before it may be read after it.
    expect(row(now - 3500, 'refused')).not.toHaveProperty('heard');
    expect(row(now - 2500, 'refused').heard).toEqual(['c/n1']);
  });

  test('says of a node that it is heard until its next GET is overdue', () => {
    const state = { state: 'unreachable', sinceMs: now - 60_000 } as const;
    const heardAgo = (ms: number) => rowOf([{ node: 'c/n1', state }], () => now - ms).heard;
    expect(heardAgo(livesForMs(wellRow('c/a')))).toEqual(['c/n1']);
    expect(heardAgo(livesForMs(wellRow('c/a')) + 1)).toBeUndefined();
  });

  test('says for how long it did not hear the node to which its GETs fail', () => {
    const failed = { state: 'unreachable', sinceMs: now - 4000, failureKind: 'timeout' } as const;
    const told = (lastGetMs: number | undefined) =>
      rowOf(
        [
          { node: 'c/n1', state: failed },
          { node: 'c/n1', protocol: 'http', state: failed },
          { node: 'c/n1', plane: 'endpoint', protocol: 'http', state: failed },
        ],
        () => lastGetMs,
      ).paths.map(({ unheardSeconds }) => unheardSeconds);
    expect(told(now - 61_900)).toEqual([undefined, 61, undefined]);
    expect(told(now - 900)).toEqual([undefined, 0, undefined]);
    expect(told(undefined)).toEqual([undefined, undefined, undefined]);
  });

  test('names all nodes that are not well, and the one that is sent those with the lowest hashes', () => {
    const nodes = Array.from({ length: 200 }, (_, index) => `c/n${index}`);
    const row = rowOf(
      nodes.map((node) => ({ node, state: { state: 'unreachable', sinceMs: now - 5000 } })),
      () => now,
    );
    expect(row.paths.map(({ node }) => node)).toEqual(nodes);
    expect(row).toMatchObject({ omittedNodes: 0, heard: nodes });
    const { paths, omittedNodes, heard } = boundRow(row);
    const lowest = [...nodes].sort((a, b) => nameHash(a) - nameHash(b)).slice(0, maxRowNodes);
    expect(paths.map(({ node }) => node)).toEqual(lowest);
    expect(heard).toEqual(lowest);
    expect(omittedNodes).toBe(200 - maxRowNodes);
  });
});

test('what an agent takes to reach itself is no RTT of its zone', () => {
  const { zones } = rowOf([{ node: 'c/a', state: { rttNs: 6000 } }, { node: 'c/b' }]);
  expect(zones).toMatchObject([{ zone: 'z', paths: 1 }]);
  expect(zones).toEqual(rowOf([{ node: 'c/b' }]).zones);
  expect(rowOf([{ node: 'c/a' }]).zones).toEqual([]);
});
