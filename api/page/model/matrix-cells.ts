import { badnessOfByte, byteToRttNs } from '../../schema/v1/matrix-bytes.js';
import { decodeMatrix, shownStates, type MatrixCells } from '../../schema/v1/matrix-cells.js';
import type { NodeMatrix as NodeMatrixBody } from '../../schema/v1/matrix.js';
import { compareNames } from './natural-order.js';

/** The bytes of `cellStates` in schema/v1/matrix-bytes.ts. */
export const noReport = 0;
export const reachable = 2;
export const lossyOrSlow = 3;
export const unreachable = 4;
export const excluded = 5;

/** The state that one pixel shows for two cells. */
export function worstOf(a: number, b: number): number {
  return badnessOfByte(a) >= badnessOfByte(b) ? a : b;
}

/** Observers by nodes, one byte a cell, row by row. */
export interface NodeMatrix extends MatrixCells {
  /** The states as they are shown: a cell of a stale row has none. */
  readonly shown: Uint8Array;
}

/**
 * Reads the body of `/v1/matrix?by=node`. The byte of an unknown state becomes `unknown`.
 * @throws RangeError if the number of cells is not rows times columns
 */
export function decodeNodeMatrix(body: NodeMatrixBody): MatrixCells {
  const matrix = decodeMatrix(body, decodeBase64);
  const { states } = matrix;
  for (let at = 0; at < states.length; at++) if ((states[at] ?? 0) > excluded) states[at] = 1;
  return matrix;
}

/** Puts the rows and columns in the order in which people count names. The API has another one. */
export function inNaturalOrder(matrix: MatrixCells): MatrixCells {
  const rowOrder = naturalOrderOf(matrix.rows);
  const columnOrder = naturalOrderOf(matrix.columns);
  const width = columnOrder.length;
  const reorder = (bytes: Uint8Array): Uint8Array => {
    const ordered = new Uint8Array(bytes.length);
    for (const [row, fromRow] of rowOrder.entries()) {
      for (let column = 0; column < width; column++) {
        ordered[row * width + column] = bytes[fromRow * width + (columnOrder[column] ?? 0)] ?? 0;
      }
    }
    return ordered;
  };
  const pick = <One>(values: readonly One[], order: readonly number[]): One[] =>
    order.flatMap((at) => values.slice(at, at + 1));
  return {
    ...matrix,
    rows: pick(matrix.rows, rowOrder),
    columns: pick(matrix.columns, columnOrder),
    ages: pick(matrix.ages, rowOrder),
    stale: pick(matrix.stale, rowOrder),
    states: reorder(matrix.states),
    rtts: reorder(matrix.rtts),
    channels: matrix.channels && reorder(matrix.channels),
  };
}

function naturalOrderOf(names: readonly string[]): number[] {
  return [...names.keys()].sort((a, b) => compareNames(names[a] ?? '', names[b] ?? ''));
}

/** Adds the states as they are shown. */
export function withShownStates(matrix: MatrixCells): NodeMatrix {
  return { ...matrix, shown: shownStates(matrix) };
}

/** The shortest and the longest round trip of a matrix, in nanoseconds; undefined if there is none. */
export function rttRangeOf(rtts: Uint8Array): readonly [number | undefined, number | undefined] {
  let [shortest, longest] = [0, 0];
  for (const rtt of rtts) {
    if (rtt > longest) longest = rtt;
    if (rtt > 0 && (shortest === 0 || rtt < shortest)) shortest = rtt;
  }
  return [byteToRttNs(shortest), byteToRttNs(longest)];
}

function decodeBase64(text: string): Uint8Array {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < binary.length; at++) bytes[at] = binary.charCodeAt(at);
  return bytes;
}
