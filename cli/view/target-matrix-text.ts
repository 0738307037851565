import { formatDurationNs } from '../../api/duration.js';
import { byteToRttNs, byteToState, type CellState } from '../../api/schema/v1/matrix-bytes.js';
import { shownStates, type MatrixCells } from '../../api/schema/v1/matrix-cells.js';
import type { ZoneCell, ZoneMatrix } from '../../api/schema/v1/matrix.js';
import { countText } from './age-text.js';
import type { Screen } from './diagnosis-text.js';
import { escapeText } from './escape.js';
import { badnessOf, cellGlyph, glyphLegend } from './matrix-glyphs.js';
import { alignColumns } from './tab-writer.js';

/** The size of the output if it is not a terminal. */
const defaultRows = 60;
/** The lines around the table. */
const otherLines = 8;

const rttText = (ns: number | undefined) => (ns === undefined ? '-' : formatDurationNs(ns));

/** Prints how the nodes of each zone reach a target, with one line for each zone and plane. */
export function renderTargetZones(target: string, matrix: ZoneMatrix, { paint }: Screen): string {
  const total = (field: 'failing' | 'lossy' | 'slow' | 'unknown') =>
    matrix.cells.reduce((sum, cell) => sum + cell[field], 0);
  const table = alignColumns([
    'From\tPlane\tNodes\tFailing\tLossy\tSlow\tUnknown\tp50\tp99',
    ...matrix.cells.map((cell) =>
      [
        cell.from === '' ? '(no zone)' : escapeText(cell.from),
        escapeText(cell.to),
        ...[cell.pairs, cell.failing, cell.lossy, cell.slow, cell.unknown],
        rttText(cell.p50Ns),
        rttText(cell.p99Ns),
      ].join('\t'),
    ),
  ]);
  // Glyphs are added last, because the codes of their colours would count as width.
  const [head = '', ...lines] = table.trimEnd().split('\n');
  return [
    `${escapeText(target)} from ${countText(matrix.zones.length, 'zone')}: ${total('failing')} failing, ${total('lossy')} lossy, ${total('slow')} slow, ${total('unknown')} unknown`,
    '',
    `  ${head}`,
    ...lines.map((line, index) => {
      const cell = matrix.cells[index];
      return `${cellGlyph(cell ? stateOf(cell) : 'no-report', paint)} ${line}`;
    }),
    '',
    glyphLegend(paint),
    '',
  ].join('\n');
}

function stateOf({ pairs, failing, lossy, slow, unknown }: ZoneCell): CellState {
  if (failing > 0) return 'unreachable';
  if (lossy + slow > 0) return 'lossy-or-slow';
  if (pairs === 0) return 'no-report';
  return unknown > 0 ? 'unknown' : 'reachable';
}

/** Prints how each node reaches a target, with one line for each; the worst of them if not all fit. */
export function renderTargetNodes(
  target: string,
  matrix: MatrixCells,
  { paint, rows = defaultRows }: Screen,
): string {
  const { columns, rtts } = matrix;
  const states = shownStates(matrix);
  const stateAt = (row: number, column: number): CellState =>
    byteToState(states[row * columns.length + column] ?? 0);
  const count = (state: CellState) => states.filter((byte) => byteToState(byte) === state).length;
  const badness = (row: number) =>
    columns.reduce((sum, _, column) => sum + badnessOf(stateAt(row, column)), 0);
  const order = matrix.rows.map((_, row) => row);
  const room = Math.max(rows - otherLines, 3);
  const shown =
    order.length <= room
      ? order
      : order.sort((a, b) => badness(b) - badness(a) || a - b).slice(0, room);
  const table = alignColumns([
    ['From', ...columns.map(escapeText), ''].join('\t'),
    ...shown.map((row) =>
      [
        escapeText(matrix.rows[row] ?? ''),
        ...columns.map((_, column) => {
          const state = stateAt(row, column);
          const rtt = byteToRttNs(rtts[row * columns.length + column] ?? 0);
          return state === 'reachable' && rtt !== undefined
            ? formatDurationNs(Number(rtt.toPrecision(2)))
            : state;
        }),
        matrix.stale[row] ? 'stale' : '',
      ].join('\t'),
    ),
  ]);
  const [head = '', ...lines] = table.trimEnd().split('\n');
  const left = matrix.rows.length - shown.length;
  return [
    `${escapeText(target)} from ${countText(matrix.rows.length, 'node')}: ${count('unreachable')} unreachable, ${count('lossy-or-slow')} lossy or slow, ${count('unknown') + count('no-report')} unknown`,
    '',
    `${' '.repeat(columns.length)} ${head.trimEnd()}`,
    ...lines.map((line, index) => {
      const row = shown[index] ?? 0;
      const glyphs = columns.map((_, column) => cellGlyph(stateAt(row, column), paint)).join('');
      return `${glyphs} ${line.trimEnd()}`;
    }),
    ...(left > 0
      ? [
          `The worst are shown; ${countText(left, 'node')} more: meshprobe matrix --target ${escapeText(target)} --by node -o csv`,
        ]
      : []),
    '',
    glyphLegend(paint),
    '',
  ].join('\n');
}
