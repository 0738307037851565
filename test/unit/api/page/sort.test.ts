import { expect, test } from 'vitest';
import { parseSort, sortRows, sortText } from '../../../../api/page/model/sort.js';

const rows = [
  { name: 'n10', rtt: 5 },
  { name: 'n2', rtt: undefined },
  { name: 'n1', rtt: 40 },
  { name: 'n3', rtt: 5 },
];
const sorted = (column: 'name' | 'rtt', isDescending: boolean): string =>
  sortRows(rows, (row) => row[column], isDescending)
    .map(({ name }) => name)
    .join(' ');

test('rows are sorted by names as people count, and by numbers', () => {
  expect(sorted('name', false)).toBe('n1 n2 n3 n10');
  expect(sorted('name', true)).toBe('n10 n3 n2 n1');
  expect(sorted('rtt', false)).toBe('n10 n3 n1 n2');
});

test('rows of one value keep their order, and rows without a value come last, in both directions', () => {
  expect(sorted('rtt', true)).toBe('n1 n10 n3 n2');
});

test.each(['name', '-name', '', '-', '--x', '-%20'])('the sort %j is read back', (text) => {
  expect(sortText(parseSort(text))).toBe(text);
});
