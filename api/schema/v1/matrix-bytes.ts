/** The states of a cell in the node matrix. The index is the byte of the state. */
export const cellStates = [
  'no-report',
  'unknown',
  'reachable',
  'lossy-or-slow',
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
 * How bad each state is, by its byte: an unreachable cell hides all others. A cell without a report
 * hides cells that work, never cells that fail.
 */
const badness: readonly number[] = [3, 2, 1, 4, 5, 0];

/** How bad a cell's state is, by its byte. The worse has the higher number. */
export function badnessOfByte(byte: number): number {
  return badness[byte] ?? 2;
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

/** The byte fields of a node matrix, with one byte for each cell, row by row. */
export interface MatrixBytes {
  readonly states: Uint8Array;
  readonly rtts: Uint8Array;
  /** The channels of the worst, added up; undefined if the matrix is of one channel. */
  readonly channels?: Uint8Array | undefined;
  /** 1 where an RTT is of few round trips, else 0; undefined if nobody says. */
  readonly few?: Uint8Array | undefined;
}

/** Encodes the byte fields for the body. */
export function encodeMatrixBytes({ states, rtts, channels, few }: MatrixBytes): {
  states: string;
  rtts: string;
  channels?: string;
  few?: string;
} {
  return {
    states: toBase64(states),
    rtts: toBase64(rtts),
    ...(channels && { channels: toBase64(channels) }),
    ...(few && { few: toBase64(packBits(few)) }),
  };
}

/** Eight flags in a byte, the first one in its highest bit. */
export function packBits(flags: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(Math.ceil(flags.length / 8));
  for (let at = 0; at < flags.length; at++) {
    if (flags[at]) bytes[at >> 3] = (bytes[at >> 3] ?? 0) | (0x80 >> (at & 7));
  }
  return bytes;
}

/** So many flags of packed bytes, one byte each. */
export function unpackBits(bytes: Uint8Array, count: number): Uint8Array {
  return Uint8Array.from(
    { length: count },
    (_, at) => ((bytes[at >> 3] ?? 0) >> (7 - (at & 7))) & 1,
  );
}

/** The bytes of a base64 text. Other characters are left out. */
export function fromBase64(text: string): Uint8Array {
  return Buffer.from(text, 'base64');
}

function toBase64({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('base64');
}
