import { badnessOfByte } from '../../schema/v1/matrix-bytes.js';
import { decodeMatrix, shownStates, type MatrixCells } from '../../schema/v1/matrix-cells.js';
import type { NodeMatrix as NodeMatrixBody } from '../../schema/v1/matrix.js';

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

/** Adds the states as they are shown. */
export function withShownStates(matrix: MatrixCells): NodeMatrix {
  return { ...matrix, shown: shownStates(matrix) };
}

function decodeBase64(text: string): Uint8Array {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < binary.length; at++) bytes[at] = binary.charCodeAt(at);
  return bytes;
}
