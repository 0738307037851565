import { describe, expect, test } from 'vitest';
import { statusSchema } from '../../../../api/schema/status.js';
import {
  encodeMatrixBytes,
  rttToByte,
  stateToByte,
  type CellState,
} from '../../../../api/schema/v1/matrix-bytes.js';
import { nodeMatrixSchema, zoneMatrixSchema } from '../../../../api/schema/v1/matrix.js';
import { diffBodies, type Change, type SavedBody } from '../../../../cli/diff/diff-bodies.js';

const at = '2026-11-25T00:00:00Z';

/** A matrix of these nodes, of which all cells are alike. */
function byNode(
  nodes: readonly string[],
  state: CellState,
  rttNs?: number,
  { channel, few = 0 }: { readonly channel?: number; readonly few?: 0 | 1 } = {},
): SavedBody {
  const fill = (byte: number) => new Uint8Array(nodes.length ** 2).fill(byte);
  const body = nodeMatrixSchema.parse({
    at,
    rows: nodes,
    columns: nodes,
    ages: nodes.map(() => 1),
    stale: nodes.map(() => false),
    ...encodeMatrixBytes({
      states: fill(stateToByte(state)),
      rtts: fill(rttToByte(rttNs)),
      few: fill(few),
      ...(channel !== undefined && { channels: fill(channel) }),
    }),
  });
  return { kind: 'matrix by node', body };
}

function byZone(pairs: number, p50Ns: number, counts: object = {}): SavedBody {
  const none = { failing: 0, lossy: 0, slow: 0, degraded: 0, unknown: 0 };
  const cell = { from: 'a', to: 'a', pairs, ...none, p50Ns, ...counts };
  return {
    kind: 'matrix by zone',
    body: zoneMatrixSchema.parse({ at, zones: ['a'], cells: [cell] }),
  };
}

/** A matrix by the values of a label, or one of a target, of which all is well. */
function byValue(more: object): SavedBody {
  const counts = { pairs: 4, failing: 0, lossy: 0, slow: 0, degraded: 0, unknown: 0 };
  const cells = [{ from: 'x', to: 'x', ...counts }];
  const body = zoneMatrixSchema.parse({ at, zones: ['x'], cells, ...more });
  return { kind: 'matrix by zone', body };
}

function status(icmp: object | null, more: object = {}): SavedBody {
  const node = { name: 'c/a', host: { 'primary-address': { ip: '192.0.2.1', icmp } }, ...more };
  return {
    kind: 'status',
    body: statusSchema.parse({ local: { name: 'c/a' }, timestamp: at, nodes: [node] }),
  };
}

const effects = (before: SavedBody, after: SavedBody): string[] =>
  diffBodies(before, after).map(({ type, effect }: Change) => `${type} ${effect}`);

describe('round trips of two bodies', () => {
  const ms = 1_000_000;

  test.each([
    ['are the same up to three times', 2.8, []],
    ['are the same down to a third', 0.36, []],
    ['are worse above that', 3.3, ['rtt worse']],
    ['are better below that', 0.3, ['rtt better']],
  ])('%s, in a matrix by node', (_, factor, expected) => {
    expect(
      effects(byNode(['c/a'], 'reachable', ms), byNode(['c/a'], 'reachable', factor * ms)),
    ).toEqual(expected);
  });

  test('of other channels are not compared', () => {
    const [icmp, http] = [
      byNode(['c/a'], 'reachable', ms, { channel: 1 }),
      byNode(['c/a'], 'reachable', 9 * ms, { channel: 2 }),
    ];
    expect(effects(icmp, http)).toEqual([]);
  });

  test('of which there are few are not compared', () => {
    const [usual, few] = [0, 1].map((bit) =>
      byNode(['c/a'], 'reachable', bit === 0 ? ms : 9 * ms, { few: bit === 0 ? 0 : 1 }),
    );
    if (!usual || !few) throw new Error('expected two');
    expect([effects(usual, few), effects(few, usual)]).toEqual([[], []]);
  });

  test('of zones are compared where enough pairs tell them', () => {
    expect(effects(byZone(16, ms), byZone(16, 2.9 * ms))).toEqual([]);
    expect(effects(byZone(16, ms), byZone(16, 3.1 * ms))).toEqual(['rtt worse']);
    expect(effects(byZone(15, ms), byZone(15, 9 * ms))).toEqual([]);
  });

  test('of a status are outside the range of the others, and not a little more', () => {
    const rtts = (p50: number, min: number, max: number) =>
      status({ latency: p50, p50, p95: max, min, max });
    expect(effects(rtts(1000, 900, 1100), rtts(1200, 1150, 1250))).toEqual([]);
    expect(effects(rtts(1000, 900, 5000), rtts(4000, 3900, 4100))).toEqual([]);
    expect(effects(rtts(1000, 900, 1100), rtts(4000, 3900, 4100))).toEqual(['rtt worse']);
    expect(effects(rtts(4000, 3900, 4100), rtts(1000, 900, 1100))).toEqual(['rtt better']);
    const few = status({ latency: 4000, p50: 4000, min: 3900, max: 4100 });
    expect(effects(rtts(1000, 900, 1100), few)).toEqual([]);
  });
});

