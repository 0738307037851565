import { expect, test } from 'vitest';
import type { RowSign } from '../../../../../agent/model/row-host.js';
import { tellsTheSame } from '../../../../../agent/peers/row/row-text.js';
import { readFields, travelled, wellRow } from '../../exchange/lib/rows.js';
import { makeSign } from '../../../../rows/make-host.js';

const sign = makeSign({
  sign: 'interface-drops',
  ageSeconds: 12,
  value: 1203,
  limit: 100,
  about: 'eth0',
});

test('signs come through a message as they were, at most eight of them', () => {
  expect(travelled({ ...wellRow(), signs: [sign] })?.signs).toEqual([sign]);
  const many = Array.from({ length: 9 }, (_, at) => ({ ...sign, about: `eth${at}` }));
  expect(travelled({ ...wellRow(), signs: many })?.signs).toEqual(many.slice(0, 8));
  const older = { ...sign, orBefore: true } as const;
  expect(travelled({ ...wellRow(), signs: [older] })?.signs).toEqual([older]);
  expect(travelled({ ...wellRow(), signs: [] })?.signs).toBeUndefined();
});

test('another age, or a figure that is much the same, is no change of the row', () => {
  const row = { ...wellRow(), signs: [sign] };
  const told = (change: Partial<RowSign>) =>
    tellsTheSame(row, { ...row, signs: [{ ...sign, ...change }] });
  expect(told({ ageSeconds: 900, value: 1300 })).toBe(true);
  expect(told({ value: 5000 })).toBe(false);
  expect(told({ about: 'eth1' })).toBe(false);
  expect(tellsTheSame(row, wellRow())).toBe(false);
});

test('signs and planes of a newer agent are skipped, and so are further items', () => {
  const read = (signs: unknown) => readFields({ signs })?.signs;
  expect(
    read([
      [5, 0, 12, 1203, 100, 'eth0', 7, ['more']],
      [200, 0, 1, 1, 1, ''],
      [5, 9, 1, 1, 1, ''],
    ]),
  ).toEqual([sign]);
});

test.each([
  ['a negative figure', [[5, 0, 12, -1, 100, 'eth0']]],
  ['a fraction', [[5, 0, 12, 1.5, 100, 'eth0']]],
  ['a figure that is too large', [[5, 0, 12, 1e13, 100, 'eth0']]],
  ['an age of more than a year', [[5, 0, 1e9, 1, 100, 'eth0']]],
  ['a name that hides text', [[5, 0, 12, 1, 100, 'eth\u001b[2J']]],
  ['a name with a NUL', [[5, 0, 12, 1, 100, 'eth\0']]],
  ['a name that is too long', [[5, 0, 12, 1, 100, 'e'.repeat(33)]]],
  ['too few items', [[5, 0, 12, 1, 100]]],
  [
    'a sign twice',
    [
      [5, 0, 12, 1, 100, 'eth0'],
      [5, 0, 13, 2, 100, 'eth0'],
    ],
  ],
  ['too many signs', Array.from({ length: 9 }, (_, at) => [5, 0, 12, 1, 100, `e${at}`])],
  ['no list', 'signs'],
  ['an object', { 0: [5, 0, 12, 1, 100, 'eth0'] }],
])('a row with %s is refused', (_, signs) => {
  expect(readFields({ signs })).toBeUndefined();
});
