import { planes, protocols, type Channel } from './channel.js';
import { fromBase64, stateToByte, unpackBits } from './matrix-bytes.js';
import type { NodeMatrix } from './matrix.js';

/** A node matrix with its bytes, row by row. */
export interface MatrixCells extends Pick<
  NodeMatrix,
  'rows' | 'columns' | 'ages' | 'stale' | 'plane' | 'protocol' | 'unreported'
> {
  /** How many observers after the last row are not there. */
  readonly omittedRows: number;
  readonly states: Uint8Array;
  readonly rtts: Uint8Array;
  /** Of the worst of several channels: those that have the state, added up. */
  readonly channels: Uint8Array | undefined;
  /** 1 where an RTT is of few round trips, else 0; undefined if nobody says. */
  readonly few: Uint8Array | undefined;
}

/**
 * Reads a body with its bytes.
 * @param decode reads base64, where the runtime has another way than Node
 * @throws RangeError if there is not one byte for each cell, and one age for each row
 */
export function decodeMatrix(body: NodeMatrix, decode = fromBase64): MatrixCells {
  const { rows, columns, ages, stale, plane, protocol, unreported, omittedRows = 0 } = body;
  const check = (field: string, { length }: { readonly length: number }, wanted: number): void => {
    if (length === wanted) return;
    throw new RangeError(`${field}: expected ${wanted} values, got ${length}`);
  };
  check('ages', ages, rows.length);
  check('stale', stale, rows.length);
  const count = rows.length * columns.length;
  const bytesOf = (field: string, text: string, wanted = count): Uint8Array => {
    const bytes = decode(text);
    check(field, bytes, wanted);
    return bytes;
  };
  const fewOf = (text: string): Uint8Array =>
    unpackBits(bytesOf('few', text, Math.ceil(count / 8)), count);
  return {
    rows,
    columns,
    ages,
    stale,
    plane,
    protocol,
    unreported,
    omittedRows,
    states: bytesOf('states', body.states),
    rtts: bytesOf('rtts', body.rtts),
    channels: body.channels === undefined ? undefined : bytesOf('channels', body.channels),
    few: body.few === undefined ? undefined : fewOf(body.few),
  };
}

/**
 * The states to show. A stale row says how it was and not how it is, so its cells are `no-report`,
 * but for those of nodes that are not expected to answer.
 */
export function shownStates({ columns, states, stale }: MatrixCells): Uint8Array {
  if (!stale.includes(true)) return states;
  // `slice` of a Buffer would share its bytes.
  const shown = new Uint8Array(states);
  const excluded = stateToByte('excluded');
  for (const [row, isStale] of stale.entries()) {
    if (!isStale) continue;
    for (let at = row * columns.length; at < (row + 1) * columns.length; at++) {
      if (shown[at] !== excluded) shown[at] = stateToByte('no-report');
    }
  }
  return shown;
}

/** Asks for the rows after that observer; undefined: from the first on. */
type AskRows = (rowsAfter: string | undefined) => Promise<MatrixCells>;

/** Asks for page after page of a matrix, until no row is left out. */
export async function* matrixPages(ask: AskRows): AsyncGenerator<MatrixCells, void, undefined> {
  let after: string | undefined;
  for (;;) {
    const page = await ask(after);
    yield page;
    const last = page.rows.at(-1);
    // Names that do not rise would never end.
    if (page.omittedRows === 0 || last === undefined || (after ?? '') >= last) return;
    after = last;
  }
}

/** More cells are not held at once: they are those of 2,000 nodes. */
export const maxHeldCells = 4_000_000;

/**
 * Puts the pages of a matrix together, up to `maxHeldCells`. It ends early where the node list
 * changes in between. Rows that are left out are counted.
 */
export async function readPages(ask: AskRows): Promise<MatrixCells> {
  const pages: MatrixCells[] = [];
  let cells = 0;
  for await (const page of matrixPages(ask)) {
    if (page.columns.join('\n') !== (pages[0] ?? page).columns.join('\n')) break;
    pages.push(page);
    cells += page.states.length;
    if (cells >= maxHeldCells) break;
  }
  const [first] = pages;
  const last = pages.at(-1);
  if (!first || !last) throw new RangeError('expected at least one page');
  return {
    ...first,
    rows: pages.flatMap(({ rows }) => rows),
    ages: pages.flatMap(({ ages }) => ages),
    stale: pages.flatMap(({ stale }) => stale),
    omittedRows: last.omittedRows,
    states: concat(pages.map(({ states }) => states)),
    rtts: concat(pages.map(({ rtts }) => rtts)),
    channels: first.channels && concat(pages.flatMap(({ channels }) => channels ?? [])),
    few: first.few && concat(pages.flatMap(({ few }) => few ?? [])),
  };
}

function concat(parts: readonly Uint8Array[]): Uint8Array {
  const [only] = parts;
  if (parts.length === 1 && only) return only;
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** The channels in the order of their bits. */
const bits: readonly Channel[] = planes.flatMap((plane) =>
  protocols.map((protocol) => ({ plane, protocol })),
);

/** The channels that a byte of `channels` adds up. */
export function byteToChannels(byte: number): readonly Channel[] {
  return bits.filter((_, bit) => ((byte >> bit) & 1) === 1);
}

/** A channel in words: `host ICMP`. */
export function channelText({ plane, protocol }: Channel): string {
  return `${plane} ${protocol.toUpperCase()}`;
}
