import type { MatrixCells } from '../../api/schema/v1/matrix-cells.js';
import type { ZoneCell } from '../../api/schema/v1/matrix.js';

/** The cell of two zones between which all is well. */
export const makeZoneCell = (more: Partial<ZoneCell> = {}): ZoneCell => ({
  from: 'a',
  to: 'b',
  pairs: 4,
  failing: 0,
  lossy: 0,
  slow: 0,
  degraded: 0,
  unknown: 0,
  ...more,
});

/** A matrix with fresh rows of these names. */
export const makeCells = (
  rows: readonly string[],
  columns: readonly string[],
  states: Uint8Array,
  more: Partial<MatrixCells> = {},
): MatrixCells => ({
  rows: [...rows],
  columns: [...columns],
  plane: undefined,
  protocol: undefined,
  unreported: undefined,
  omittedRows: 0,
  channels: undefined,
  few: undefined,
  ages: rows.map(() => 1),
  stale: rows.map(() => false),
  states,
  rtts: new Uint8Array(states.length),
  ...more,
});
