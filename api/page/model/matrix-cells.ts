import type { NodeMatrix as NodeMatrixBody } from '../../schema/v1/matrix.js';

/** The bytes of `cellStates` in schema/v1/matrix-bytes.ts. */
export const noReport = 0;
export const reachable = 2;
export const degraded = 3;
export const unreachable = 4;
export const excluded = 5;

/**
 * The rank of each state when several cells share one pixel. A cell without a report hides cells
 * that work, never cells that fail.
 */
const weights: readonly number[] = [3, 2, 1, 4, 5, 0];

/** The state that one pixel shows for two cells. */
export function worstOf(a: number, b: number): number {
  return (weights[a] ?? 0) >= (weights[b] ?? 0) ? a : b;
}

/** Observers by nodes, one byte a cell, row by row. */
export interface NodeMatrix {
  readonly rows: readonly string[];
  readonly columns: readonly string[];
  /** The age of each row in seconds; null if there is no row. */
  readonly ages: readonly (number | null)[];
  readonly states: Uint8Array;
  readonly rtts: Uint8Array;
}

/**
 * Reads the body of `/v1/matrix?by=node`. The byte of an unknown state becomes `unknown`.
 * @throws Error if the number of cells is not rows times columns
 */
export function decodeNodeMatrix(body: NodeMatrixBody): NodeMatrix {
  const count = body.rows.length * body.columns.length;
  const states = decodeBase64(body.states);
  const rtts = decodeBase64(body.rtts);
  for (const [name, bytes] of Object.entries({ states, rtts })) {
    if (bytes.length !== count) {
      throw new Error(`matrix: expected ${count} ${name}, got ${bytes.length}`);
    }
  }
  for (let at = 0; at < count; at++) if ((states[at] ?? 0) > excluded) states[at] = 1;
  return { rows: body.rows, columns: body.columns, ages: body.ages, states, rtts };
}

function decodeBase64(text: string): Uint8Array {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < binary.length; at++) bytes[at] = binary.charCodeAt(at);
  return bytes;
}
