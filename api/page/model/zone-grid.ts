import type { ZoneCell, ZoneMatrix as ZoneMatrixBody } from '../../schema/v1/matrix.js';

/** Zones by zones, with the state that stands for each cell. */
export interface ZoneMatrix {
  readonly zones: readonly string[];
  readonly states: Uint8Array;
  /** Undefined if nothing is known of the pair. */
  readonly cellOf: (row: number, column: number) => ZoneCell | undefined;
}

/** Puts the cells in their places. The body may list them in any order. */
export function zoneMatrixOf({ zones, cells }: ZoneMatrixBody): ZoneMatrix {
  const at = new Map(zones.map((zone, index) => [zone, index]));
  const places = new Map<number, ZoneCell>();
  for (const cell of cells) {
    const row = at.get(cell.from);
    const column = at.get(cell.to);
    if (row !== undefined && column !== undefined) places.set(row * zones.length + column, cell);
  }
  const states = new Uint8Array(zones.length ** 2);
  for (const [place, cell] of places) states[place] = zoneState(cell);
  return {
    zones,
    states,
    cellOf: (row, column) => places.get(row * zones.length + column),
  };
}

/**
 * The byte of the state for all pairs of two zones. One failure makes it fail. If nothing is known,
 * it is no report.
 */
export function zoneState({ pairs, failing, lossy, slow, unknown }: ZoneCell): number {
  if (failing > 0) return 4;
  if (lossy + slow > 0) return 3;
  return unknown >= pairs ? 0 : 2;
}
