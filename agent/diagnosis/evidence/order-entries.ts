/** The work between two yields, in entries. */
const slice = 5000;

/**
 * Sorts entries by a number of each, by counting.
 * @param numbers by entry, from 0 to below `count`; -1: it is left out
 * @returns the entries in that order: those with number i are `order[first[i]]` to below `order[first[i + 1]]`
 */
export function* orderEntries(
  numbers: Int32Array,
  size: number,
  count: number,
): Generator<void, Readonly<Record<'first' | 'order', Int32Array>>> {
  const first = new Int32Array(count + 1);
  for (let entry = 0; entry < size; entry++) {
    if ((entry + 1) % slice === 0) yield;
    const at = (numbers[entry] ?? -1) + 1;
    if (at > 0) first[at] = (first[at] ?? 0) + 1;
  }
  for (let number = 0; number < count; number++)
    first[number + 1] = (first[number + 1] ?? 0) + (first[number] ?? 0);
  const nextAt = first.slice();
  const order = new Int32Array(first[count] ?? 0);
  for (let entry = 0; entry < size; entry++) {
    if ((entry + 1) % slice === 0) yield;
    const number = numbers[entry] ?? -1;
    if (number === -1) continue;
    const at = nextAt[number] ?? 0;
    order[at] = entry;
    nextAt[number] = at + 1;
  }
  return { first, order };
}

/** The entries of some lists, one list after the other. */
export function joinEntries(lists: readonly Int32Array[]): Int32Array {
  const all = new Int32Array(lists.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const list of lists) {
    all.set(list, at);
    at += list.length;
  }
  return all;
}
