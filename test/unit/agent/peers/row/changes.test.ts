import { expect, test } from 'vitest';
import type { RowChange } from '../../../../../agent/model/row-host.js';
import { keepRow } from '../../../../../agent/peers/row/kept-row.js';
import { encodeRow, tellsTheSame } from '../../../../../agent/peers/row/row-text.js';
import { wellRow } from '../../exchange/lib/rows.js';
import { makeChange } from '../../../../rows/make-host.js';

const change = makeChange({ ageSeconds: 12 });

const sent = (changes: readonly RowChange[]) =>
  JSON.parse(encodeRow({ ...wellRow('c/a'), changes })) as Record<string, unknown>;

test('changes come through a message as they were, at most four of them', () => {
  expect(keepRow('c/a', sent([change]))?.changes).toEqual([change]);
  const many = Array.from({ length: 5 }, (_, at) => ({ ...change, to: String(at) }));
  expect(keepRow('c/a', sent(many))?.changes).toEqual(many.slice(0, 4));
  expect(keepRow('c/a', sent([]))?.changes).toBeUndefined();
});

test('another age is no change of the row, another value is one', () => {
  const row = { ...wellRow('c/a'), changes: [change] };
  const told = (other: Partial<RowChange>) =>
    tellsTheSame(row, { ...row, changes: [{ ...change, ...other }] });
  expect(told({ ageSeconds: 90 })).toBe(true);
  expect(told({ to: '1300' })).toBe(false);
});

test('changes of a newer agent are skipped, and so are further items', () => {
  const read = (changes: unknown) => keepRow('c/a', { ...sent([]), changes })?.changes;
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
  expect(keepRow('c/a', { ...sent([]), changes })).toBeUndefined();
});
