import type { ZoneCell, ZoneMatrix as ZoneMatrixBody } from '../../schema/v1/matrix.js';
import { compareNames } from './natural-order.js';

/** Zones by zones, or values of a label by values of it, with the state that stands for each cell. */
export interface ZoneMatrix {
  /** The label; undefined: zones. */
  readonly by: string | undefined;
  readonly zones: readonly string[];
  readonly states: Uint8Array;
  /** Undefined if nothing is known of the pair. */
  readonly cellOf: (row: number, column: number) => ZoneCell | undefined;
}

/** Puts the zones in natural order and the cells in their places. The body may list them in any order. */
export function zoneMatrixOf({ by, zones: names, cells }: ZoneMatrixBody): ZoneMatrix {
  const zones = [...names].sort(compareNames);
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
    by,
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

/** What a cell shows as areas, as shares. */
export interface KnownShares {
  /** Of all pairs, those that are reported. */
  readonly known: number;
  /** Of the reported ones, those in the state that stands for the cell, if it is a bad one. */
  readonly affected: number;
  /** Of the reported ones, those that answer. A lossy or slow pair answers. */
  readonly reachable: number;
}

/** The areas of a cell. Unknown pairs are in none of them. */
export function knownShares(cell: ZoneCell): KnownShares {
  const { pairs, failing, lossy, slow, unknown } = cell;
  const known = Math.max(0, pairs - unknown);
  if (known === 0) return { known: 0, affected: 0, reachable: 0 };
  const state = zoneState(cell);
  const affected = state === 4 ? failing : state === 3 ? lossy + slow : 0;
  return {
    known: known / pairs,
    affected: Math.min(1, affected / known),
    reachable: Math.max(0, known - failing) / known,
  };
}
