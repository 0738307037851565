import { lossyOrSlow, noReport, excluded, unreachable } from '../model/matrix-cells.js';
import type { CellTiles } from './cell-tiles.js';
import type { Grid } from './grid.js';
import { labelGap, labelledCell, type Cell, type Layout } from './layout.js';
import type { Palette } from './palette.js';

export interface Frame {
  readonly grid: Grid;
  readonly tiles: CellTiles;
  readonly layout: Layout;
  readonly palette: Palette;
  readonly pixelRatio: number;
  readonly hovered: Cell | undefined;
  readonly cursor: Cell | undefined;
}

const glyphCell = 10;
/** In CSS pixels. */
const largestLabel = 12.5;
const gapCell = 5;
const emphasisCell = 3;

/** Paints only what is in view. */
export function paintFrame(context: CanvasRenderingContext2D, frame: Frame): void {
  const { layout, palette, pixelRatio } = frame;
  const { gutterLeft, gutterTop, viewWidth, viewHeight } = layout;
  context.setTransform(pixelRatio, 0, 0, pixelRatio, 0, 0);
  context.imageSmoothingEnabled = false;
  context.fillStyle = palette.surface;
  context.fillRect(0, 0, viewWidth, viewHeight);
  context.save();
  context.beginPath();
  context.rect(gutterLeft, gutterTop, viewWidth - gutterLeft, viewHeight - gutterTop);
  context.clip();
  context.translate(gutterLeft, gutterTop);
  paintCells(context, frame);
  if (frame.hovered) paintCrosshair(context, frame, frame.hovered, false);
  if (frame.cursor) paintCrosshair(context, frame, frame.cursor, true);
  context.restore();
  paintLabels(context, frame);
}

function paintCells(context: CanvasRenderingContext2D, frame: Frame): void {
  const { grid, tiles, layout, palette, pixelRatio } = frame;
  const { cellWidth, cellHeight, scrollLeft, scrollTop } = layout;
  const width = Math.min(
    layout.viewWidth - layout.gutterLeft,
    grid.columns.length * cellWidth - scrollLeft,
  );
  const height = Math.min(
    layout.viewHeight - layout.gutterTop,
    grid.rows.length * cellHeight - scrollTop,
  );
  const hatch = context.createPattern(palette.hatchTile, 'repeat');
  if (hatch) {
    hatch.setTransform(new DOMMatrix().translate(-scrollLeft, -scrollTop));
    context.fillStyle = hatch;
    context.fillRect(0, 0, width, height);
  }
  if (grid.paintCell) {
    forCellsInView(frame, (cell, x, y) => {
      grid.paintCell?.(context, { x, y, width: cellWidth, height: cellHeight }, palette, cell);
    });
    paintGaps(context, frame, width, height, 3);
    return;
  }
  const level = Math.max(0, Math.ceil(-Math.log2(cellWidth * pixelRatio)));
  const request = { level, emphasised: cellWidth < emphasisCell };
  const area = { x: scrollLeft, y: scrollTop, width, height };
  tiles.paint(context, request, area, { width: cellWidth, height: cellHeight });
  if (cellWidth >= gapCell) paintGaps(context, frame, width, height, 1);
  if (cellWidth >= glyphCell) {
    forCellsInView(frame, ({ row, column }, x, y) => {
      const state = grid.states[row * grid.columns.length + column] ?? 0;
      paintGlyph(context, state, { x, y, size: cellWidth }, palette);
    });
  }
}

function forCellsInView(
  { grid, layout }: Frame,
  visit: (cell: Cell, x: number, y: number) => void,
): void {
  const { cellWidth, cellHeight, scrollLeft, scrollTop } = layout;
  const lastRow = Math.ceil((scrollTop + layout.viewHeight - layout.gutterTop) / cellHeight);
  const lastColumn = Math.ceil((scrollLeft + layout.viewWidth - layout.gutterLeft) / cellWidth);
  for (
    let row = Math.floor(scrollTop / cellHeight);
    row < Math.min(grid.rows.length, lastRow);
    row++
  ) {
    for (
      let column = Math.floor(scrollLeft / cellWidth);
      column < Math.min(grid.columns.length, lastColumn);
      column++
    ) {
      visit({ row, column }, column * cellWidth - scrollLeft, row * cellHeight - scrollTop);
    }
  }
}

function paintGaps(
  context: CanvasRenderingContext2D,
  { layout, palette }: Frame,
  width: number,
  height: number,
  gap: number,
): void {
  const { cellWidth, cellHeight, scrollLeft, scrollTop } = layout;
  const before = Math.floor(gap / 2);
  context.fillStyle = palette.surface;
  for (let x = -(scrollLeft % cellWidth); x <= width + 1; x += cellWidth) {
    context.fillRect(Math.round(x) - before, 0, gap, height);
  }
  for (let y = -(scrollTop % cellHeight); y <= height + 1; y += cellHeight) {
    context.fillRect(0, Math.round(y) - before, width, gap);
  }
}