describe('states of two bodies', () => {
  test.each<[CellState, CellState, string]>([
    ['reachable', 'unreachable', 'worse'],
    ['reachable', 'lossy-or-slow', 'worse'],
    ['lossy-or-slow', 'unreachable', 'worse'],
    ['reachable', 'no-report', 'worse'],
    ['lossy-or-slow', 'unknown', 'worse'],
    ['unknown', 'unreachable', 'worse'],
    ['unreachable', 'reachable', 'better'],
    ['unreachable', 'lossy-or-slow', 'better'],
    ['no-report', 'reachable', 'better'],
    ['unreachable', 'no-report', 'other'],
    ['unknown', 'lossy-or-slow', 'other'],
    ['no-report', 'unknown', 'other'],
    ['reachable', 'excluded', 'other'],
    ['excluded', 'unreachable', 'other'],
  ])('from %s to %s: %s', (before, after, expected) => {
    expect(effects(byNode(['c/a'], before), byNode(['c/a'], after))).toEqual([`state ${expected}`]);
  });

  test.each([
    [{ failing: 1 }, { failing: 2 }, 'worse'],
    [{ failing: 2 }, { failing: 1 }, 'better'],
    [{ failing: 2 }, { failing: 1, lossy: 1 }, 'worse'],
    [{ slow: 1 }, { unknown: 1 }, 'worse'],
  ])('of a cell of zones from %o to %o: %s', (before, after, expected) => {
    expect(effects(byZone(9, 1, before), byZone(9, 1, after))).toEqual([`state ${expected}`]);
  });

  test('of a path of a status, and the phase of its node', () => {
    const failed = { status: 'Connection timed out' };
    expect(effects(status({ latency: 1 }), status(failed))).toEqual(['state worse']);
    expect(effects(status({ latency: 1 }), status(null))).toEqual(['state worse']);
    const leaving = { lifecycle: { phase: 'leaving' } };
    expect(effects(status(failed, leaving), status({ latency: 1 }))).toEqual([
      'state better',
      'state other',
    ]);
  });
});

test('a node that is gone is worse, one that was added is not, and their cells are not told again', () => {
  const [two, three] = [
    byNode(['c/a', 'c/b'], 'reachable'),
    byNode(['c/a', 'c/b', 'c/c'], 'reachable'),
  ];
  expect(effects(two, three)).toEqual(['added other']);
  expect(effects(three, two)).toEqual(['removed worse']);
});

describe('matrices of other things are not compared', () => {
  test.each([
    ['zones and the values of a label', {}, { by: 'rack' }, 'grouped by zone', 'grouped by rack'],
    ['the values of two labels', { by: 'os' }, { by: 'rack' }, 'grouped by os', 'grouped by rack'],
    ['two targets', { target: 'a' }, { target: 'b' }, 'the target a on', 'the target b on'],
    ['nodes and a target', {}, { target: 'b' }, 'got any plane', 'and the target b on'],
  ])('%s', (_, before, after, ...words) => {
    const compare = () => diffBodies(byValue(before), byValue(after));
    for (const word of words) expect(compare).toThrow(word);
  });
});

test('the values of a label are called by its name', () => {
  const none = byValue({ by: 'rack', zones: [], cells: [] });
  expect(diffBodies(none, byValue({ by: 'rack' })).map(({ subject }) => subject)).toEqual([
    'rack x',
    'x -> x',
  ]);
});
