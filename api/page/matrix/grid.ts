import type { Palette } from './palette.js';

/** A rectangle in CSS pixels. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A matrix as the canvas shows it: one state and one description for each cell, row by row. */
export interface Grid {
  readonly rows: readonly string[];
  readonly columns: readonly string[];
  /** The names beside the rows and columns. */
  readonly rowLabels: readonly string[];
  readonly columnLabels: readonly string[];
  readonly states: Uint8Array;
  /** Round trips as bytes, as in `/v1/matrix`; 0 for none. They colour the reachable cells. */
  readonly rtts: Uint8Array | undefined;
  /** The size of a cell at zoom 1, for the room that all cells share. */
  readonly cellSize: (
    availableWidth: number,
    availableHeight: number,
  ) => { readonly width: number; readonly height: number };
  readonly canZoom: boolean;
  /** One sentence that names the cell and its state. */
  readonly describe: (row: number, column: number) => string;
  /** Absent: there is nothing more to see of a cell. */
  readonly open?: (row: number, column: number) => void;
  /** Paints one cell, for a grid that shows more than a colour. */
  readonly paintCell?: (
    context: CanvasRenderingContext2D,
    box: Box,
    palette: Palette,
    cell: { readonly row: number; readonly column: number },
  ) => void;
}
