import { expect, test } from 'vitest';
import type { RowChange } from '../../../../../agent/model/row-host.js';
import { tellsTheSame } from '../../../../../agent/peers/row/row-text.js';
import { readFields, travelled, wellRow } from '../../exchange/lib/rows.js';
import { makeChange } from '../../../../rows/make-host.js';

const change = makeChange({ ageSeconds: 12 });

test('changes come through a message as they were, at most four of them', () => {
  expect(travelled({ ...wellRow(), changes: [change] })?.changes).toEqual([change]);
  const many = Array.from({ length: 5 }, (_, at) => ({ ...change, to: String(at) }));
  expect(travelled({ ...wellRow(), changes: many })?.changes).toEqual(many.slice(0, 4));
  expect(travelled({ ...wellRow(), changes: [] })?.changes).toBeUndefined();
});

test('another age is no change of the row, another value is one', () => {
  const row = { ...wellRow(), changes: [change] };
  const told = (other: Partial<RowChange>) =>
    tellsTheSame(row, { ...row, changes: [{ ...change, ...other }] });
  expect(told({ ageSeconds: 90 })).toBe(true);
  expect(told({ to: '1300' })).toBe(false);
});

test('changes of a newer agent are skipped, and so are further items', () => {
  const read = (changes: unknown) => readFields({ changes })?.changes;
  expect(
    read([
      [3, 12, 10, 'eth0', '1500', '1400', 'more'],
      [200, 1, 1, '', '', ''],
    ]),
  ).toEqual([change]);
});

test.each([
  ['a value that hides text', [[3, 12, 10, 'eth0', '1500', '14\u202e00']]],
  ['a value with a NUL', [[3, 12, 10, 'eth0', '1500', '14\0']]],
  ['a value that is too long', [[3, 12, 10, 'eth0', '1500', '1'.repeat(65)]]],
  ['a name that is none', [[3, 12, 10, 'eth0 ', '1500', '1400']]],
  ['a negative age', [[3, -1, 10, 'eth0', '1500', '1400']]],
  ['too few items', [[3, 12, 10, 'eth0', '1500']]],
  ['too many changes', Array.from({ length: 5 }, () => [3, 12, 10, 'eth0', '1', '2'])],
  ['no list', {}],
])('a row with %s is refused', (_, changes) => {
  expect(readFields({ changes })).toBeUndefined();
});
