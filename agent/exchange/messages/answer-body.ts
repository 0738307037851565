import { maxWholeRowBytes } from '../../peers/whole-rows.js';
import { maxRowBytes } from '../../peers/row/row-text.js';

/** The largest body that is read. */
const maxExchangeBodyBytes = maxRowBytes + maxWholeRowBytes + 256;

/** What the body of an answer tells: a row that has changed, a whole row, or both. */
export interface AnswerBody {
  /** As it came, unread; undefined where there is none. */
  readonly row: unknown;
  /** How old the row is; 0 without one. */
  readonly ageMs: number;
  readonly whole: unknown;
}

/**
 * Writes the body of an answer; an empty text if it tells nothing.
 * @param row with the text of a row that is JSON
 * @param whole a whole row that is JSON
 */
export function encodeAnswerBody(
  row: { readonly ageMs: number; readonly text: string } | undefined,
  whole: string | undefined,
): string {
  const parts = [
    ...(row ? [`"ageMs":${Math.round(row.ageMs)},"row":${row.text}`] : []),
    ...(whole === undefined ? [] : [`"whole":${whole}`]),
  ];
  return parts.length > 0 ? `{${parts.join(',')}}` : '';
}

/** Reads the body of a peer's answer; undefined if it is malformed or too large. */
export function decodeAnswerBody(body: string): AnswerBody | undefined {
  if (body === '') return { row: undefined, ageMs: 0, whole: undefined };
  if (Buffer.byteLength(body) > maxExchangeBodyBytes) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const { ageMs, row, whole } = value as Record<string, unknown>;
  if (row === undefined && ageMs === undefined && whole !== undefined)
    return { row: undefined, ageMs: 0, whole };
  if (typeof ageMs !== 'number' || !(ageMs >= 0 && ageMs <= 1e12)) return undefined;
  return row === undefined ? undefined : { row, ageMs, whole };
}
