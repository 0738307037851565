import { planes } from '../../model/path.js';
import {
  fullShare,
  hostSigns,
  maxRowSigns,
  signAboutPattern,
  type RowSign,
} from '../../model/row-host.js';
import type { Row } from '../../model/row.js';
import { maxAgeSeconds, maxNewerItems, maxNewerNumber, type ValueReader } from './value-reader.js';

/** Counters are counted of a minute, and tables have no more entries. */
const maxValue = 1e12;

/** One list for each sign: numbers of sign and plane, the age, value and limit, what it is about, and 1 where it may be older. */
export function encodeSigns(signs: readonly RowSign[]): (string | number)[][] {
  return signs
    .slice(0, maxRowSigns)
    .map(({ sign, plane, ageSeconds, value, limit, about, orBefore }) => [
      hostSigns.indexOf(sign),
      planes.indexOf(plane),
      ...[Math.min(Math.round(ageSeconds), maxAgeSeconds), bounded(value), bounded(limit)],
      about,
      ...(orBefore ? [1] : []),
    ]);
}

/**
 * Reads what `encodeSigns` wrote. Unknown signs and planes, and further items, are skipped.
 *
 * @throws MalformedRow
 */
export function decodeSigns(read: ValueReader): RowSign[] {
  const signs: RowSign[] = [];
  const used: string[] = [];
  for (let left = read.list(0, maxRowSigns); left > 0; left--) {
    const items = read.list(6, maxNewerItems);
    const [number, index] = [read.whole(maxNewerNumber), read.whole(maxNewerNumber)];
    const ageSeconds = read.whole(maxAgeSeconds);
    const [value, limit] = [read.whole(maxValue), read.whole(maxValue)];
    const about = read.text(signAboutPattern);
    const orBefore = items > 6 && read.whole(maxNewerNumber) === 1;
    read.skip(Math.max(items - 7, 0));
    used.push(`${number} ${index} ${about}`);
    const [sign, plane] = [hostSigns[number], planes[index]];
    if (sign && plane)
      signs.push({
        sign,
        plane,
        ageSeconds,
        value,
        limit,
        about,
        ...(orBefore && { orBefore }),
      });
  }
  read.mustBeUnique(used);
  return signs;
}

/** Whether they tell a reader the same: ages, and figures of about the same size, are no change. A table that is full now is one. */
export function areSameSigns(
  before: readonly RowSign[] = [],
  after: readonly RowSign[] = [],
): boolean {
  return keyOf(before) === keyOf(after);
}

function keyOf(signs: readonly RowSign[]): string {
  return JSON.stringify(
    signs.map(({ sign, plane, about, value, limit }) => [
      sign,
      plane,
      about,
      Math.round(Math.log2(value + 1)),
      value >= fullShare * limit,
    ]),
  );
}

function bounded(value: number): number {
  return Math.min(Math.max(Math.round(value), 0), maxValue);
}

/** Whether a row tells anything of the host of its observer. */
export function tellsOfHost({ signs, changes }: Pick<Row, 'signs' | 'changes'>): boolean {
  return signs !== undefined || changes !== undefined;
}
