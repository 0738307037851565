import { expect, test } from 'vitest';
import { stateToByte, type CellState } from '../../../../api/schema/v1/matrix-bytes.js';
import type { MatrixCells } from '../../../../api/schema/v1/matrix-cells.js';
import { zoneMatrixCsv } from '../../../../cli/view/matrix-csv.js';
import { renderNodeMatrix } from '../../../../cli/view/node-matrix-text.js';
import { renderZoneMatrix } from '../../../../cli/view/zone-matrix-text.js';
import { makeCells, makeZoneCell } from '../../../rows/make-matrix.js';

const plain = (_: string, text: string) => text;
const at = '2026-11-25T18:00:00Z';

/** A matrix of which each cell has one state, but for those that are given. */
function matrixOf(
  names: readonly string[],
  cells: (row: number, column: number) => CellState,
): MatrixCells {
  const states = names.flatMap((_, row) =>
    names.map((_name, column) => stateToByte(cells(row, column))),
  );
  return makeCells(names, names, Uint8Array.from(states));
}

const firstLine = (matrix: MatrixCells): string =>
  renderNodeMatrix(matrix, { paint: plain, rows: 24, columns: 80 }).split('\n', 1)[0] ?? '';

test('by node and by zone the same pairs are unknown', () => {
  const names = Array.from({ length: 1000 }, (_, index) => `c/n${index}`);
  // The agent has its own row alone.
  const byNode = firstLine(matrixOf(names, (row) => (row === 0 ? 'reachable' : 'no-report')));
  expect(byNode).toBe(
    '1000 observers, 1000 nodes, 999000 pairs, each by its worst channel: 0 unreachable, 0 lossy or slow, 998001 unknown (998001 without a report)',
  );
  const cell = makeZoneCell({ from: '', to: '', pairs: 999_000, unknown: 998_001 });
  const byZone = renderZoneMatrix({ at, zones: [''], cells: [cell] }, plain);
  expect(byZone.split('\n', 1)[0]).toBe(
    '1 zone, 999000 pairs, each cell by its worst channel: 0 failing, 0 lossy, 0 slow, 998001 unknown',
  );
});

test('a node that is not expected to answer is in no pair, and one that does not reach itself is told apart', () => {
  const states = (row: number, column: number): CellState =>
    column === 2 ? 'excluded' : row === 1 && column === 1 ? 'unreachable' : 'reachable';
  expect(firstLine(matrixOf(['c/a', 'c/b', 'c/c'], states))).toBe(
    '3 observers, 3 nodes, 2 pairs, each by its worst channel: 0 unreachable, 0 lossy or slow, 0 unknown, 1 node unreachable from itself',
  );
});

test('a column whose node has no row is named', () => {
  const columns = ['c/b', `c/${'x'.repeat(60)}`, 'c/a'];
  const matrix = makeCells(['c/a'], columns, Uint8Array.from([2, 2, 2]));
  const lines = renderNodeMatrix(matrix, { paint: plain, rows: 24, columns: 80 }).split('\n');
  expect(lines.slice(3, 5)).toEqual(['  from  1 2 3', '3 c/a   o o o']);
  expect(lines.slice(-2)).toEqual([`Columns:  1 c/b  2 c/${'x'.repeat(37)}…`, '']);
});

test('columns of rows that the terminal has no room for are named', () => {
  const names = Array.from({ length: 60 }, (_, index) => `c/node-${10 + index}`);
  const isWorse = (row: number, column: number) => row < 20 || column >= 40;
  const matrix = matrixOf(names, (row, column) =>
    isWorse(row, column) ? 'unreachable' : 'reachable',
  );
  const text = renderNodeMatrix(matrix, { paint: plain, rows: 40, columns: 80 });
  const lines = text.split('\n');
  const header = lines.slice(3, 5).map((line) => line.replace('from', '').trim().split(/\s+/));
  const shown = header[0]?.map((ten, at) => Number(`${ten}${header[1]?.[at] ?? ''}`)) ?? [];
  expect(shown.length).toBeGreaterThan(15);
  for (const column of shown) {
    expect(text).toMatch(new RegExp(`(^|  )${column} c/node-${column + 9}(\\s|$)`, 'm'));
  }
  expect(lines.length).toBeLessThanOrEqual(40);
});

test('a zone of one node has no pair within it, which is not a missing report', () => {
  const cells = [
    makeZoneCell({ pairs: 1 }),
    makeZoneCell({ pairs: 1, from: 'b', to: 'a', unknown: 1 }),
  ];
  const lines = renderZoneMatrix({ at, zones: ['a', 'b'], cells }, plain).split('\n');
  expect(lines.slice(2, 5)).toEqual(['  from  1 2', '1 a       o', '2 b     ?']);
});

test('a grid that is wider than the terminal is left out, and the worst pairs are told all the same', () => {
  const zones = Array.from({ length: 30 }, (_, zone) => `zone-${10 + zone}`);
  const cells = zones.map((to, at) =>
    makeZoneCell({ pairs: 9, from: 'zone-10', to, failing: at === 7 ? 3 : 0 }),
  );
  const at80 = renderZoneMatrix({ at, zones, cells }, plain, 80).split('\n');
  expect(at80[2]).toBe(
    'The grid takes 101 columns, and the terminal has 80: meshprobe matrix --by zone | less -S',
  );
  expect(at80.every(({ length }) => length <= 101)).toBe(true);
  expect(at80[5]).toMatch(/^zone-10 +zone-17 /);
  for (const columns of [101, undefined]) {
    const lines = renderZoneMatrix({ at, zones, cells }, plain, columns).split('\n');
    expect(Math.max(...lines.slice(2, 33).map(({ length }) => length))).toBe(101);
  }
});

const hostileValues = [
  '\u001b[31mred',
  'a,b"c',
  'two\nlines\tand a tab',
  '\u202egnp',
  'x'.repeat(63),
];

test('values of a label that would steer a terminal are shown as what they are', () => {
  const cells = hostileValues.flatMap((from) =>
    hostileValues.map((to) => makeZoneCell({ from, to, pairs: 2, failing: from === to ? 0 : 2 })),
  );
  const matrix = { at, by: 'rack', zones: [...hostileValues], cells };
  const text = renderZoneMatrix(matrix, plain);
  expect(text).toMatch(/^(?:[^\p{Cc}\p{Cf}]|\n)*$/u);
  const rows = text
    .split('\n')
    .slice(1)
    .filter((line) => /^\d /.test(line));
  expect(rows).toHaveLength(hostileValues.length);
  expect(rows[0]).toContain(String.raw`\x1b[31mred`);
  expect(rows[2]).toContain(String.raw`two\x0alines\x09and a tab`);
  const [head, ...lines] = [...zoneMatrixCsv(matrix)];
  expect(head).toMatch(/^from,to,/);
  expect(lines).toHaveLength(cells.length);
  expect(lines.every((line) => /^[^\p{Cc}\p{Cf}]*\n$/u.test(line))).toBe(true);
  expect(lines[1]).toMatch(/^\\x1b\[31mred,"a,b""c",/);
});
