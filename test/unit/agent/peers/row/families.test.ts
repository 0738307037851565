import { expect, test } from 'vitest';
import { initialState } from '../../../../../agent/model/path-state.js';
import type { RowFamily } from '../../../../../agent/model/row.js';
import { FamiliesBuilder } from '../../../../../agent/peers/row/families.js';
import { tellsTheSame } from '../../../../../agent/peers/row/row-text.js';
import { readFields, travelled, wellRow } from '../../exchange/lib/rows.js';

const counted: RowFamily = {
  family: 'ipv6',
  plane: 'endpoint',
  protocol: 'http',
  reachable: 3,
  unreachable: 2,
  unknown: 1,
};

test('counts only addresses of another family than the first one', () => {
  const builder = new FamiliesBuilder();
  const known = initialState(0, 0);
  const add = (ip: string, primary: string, state: 'reachable' | 'unreachable' | 'unknown') =>
    builder.add({ plane: 'host', ip }, primary, 'icmp', { ...known, state });
  add('fd00::1', '192.0.2.1', 'reachable');
  add('fd00::2', '192.0.2.2', 'unreachable');
  add('192.0.2.9', '192.0.2.2', 'unreachable');
  add('192.0.2.3', 'fd00::3', 'unknown');
  const none = { reachable: 0, unreachable: 0, unknown: 0 };
  const host = { plane: 'host', protocol: 'icmp' } as const;
  expect(builder.families()).toEqual([
    { family: 'ipv6', ...host, ...none, reachable: 1, unreachable: 1 },
    { family: 'ipv4', ...host, ...none, unknown: 1 },
  ]);
});

test('come through a message as they were, and a change of them is told', () => {
  const row = { ...wellRow('c/a'), families: [counted] };
  expect(travelled(row)?.families).toEqual([counted]);
  expect(tellsTheSame(row, { ...row })).toBe(true);
  expect(tellsTheSame(row, { ...row, families: [{ ...counted, unknown: 2 }] })).toBe(false);
  expect(travelled(wellRow())?.families).toBeUndefined();
});

test('of a newer agent are read as far as they are known here', () => {
  const read = (families: unknown) => readFields({ families });
  expect(
    read([
      [1, 3, 3, 2, 1, 77],
      [9, 0, 1, 1, 1],
      [0, 9, 1, 1, 1],
    ])?.families,
  ).toEqual([counted]);
  const refused = [
    [[1, 3, 3, 2]],
    [[1, 3, -1, 2, 1]],
    [[1, 3, 1e9, 2, 1]],
    [
      [1, 3, 3, 2, 1],
      [1, 3, 3, 2, 1],
    ],
    'x',
    [7],
    Array.from({ length: 100 }, (_, at) => [at, 0, 1, 1, 1]),
  ];
  for (const families of refused) expect(read(families)).toBeUndefined();
});
