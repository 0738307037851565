import type { ClusterIndex } from '../nouns/cluster-index.js';
import type { EntryList } from './entry-list.js';

/** The entries in the order of their targets: those about node i are `byTarget[firstTo[i]]` to below `firstTo[i + 1]`. */
interface Ordered {
  readonly firstTo: Int32Array;
  readonly byTarget: Int32Array;
}

/** The work between two yields, in entries. */
const slice = 5000;

/** Sorts the entries by their targets, by counting. */
export function* orderByTarget(
  index: ClusterIndex,
  { size, to }: EntryList,
): Generator<void, Ordered> {
  const firstTo = new Int32Array(index.size + 1);
  for (let entry = 0; entry < size; entry++) {
    if ((entry + 1) % slice === 0) yield;
    const at = (to[entry] ?? 0) + 1;
    firstTo[at] = (firstTo[at] ?? 0) + 1;
  }
  for (let node = 0; node < index.size; node++) {
    firstTo[node + 1] = (firstTo[node + 1] ?? 0) + (firstTo[node] ?? 0);
  }
  const nextAt = firstTo.slice();
  const byTarget = new Int32Array(size);
  for (let entry = 0; entry < size; entry++) {
    if ((entry + 1) % slice === 0) yield;
    const target = to[entry] ?? 0;
    const at = nextAt[target] ?? 0;
    byTarget[at] = entry;
    nextAt[target] = at + 1;
  }
  return { firstTo, byTarget };
}
