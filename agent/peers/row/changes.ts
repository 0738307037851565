import {
  changeValuePattern,
  hostChanges,
  maxRowChanges,
  signAboutPattern,
  type RowChange,
} from '../../model/row-host.js';
import { maxAgeSeconds, maxNewerItems, maxNewerNumber, type ValueReader } from './value-reader.js';

/** One list for each change: its number, the age, within how long it was made, what it is about, before and after. */
export function encodeChanges(changes: readonly RowChange[]): (string | number)[][] {
  return changes
    .slice(0, maxRowChanges)
    .map(({ change, ageSeconds, withinSeconds, about, from, to }) => [
      hostChanges.indexOf(change),
      ...[ageSeconds, withinSeconds].map((seconds) => Math.min(Math.round(seconds), maxAgeSeconds)),
      ...[about, from, to],
    ]);
}

/**
 * Reads what `encodeChanges` wrote. Unknown changes and further items are skipped.
 *
 * @throws MalformedRow
 */
export function decodeChanges(read: ValueReader): RowChange[] {
  const changes: RowChange[] = [];
  for (let left = read.list(0, maxRowChanges); left > 0; left--) {
    const items = read.list(6, maxNewerItems);
    const number = read.whole(maxNewerNumber);
    const [ageSeconds, withinSeconds] = [read.whole(maxAgeSeconds), read.whole(maxAgeSeconds)];
    const about = read.text(signAboutPattern);
    const [from, to] = [read.text(changeValuePattern), read.text(changeValuePattern)];
    read.skip(items - 6);
    const change = hostChanges[number];
    if (change) changes.push({ change, ageSeconds, withinSeconds, about, from, to });
  }
  return changes;
}

/** Whether they tell a reader the same: ages are no change. */
export function areSameChanges(
  before: readonly RowChange[] = [],
  after: readonly RowChange[] = [],
): boolean {
  const key = (changes: readonly RowChange[]) =>
    JSON.stringify(changes.map(({ change, about, from, to }) => [change, about, from, to]));
  return key(before) === key(after);
}
