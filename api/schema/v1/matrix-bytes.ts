/** The states of a cell in the node matrix. The index is the byte of the state. */
export const cellStates = [
  'no-report',
  'unknown',
  'reachable',
  'degraded',
  'unreachable',
  'excluded',
] as const;
export type CellState = (typeof cellStates)[number];

export function stateToByte(state: CellState): number {
  return cellStates.indexOf(state);
}

/** The state of a byte. A byte from a newer agent is `unknown`, never good. */
export function byteToState(byte: number): CellState {
  return cellStates[byte] ?? 'unknown';
}

/**
 * With eight steps for each doubling, one byte covers 1 µs to 3.6 s with an error of at most 4.5 %.
 */
const stepsPerDoubling = 8;

/**
 * The byte of a round trip in nanoseconds; 0 for none. Shorter round trips give 1, longer ones 255.
 */
export function rttToByte(rttNs: number | undefined): number {
  if (rttNs === undefined || Number.isNaN(rttNs)) return 0;
  const step = Math.round(stepsPerDoubling * Math.log2(Math.max(rttNs, 1) / 1000)) + 1;
  return Math.min(Math.max(step, 1), 255);
}

/** The round trip of a byte in nanoseconds; undefined for 0. */
export function byteToRttNs(byte: number): number | undefined {
  return byte === 0 ? undefined : Math.round(1000 * 2 ** ((byte - 1) / stepsPerDoubling));
}

/** The two byte fields of a node matrix, with one byte for each cell, row by row. */
export interface MatrixBytes {
  readonly states: Uint8Array;
  readonly rtts: Uint8Array;
}

/** Encodes the byte fields for the body. */
export function encodeMatrixBytes({ states, rtts }: MatrixBytes): { states: string; rtts: string } {
  return { states: toBase64(states), rtts: toBase64(rtts) };
}

/**
 * Decodes the byte fields of a body.
 * @throws RangeError if a field does not have one byte for each cell
 */
export function decodeMatrixBytes(body: {
  readonly rows: readonly string[];
  readonly columns: readonly string[];
  readonly states: string;
  readonly rtts: string;
}): MatrixBytes {
  const cells = body.rows.length * body.columns.length;
  const decode = (field: 'states' | 'rtts'): Uint8Array => {
    const bytes = Buffer.from(body[field], 'base64');
    if (bytes.length === cells) return bytes;
    throw new RangeError(
      `${field}: expected ${cells} bytes, one for each cell, got ${bytes.length}`,
    );
  };
  return { states: decode('states'), rtts: decode('rtts') };
}

function toBase64({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('base64');
}
