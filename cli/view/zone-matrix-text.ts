import { formatDurationNs } from '../../api/duration.js';
import type { CellState } from '../../api/schema/v1/matrix-bytes.js';
import { channelText } from '../../api/schema/v1/matrix-cells.js';
import type { ZoneCell, ZoneMatrix } from '../../api/schema/v1/matrix.js';
import { countText } from './age-text.js';
import type { Paint } from './colour.js';
import { escapeText } from './escape.js';
import { cellGlyph, glyphLegend } from './matrix-glyphs.js';
import { alignColumns } from './tab-writer.js';

const maxWorst = 10;
/** A zone of one node has no pair of two nodes within it. */
const noPair = ' ';

/**
 * Prints the zones, or the values of a label, as a grid with one glyph for each cell. The pairs of zones that are not well
 * follow below.
 * @param columns of the terminal: lines that it breaks are no grid any more, so one that is wider is left out
 */
export function renderZoneMatrix(matrix: ZoneMatrix, paint: Paint, columns?: number): string {
  const cellOf = new Map(matrix.cells.map((cell) => [keyOf(cell.from, cell.to), cell]));
  const total = (field: 'pairs' | 'failing' | 'lossy' | 'slow' | 'unknown') =>
    matrix.cells.reduce((sum, cell) => sum + cell[field], 0);
  const width = String(matrix.zones.length).length;
  const numbers = matrix.zones.map((_, index) => String(index + 1).padStart(width));
  const nameWidth = Math.max(...matrix.zones.map((zone) => zoneText(zone, matrix.by).length), 4);
  const gridWidth = width + nameWidth + 2 + matrix.zones.length * (width + 1);
  const grid = matrix.zones.map((from, row) => {
    const glyphs = matrix.zones.map((to) => {
      const cell = cellOf.get(keyOf(from, to));
      return ' '.repeat(width - 1) + (cell ? cellGlyph(stateOf(cell), paint) : noPair);
    });
    return `${numbers[row] ?? ''} ${zoneText(from, matrix.by).padEnd(nameWidth)}  ${glyphs.join(' ')}`.trimEnd();
  });
  const worst = matrix.cells
    .filter((cell) => isBad(cell))
    .sort(
      (a, b) =>
        b.failing / b.pairs - a.failing / a.pairs ||
        b.failing - a.failing ||
        b.lossy + b.slow - a.lossy - a.slow,
    );
  const lines = [
    `${groupsText(matrix)}, ${countText(total('pairs'), 'pair')}${pathText(matrix, 'each cell')}: ${total('failing')} failing, ${total('lossy')} lossy, ${total('slow')} slow, ${total('unknown')} unknown`,
    ...unreportedLines(matrix),
    '',
    ...(columns !== undefined && gridWidth > columns
      ? [
          `The grid takes ${gridWidth} columns, and the terminal has ${columns}: meshprobe matrix --by ${escapeText(matrix.by ?? 'zone')} | less -S`,
        ]
      : [
          `${' '.repeat(width)} ${'from'.padEnd(nameWidth)}  ${numbers.join(' ')}`,
          ...grid,
          '',
          glyphLegend(paint),
        ]),
  ];
  const left = worst.length - maxWorst;
  return [
    ...lines.map((line) => `${line}\n`),
    ...(worst.length > 0 ? ['\n', worstTable(worst.slice(0, maxWorst), paint, matrix.by)] : []),
    ...(left > 0
      ? [
          `and ${countText(left, 'more pair')} of ${matrix.by === undefined ? 'zones' : 'values'}: meshprobe matrix --by ${escapeText(matrix.by ?? 'zone')} -o csv\n`,
        ]
      : []),
  ].join('');
}

/** How many zones there are, or values of a label. */
function groupsText({ by, zones }: ZoneMatrix): string {
  return by === undefined
    ? countText(zones.length, 'zone')
    : `${countText(zones.length, 'value')} of ${escapeText(by)}`;
}

function worstTable(cells: readonly ZoneCell[], paint: Paint, by: string | undefined): string {
  const rtt = (ns: number | undefined) => (ns === undefined ? '-' : formatDurationNs(ns));
  const isWorst = cells.some((cell) => channelOf(cell) !== '');
  const table = alignColumns([
    `From\tTo${isWorst ? '\tWorst by' : ''}\tPairs\tFailing\tLossy\tSlow\tUnknown\tp50\tp99`,
    ...cells.map((cell) =>
      [
        zoneText(cell.from, by),
        zoneText(cell.to, by),
        ...(isWorst ? [channelOf(cell)] : []),
        cell.pairs,
        cell.failing,
        cell.lossy,
        cell.slow,
        cell.unknown,
        rtt(cell.p50Ns),
        rtt(cell.p99Ns),
      ].join('\t'),
    ),
  ]);
  // Colours are added last, because their escape codes would count as width.
  const lines = table.trimEnd().split('\n');
  return lines
    .map((line, index) => {
      const cell = cells[index - 1];
      if (!cell || cell.failing + cell.lossy + cell.slow === 0) return `${line}\n`;
      return `${paint(cell.failing > 0 ? 'red' : 'yellow', line)}\n`;
    })
    .join('');
}

function isBad({ failing, lossy, slow, unknown }: ZoneCell): boolean {
  return failing + lossy + slow + unknown > 0;
}

function stateOf({ pairs, failing, lossy, slow, unknown }: ZoneCell): CellState {
  if (failing > 0) return 'unreachable';
  if (lossy + slow > 0) return 'lossy-or-slow';
  if (pairs === 0) return 'no-report';
  return unknown > 0 ? 'unknown' : 'reachable';
}

function zoneText(zone: string, by?: string): string {
  return zone === '' ? `(no ${escapeText(by ?? 'zone')})` : escapeText(zone);
}

/** The channel of which a cell has the counts; empty where the whole matrix is of one channel. */
function channelOf({ plane, protocol }: ZoneCell): string {
  return plane && protocol ? channelText({ plane, protocol }) : '';
}

/**
 * The plane and protocol of a matrix, or that it shows the worst of them.
 * @param each of what the worst one is shown: pairs, or whole cells of them
 */
export function pathText(
  { plane, protocol }: Pick<ZoneMatrix, 'plane' | 'protocol'>,
  each: 'each' | 'each cell' = 'each',
): string {
  if (plane && protocol) return ` on the ${plane} plane by ${protocol.toUpperCase()}`;
  const of = plane ? ` on the ${plane} plane` : protocol ? ` by ${protocol.toUpperCase()}` : '';
  return `${of}, ${each} by its worst channel`;
}

/** Says which channels nobody reports. They are neither good nor bad. */
export function unreportedLines({ unreported = [] }: Pick<ZoneMatrix, 'unreported'>): string[] {
  return unreported.length === 0
    ? []
    : [`Nobody reports ${unreported.map(channelText).join(', ')}`];
}

function keyOf(from: string, to: string): string {
  return JSON.stringify([from, to]);
}