/** Paints a shape for each state except the good one, so that no reader depends on colours. */
export function paintGlyph(
  context: CanvasRenderingContext2D,
  state: number,
  { x, y, size }: { readonly x: number; readonly y: number; readonly size: number },
  { stateInks, muted }: Palette,
): void {
  const middleX = x + size / 2 + 0.5;
  const middleY = y + size / 2 + 0.5;
  const arm = Math.min(7, size * 0.24);
  context.strokeStyle = stateInks[state] ?? '';
  context.fillStyle = stateInks[state] ?? '';
  context.lineWidth = Math.max(1.5, size / 11);
  context.beginPath();
  switch (state) {
    case unreachable:
      context.moveTo(middleX - arm, middleY - arm);
      context.lineTo(middleX + arm, middleY + arm);
      context.moveTo(middleX + arm, middleY - arm);
      context.lineTo(middleX - arm, middleY + arm);
      context.stroke();
      break;
    case lossyOrSlow:
      context.moveTo(middleX, middleY - arm);
      context.lineTo(middleX + arm, middleY + arm);
      context.lineTo(middleX - arm, middleY + arm);
      context.fill();
      break;
    case 1:
      context.arc(middleX, middleY, arm * 0.7, 0, 2 * Math.PI);
      context.stroke();
      break;
    case excluded:
      context.strokeStyle = muted;
      context.moveTo(middleX - arm * 0.7, middleY);
      context.lineTo(middleX + arm * 0.7, middleY);
      context.stroke();
      break;
    case noReport:
    default:
      break;
  }
}

function paintCrosshair(
  context: CanvasRenderingContext2D,
  { layout, palette }: Frame,
  { row, column }: Cell,
  isCursor: boolean,
): void {
  const { cellWidth, cellHeight, scrollLeft, scrollTop, viewWidth, viewHeight } = layout;
  const x = column * cellWidth - scrollLeft;
  const y = row * cellHeight - scrollTop;
  context.save();
  context.globalAlpha = 0.16;
  context.fillStyle = palette.ink;
  context.fillRect(0, y, viewWidth, Math.max(1, cellHeight));
  context.fillRect(x, 0, Math.max(1, cellWidth), viewHeight);
  context.restore();
  const least = 7;
  const width = Math.max(least, cellWidth);
  const height = Math.max(least, cellHeight);
  const left = x + (cellWidth - width) / 2;
  const top = y + (cellHeight - height) / 2;
  context.lineWidth = isCursor ? 2.5 : 1.5;
  context.strokeStyle = palette.surface;
  context.strokeRect(left - 1.5, top - 1.5, width + 3, height + 3);
  context.strokeStyle = isCursor ? palette.accent : palette.ink;
  context.strokeRect(left, top, width, height);
}

/** Returns how wide a label is at most: at its largest, and strong as under the pointer. */
export function createLabelMeter(palette: Palette | undefined): (label: string) => number {
  const context = palette && document.createElement('canvas').getContext('2d');
  // Before the font is known every letter counts as a wide one.
  if (!context) return (label) => label.length * largestLabel * 0.7;
  context.font = labelFont(palette, largestLabel, true);
  return (label) => context.measureText(label).width;
}

function labelFont({ fontFamily }: Palette, size: number, isStrong: boolean): string {
  return `${isStrong ? 600 : 400} ${size}px ${fontFamily}`;
}

function paintLabels(context: CanvasRenderingContext2D, frame: Frame): void {
  const { grid, layout, palette } = frame;
  const { gutterLeft, gutterTop, cellWidth, cellHeight, scrollLeft, scrollTop } = layout;
  if (grid.canZoom && cellWidth < labelledCell) return;
  const strong = frame.cursor ?? frame.hovered;
  const size = Math.min(largestLabel, Math.max(9, cellHeight * 0.8));
  const font = (isStrong: boolean): string => labelFont(palette, size, isStrong);
  context.textBaseline = 'middle';
  context.save();
  context.beginPath();
  context.rect(0, gutterTop, gutterLeft, layout.viewHeight);
  context.clip();
  context.textAlign = 'right';
  forLines(scrollTop, cellHeight, layout.viewHeight - gutterTop, grid.rowLabels, (label, at, y) => {
    context.font = font(strong?.row === at);
    context.fillStyle = strong?.row === at ? palette.ink : palette.muted;
    context.fillText(
      fit(context, label, gutterLeft - 2 * labelGap),
      gutterLeft - labelGap,
      gutterTop + y,
    );
  });
  context.restore();
  context.save();
  context.beginPath();
  context.rect(gutterLeft, 0, layout.viewWidth, gutterTop);
  context.clip();
  const isUpright = grid.canZoom;
  context.textAlign = isUpright ? 'left' : 'center';
  const room = isUpright ? gutterTop - 2 * labelGap : cellWidth - labelGap;
  forLines(
    scrollLeft,
    cellWidth,
    layout.viewWidth - gutterLeft,
    grid.columnLabels,
    (label, at, x) => {
      context.font = font(strong?.column === at);
      context.fillStyle = strong?.column === at ? palette.ink : palette.muted;
      context.save();
      context.translate(gutterLeft + x, isUpright ? gutterTop - labelGap : gutterTop / 2);
      if (isUpright) context.rotate(-Math.PI / 2);
      context.fillText(fit(context, label, room), 0, 0);
      context.restore();
    },
  );
  context.restore();
}

function forLines(
  scrolled: number,
  size: number,
  view: number,
  labels: readonly string[],
  visit: (label: string, at: number, middle: number) => void,
): void {
  const last = Math.min(labels.length, Math.ceil((scrolled + view) / size));
  for (let at = Math.floor(scrolled / size); at < last; at++) {
    visit(labels[at] ?? '', at, (at + 0.5) * size - scrolled);
  }
}

/** Shortens a label at its start, because the end of a name tells nodes apart. */
function fit(context: CanvasRenderingContext2D, label: string, room: number): string {
  if (context.measureText(label).width <= room) return label;
  let kept = label.length - 1;
  while (kept > 1 && context.measureText(`…${label.slice(-kept)}`).width > room) kept--;
  return `…${label.slice(-kept)}`;
}
