import { describe, expect, test } from 'vitest';
import { initialState, type Reachability } from '../../../../../agent/model/path-state.js';
import type { Plane } from '../../../../../agent/model/path.js';
import type { RowSweep } from '../../../../../agent/model/row.js';
import { tellsTheSame } from '../../../../../agent/peers/row/row-text.js';
import { SweepsBuilder } from '../../../../../agent/peers/row/sweeps.js';
import { readFields, travelled, wellRow } from '../../exchange/lib/rows.js';

const host: RowSweep = {
  plane: 'host',
  protocol: 'icmp',
  intervalMs: 800,
  sweptSeconds: 3,
  unansweredSeconds: 0,
};
const endpoint: RowSweep = { plane: 'endpoint', protocol: 'http', intervalMs: 50_000 };
const row = { ...wellRow('c/a'), sweeps: [host, endpoint] };

describe('the sweeps of a row', () => {
  test('tell the interval of each channel that is probed, the oldest answer of a path that works and the newest of all', () => {
    const builder = new SweepsBuilder(10_000);
    const add = (plane: Plane, answeredSentMs: number, state: Reachability = 'reachable') =>
      builder.add({ node: 'c/b', plane, ip: '192.0.2.1' }, 'icmp', {
        ...initialState(0, 0),
        state,
        answeredSentMs,
      });
    add('host', 9500);
    add('host', 7100);
    add('host', 100, 'unreachable');
    add('endpoint', 10_100);
    expect(builder.sweeps({ icmp: 800.4 })).toEqual([
      host,
      {
        plane: 'endpoint',
        protocol: 'icmp',
        intervalMs: 800,
        sweptSeconds: 0,
        unansweredSeconds: 0,
      },
    ]);
  });

  test('tell for how long nothing was answered where no path works', () => {
    const builder = new SweepsBuilder(10_000);
    for (const answeredSentMs of [5900, 6100, -Infinity])
      builder.add({ node: 'c/b', plane: 'host', ip: '192.0.2.1' }, 'icmp', {
        ...initialState(0, 0),
        state: 'unreachable',
        answeredSentMs,
      });
    expect(builder.sweeps({ icmp: 800 })).toEqual([
      { plane: 'host', protocol: 'icmp', intervalMs: 800, unansweredSeconds: 3 },
      { plane: 'endpoint', protocol: 'icmp', intervalMs: 800 },
    ]);
  });

  test('tell of channels that are probed alone', () => {
    expect(new SweepsBuilder(10_000).sweeps({ http: 5000 })).toEqual([
      { plane: 'host', protocol: 'http', intervalMs: 5000 },
      { plane: 'endpoint', protocol: 'http', intervalMs: 5000 },
    ]);
    expect(new SweepsBuilder(10_000).sweeps({})).toEqual([]);
  });

  test('come through a message as they were; older agents tell none', () => {
    expect(travelled(row)?.sweeps).toEqual([host, endpoint]);
    expect(travelled(wellRow())?.sweeps).toBeUndefined();
  });

  test('are told anew when an interval changes, not with each probe', () => {
    const withHost = (change: Partial<RowSweep>) => ({
      ...row,
      sweeps: [{ ...host, ...change }, endpoint],
    });
    expect(tellsTheSame(row, withHost({ sweptSeconds: 4 }))).toBe(true);
    expect(tellsTheSame(row, withHost({ unansweredSeconds: 4 }))).toBe(true);
    expect(tellsTheSame(row, withHost({ intervalMs: 900 }))).toBe(false);
  });

  test('of a newer agent are read as far as they are known here', () => {
    const read = (sweeps: unknown) => readFields({ sweeps })?.sweeps;
    const newer = [
      [0, 800, 3, 0, 'more'],
      [9, 1, 1],
      [3, 50_000, -1, -1, 7],
    ];
    expect(read(newer)).toEqual([host, endpoint]);
    expect(read([[0, 800, 3]])).toEqual([
      { plane: 'host', protocol: 'icmp', intervalMs: 800, sweptSeconds: 3 },
    ]);
  });

  test.each([
    ['no list', 'x'],
    ['null', null],
    ['numbers', [7]],
    ['an item too few', [[0, 800]]],
    ['an interval below zero', [[0, -1, 3]]],
    ['an interval of years', [[0, 1e12, 3]]],
    ['a fraction', [[0, 0.5, 3]]],
    ['a text', [[0, '800', 3]]],
    ['an age below -1', [[0, 800, -2]]],
    ['an age of centuries', [[0, 800, 1e10]]],
    ['a time without an answer below -1', [[0, 800, 3, -2]]],
    ['a time without an answer that is a text', [[0, 800, 3, '0']]],
    [
      'a channel twice',
      [
        [0, 800, 3],
        [0, 800, 3],
      ],
    ],
    ['a channel that is no number', [['icmp', 800, 3]]],
    ['too many', Array.from({ length: 17 }, (_, at) => [at, 800, 3])],
    ['too many items', [[0, 800, 3, ...Array.from({ length: 14 }, () => 0)]]],
  ])('are refused where they are %s', (_, sweeps) => {
    expect(readFields({ sweeps })).toBeUndefined();
  });
});
