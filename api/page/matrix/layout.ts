import type { Grid } from './grid.js';

/** The place of the cells: gutters for the names, the size of a cell, and the scroll position. */
export interface Layout {
  readonly gutterLeft: number;
  readonly gutterTop: number;
  readonly cellWidth: number;
  readonly cellHeight: number;
  readonly scrollLeft: number;
  readonly scrollTop: number;
  readonly viewWidth: number;
  readonly viewHeight: number;
}

export interface Cell {
  readonly row: number;
  readonly column: number;
}

const bareGutter = 10;
const headGutter = 26;
const maxGutter = 190;
/** Names are written beside cells of at least this size. */
export const labelledCell = 10;
export const maxCell = 44;
const letterWidth = 7.4;

/** The gutters and the size of a cell, for the available room and a zoom. */
export function measure(
  grid: Grid,
  available: { readonly width: number; readonly height: number },
  zoom: number,
): Pick<Layout, 'gutterLeft' | 'gutterTop' | 'cellWidth' | 'cellHeight'> {
  const longest = (labels: readonly string[]): number =>
    Math.min(
      maxGutter,
      12 + letterWidth * labels.reduce((most, one) => Math.max(most, one.length), 0),
    );
  const wide = Math.min(longest(grid.rowLabels), available.width * 0.4);
  const high = grid.canZoom ? longest(grid.columnLabels) : headGutter;
  const base = grid.cellSize(available.width - wide - 1, available.height - high - 1);
  const isLabelled = !grid.canZoom || base.width * zoom >= labelledCell;
  const fitted = isLabelled
    ? base
    : grid.cellSize(available.width - bareGutter - 1, available.height - bareGutter - 1);
  return {
    gutterLeft: isLabelled ? wide : bareGutter,
    gutterTop: isLabelled ? high : bareGutter,
    cellWidth: fitted.width * zoom,
    cellHeight: fitted.height * zoom,
  };
}

/** The cell at a point of the canvas, if there is one. */
export function cellAt(grid: Grid, layout: Layout, x: number, y: number): Cell | undefined {
  if (x < layout.gutterLeft || y < layout.gutterTop) return undefined;
  const column = Math.floor((x - layout.gutterLeft + layout.scrollLeft) / layout.cellWidth);
  const row = Math.floor((y - layout.gutterTop + layout.scrollTop) / layout.cellHeight);
  return row < grid.rows.length && column < grid.columns.length ? { row, column } : undefined;
}

/** The shortest scroll that brings a cell into view. */
export function scrollTo(layout: Layout, { row, column }: Cell): { left: number; top: number } {
  const along = (at: number, size: number, scrolled: number, view: number): number => {
    const start = at * size;
    const end = start + size;
    if (start < scrolled) return start;
    return end > scrolled + view ? end - view : scrolled;
  };
  const { cellWidth, cellHeight, scrollLeft, scrollTop, viewWidth, viewHeight } = layout;
  return {
    left: along(column, cellWidth, scrollLeft, viewWidth - layout.gutterLeft),
    top: along(row, cellHeight, scrollTop, viewHeight - layout.gutterTop),
  };
}

/** The cell that a key leads to; undefined if the key leads to none. */
export function cellByKey(
  grid: Grid,
  { row, column }: Cell,
  key: string,
  isLarge: boolean,
): Cell | undefined {
  const lastRow = grid.rows.length - 1;
  const lastColumn = grid.columns.length - 1;
  const step = isLarge ? 10 : 1;
  const at = (toRow: number, toColumn: number): Cell => ({
    row: Math.min(lastRow, Math.max(0, toRow)),
    column: Math.min(lastColumn, Math.max(0, toColumn)),
  });
  switch (key) {
    case 'ArrowUp':
      return at(row - step, column);
    case 'ArrowDown':
      return at(row + step, column);
    case 'ArrowLeft':
      return at(row, column - step);
    case 'ArrowRight':
      return at(row, column + step);
    case 'PageUp':
      return at(row - 20, column);
    case 'PageDown':
      return at(row + 20, column);
    case 'Home':
      return isLarge ? at(0, 0) : at(row, 0);
    case 'End':
      return isLarge ? at(lastRow, lastColumn) : at(row, lastColumn);
    default:
      return undefined;
  }
}

/**
 * The next or previous cell that fails, or is lossy or slow. After the last cell the search starts over.
 */
export function nextProblem(
  grid: Grid,
  { row, column }: Cell,
  direction: 1 | -1,
): Cell | undefined {
  const width = grid.columns.length;
  const total = grid.states.length;
  let at = row * width + column;
  for (let step = 0; step < total; step++) {
    at = (at + direction + total) % total;
    const state = grid.states[at];
    if (state === 3 || state === 4) return { row: Math.floor(at / width), column: at % width };
  }
  return undefined;
}
