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
/** Names take this much at most, and more where the cells leave room. */
const [maxGutter, widestGutter] = [190, 360];
/** Names are written beside cells of at least this size. */
export const labelledCell = 10;
export const maxCell = 44;
/** Between a name and the cells, and between a name and the edge. */
export const labelGap = 6;
/** Letters of a proportional font: a shorter name is wider than a longer one by at most so many. */
const letterSpread = 4;
const measuredLabels = 200;

/**
 * The gutters and the size of a cell, for the available room and a zoom.
 * @param widthOf the width of a label as it is written, in CSS pixels
 */
export function measure(
  grid: Grid,
  available: { readonly width: number; readonly height: number },
  zoom: number,
  widthOf: (label: string) => number,
): Pick<Layout, 'gutterLeft' | 'gutterTop' | 'cellWidth' | 'cellHeight'> {
  const longest = (labels: readonly string[]): number =>
    Math.min(widestGutter, Math.ceil(2 * labelGap + widest(labels, widthOf)));
  const [longestRow, longestColumn] = [longest(grid.rowLabels), longest(grid.columnLabels)];
  const leastWide = Math.min(longestRow, maxGutter, available.width * 0.4);
  const leastHigh = grid.canZoom ? Math.min(longestColumn, maxGutter) : headGutter;
  const sizeBeside = (gutterWide: number, gutterHigh: number) =>
    grid.cellSize(available.width - gutterWide - 1, available.height - gutterHigh - 1);
  // The names take the room that the cells leave.
  const { width, height } = sizeBeside(leastWide, leastHigh);
  const freeWide = available.width - 1 - grid.columns.length * width;
  const freeHigh = available.height - 1 - grid.rows.length * height;
  const wide = Math.max(leastWide, Math.min(longestRow, freeWide));
  const high = grid.canZoom ? Math.max(leastHigh, Math.min(longestColumn, freeHigh)) : leastHigh;
  const base = sizeBeside(wide, high);
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

/** The width of the widest label. Of many labels only the longest are measured. */
function widest(labels: readonly string[], widthOf: (label: string) => number): number {
  const most = labels.reduce((length, label) => Math.max(length, label.length), 0);
  const long = labels.filter(({ length }) => length >= most - letterSpread);
  return long.slice(0, measuredLabels).reduce((width, one) => Math.max(width, widthOf(one)), 0);
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
