import type { Palette } from './palette.js';

/** Where something is painted, in CSS pixels. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A matrix as the canvas shows it: one state a cell, row by row, and words for each. */
export interface Grid {
  readonly rows: readonly string[];
  readonly columns: readonly string[];
  /** What is written beside them. */
  readonly rowLabels: readonly string[];
  readonly columnLabels: readonly string[];
  readonly states: Uint8Array;
  /** A second reading of cells that work, as in `/v1/matrix`: 0 for none. */
  readonly rtts: Uint8Array | undefined;
  /** The size of a cell before any zooming, for the room that all cells share. */
  readonly cellSize: (
    availableWidth: number,
    availableHeight: number,
  ) => { readonly width: number; readonly height: number };
  readonly canZoom: boolean;
  /** One sentence that names the cell and says how it is. */
  readonly describe: (row: number, column: number) => string;
  readonly open: (row: number, column: number) => void;
  /** Paints one cell by itself, where a colour is not all there is to show. */
  readonly paintCell?: (
    context: CanvasRenderingContext2D,
    box: Box,
    palette: Palette,
    cell: { readonly row: number; readonly column: number },
  ) => void;
}
