import { byteToState, stateToByte, type CellState } from '../../api/schema/v1/matrix-bytes.js';
import { shownStates, type MatrixCells } from '../../api/schema/v1/matrix-cells.js';
import { countText, secondsText } from './age-text.js';
import type { Screen } from './diagnosis-text.js';
import { escapeText } from './escape.js';
import { badnessOf, cellGlyph, glyphLegend } from './matrix-glyphs.js';
import { channelLines } from './worst-channels-text.js';
import { pathText, unreportedLines } from './zone-matrix-text.js';

const maxNameWidth = 40;
/** The size of the output if it is not a terminal. */
const defaultColumns = 120;
const defaultRows = 60;

/**
 * Prints observers x nodes with one glyph for each cell. If not all fit, it shows the rows and
 * columns with the worst cells and counts the rest.
 */
export function renderNodeMatrix(matrix: MatrixCells, { paint, rows, columns }: Screen): string {
  const states = shownStates(matrix);
  const stateAt = (row: number, column: number): CellState =>
    byteToState(states[row * matrix.columns.length + column] ?? 0);
  const numberWidth = String(matrix.columns.length).length;
  const nameWidth = Math.min(
    maxNameWidth,
    Math.max(4, ...matrix.rows.map((name) => escapeText(name).length)),
  );
  const notes = matrix.rows.map((_, row) => staleNote(matrix, row));
  const noteWidth = Math.max(0, ...notes.map(({ length }) => length));
  const roomAcross = (columns ?? defaultColumns) - numberWidth - nameWidth - noteWidth - 3;
  const worst = channelLines(matrix, states);
  const roomDown = (rows ?? defaultRows) - numberWidth - worst.length - 8;
  const roomOfColumns = Math.max(Math.floor(roomAcross / 2), 3);
  const fitting = (lines: number) =>
    worstFirst(matrix, states, Math.max(roomDown - lines, 3), roomOfColumns);
  const namesOf = (some: Shown) => columnLines(matrix, some, columns ?? defaultColumns);
  const shown = fitting(namesOf(fitting(0)).length);
  const numberOf = new Map(matrix.columns.map((name, index) => [name, index + 1]));
  const lines = [
    `${countText(matrix.rows.length, 'observer')}, ${countText(matrix.columns.length, 'node')}, ${countsText(matrix, states)}`,
    rowsText(matrix),
    ...unreportedLines(matrix),
    '',
    ...headerLines(shown.columns, numberWidth, nameWidth),
    ...shown.rows.map((row) => {
      const name = matrix.rows[row] ?? '';
      const number = String(numberOf.get(name) ?? '').padStart(numberWidth);
      const glyphs = shown.columns.map((column) => cellGlyph(stateAt(row, column), paint));
      const note = notes[row] ? paint('yellow', notes[row]) : '';
      return `${number} ${cutTo(escapeText(name), nameWidth).padEnd(nameWidth)}  ${glyphs.join(' ')}${note}`;
    }),
    ...leftOut(matrix, shown),
    ...worst,
    '',
    glyphLegend(paint),
    ...namesOf(shown),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

interface Shown {
  readonly rows: readonly number[];
  readonly columns: readonly number[];
}

/**
 * Keeps the order of the body if all fits. If not, rows and columns with the worst cells come
 * first.
 */
function worstFirst(
  matrix: Pick<MatrixCells, 'rows' | 'columns'>,
  states: Uint8Array,
  maxRows: number,
  maxColumns: number,
): Shown {
  const badnessOfByte = Array.from({ length: 256 }, (_, byte) => badnessOf(byteToState(byte)));
  const rowBadness = new Float64Array(matrix.rows.length);
  const columnBadness = new Float64Array(matrix.columns.length);
  let at = 0;
  for (let row = 0; row < rowBadness.length; row++) {
    for (let column = 0; column < columnBadness.length; column++) {
      const badness = badnessOfByte[states[at++] ?? 0] ?? 0;
      rowBadness[row] = (rowBadness[row] ?? 0) + badness;
      columnBadness[column] = (columnBadness[column] ?? 0) + badness;
    }
  }
  return { rows: worst(rowBadness, maxRows), columns: worst(columnBadness, maxColumns) };
}

function worst(badness: Float64Array, max: number): number[] {
  const order = Array.from(badness, (_, index) => index);
  if (order.length <= max) return order;
  return order.sort((a, b) => (badness[b] ?? 0) - (badness[a] ?? 0) || a - b).slice(0, max);
}

/** What the numbers of the columns are: those of rows that are shown, and the names of the others. */
function columnLines(matrix: MatrixCells, shown: Shown, width: number): string[] {
  const rows = new Set(shown.rows.map((row) => matrix.rows[row]));
  const others = shown.columns.filter((column) => !rows.has(matrix.columns[column]));
  if (others.length === 0) return ['Columns have the numbers of the rows.'];
  const names = others.map(
    (column) => `${column + 1} ${cutTo(escapeText(matrix.columns[column] ?? ''), maxNameWidth)}`,
  );
  const lines = ['Columns:'];
  for (const name of names) {
    const last = lines.at(-1) ?? '';
    if (last.length + name.length + 2 <= width) lines[lines.length - 1] = `${last}  ${name}`;
    else lines.push(`  ${name}`);
  }
  return lines;
}

/** The numbers of the columns, with one digit above the other. */
function headerLines(columns: readonly number[], numberWidth: number, nameWidth: number): string[] {
  const lines = Array.from({ length: numberWidth }, (_, digit) => {
    const digits = columns.map((column) =>
      String(column + 1)
        .padStart(numberWidth)
        .charAt(digit),
    );
    const title = digit === numberWidth - 1 ? 'from' : '';
    return `${' '.repeat(numberWidth)} ${title.padEnd(nameWidth)}  ${digits.join(' ')}`.trimEnd();
  });
  return lines.filter((line) => line !== '');
}

function leftOut({ rows, columns, omittedRows }: MatrixCells, shown: Shown): string[] {
  const [leftRows, leftColumns] = [
    rows.length - shown.rows.length,
    columns.length - shown.columns.length,
  ];
  const left = [
    ...(leftRows > 0 ? [countText(leftRows, 'row')] : []),
    ...(leftColumns > 0 ? [countText(leftColumns, 'column')] : []),
  ];
  const verb = leftRows + leftColumns === 1 ? 'is' : 'are';
  return [
    ...(left.length === 0
      ? []
      : [
          `The worst are shown; ${left.join(' and ')} ${verb} not: meshprobe matrix --by node -o csv`,
        ]),
    ...(omittedRows === 0
      ? []
      : [
          `${countText(omittedRows, 'more observer')} left out for lack of room: --zone ZONE, or -o csv`,
        ]),
  ];
}

/**
 * Counts the pairs of two nodes, as the matrix of zones does: of those that are expected to answer, and
 * without the paths of nodes to themselves. What nobody reports is unknown.
 */
function countsText(matrix: MatrixCells, states: Uint8Array): string {
  const { rows, columns } = matrix;
  const columnOf = new Map(columns.map((name, column) => [name, column]));
  const excluded = stateToByte('excluded');
  const counts = new Float64Array(256);
  let pairs = 0;
  let failingToThemselves = 0;
  for (const [row, name] of rows.entries()) {
    const own = columnOf.get(name) ?? -1;
    const from = row * columns.length;
    const toItself = own < 0 ? undefined : states[from + own];
    if (toItself === excluded) continue;
    if (toItself === stateToByte('unreachable')) failingToThemselves++;
    for (let column = 0; column < columns.length; column++) {
      const byte = states[from + column] ?? 0;
      if (column === own || byte === excluded) continue;
      pairs++;
      counts[byte] = (counts[byte] ?? 0) + 1;
    }
  }
  const of = (state: CellState) => counts[stateToByte(state)] ?? 0;
  const unreported = of('no-report');
  return [
    `${countText(pairs, 'pair')}${pathText(matrix)}: ${of('unreachable')} unreachable`,
    `${of('lossy-or-slow')} lossy or slow`,
    `${of('unknown') + unreported} unknown${unreported > 0 ? ` (${unreported} without a report)` : ''}`,
    ...(failingToThemselves > 0
      ? [
          `${countText(failingToThemselves, 'node')} unreachable from ${failingToThemselves === 1 ? 'itself' : 'themselves'}`,
        ]
      : []),
  ].join(', ');
}

/** A note at the end of a stale row: it says how the paths were, so its cells are not shown. */
function staleNote({ ages, stale }: MatrixCells, row: number): string {
  const age = ages[row];
  return stale[row] && typeof age === 'number' ? `  ${secondsText(age)} old, stale` : '';
}

function rowsText({ ages }: MatrixCells): string {
  const known = ages.filter((age) => age !== null);
  const never = ages.length - known.length;
  const oldest = known.reduce((max, age) => Math.max(max, age), 0);
  return `The oldest row is ${secondsText(oldest)} old${never > 0 ? `, ${countText(never, 'observer')} never sent one` : ''}`;
}

function cutTo(text: string, width: number): string {
  return text.length > width ? `${text.slice(0, width - 1)}…` : text;
}
