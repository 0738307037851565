import type { DiagnosisInput, ObservedRow } from '../nouns/diagnosis-input.js';

/** So many of the rows that leave nodes out are read. */
export const mostPartialRows = 360;

type RowChoice = Pick<DiagnosisInput, 'index' | 'localName'>;

/**
 * The rows that are read. In a large outage rows leave nodes out, and all tell of the same nodes. Of these only the ones of the
 * observers with the lowest hashes are read: the same ones on every agent. A single such row may be the only one that tells of
 * its node, so it is left out only where there are more than enough.
 */
export function chooseRows(rows: Iterable<ObservedRow>, choice: RowChoice): ObservedRow[] {
  const all = [...rows];
  const hashes = all.map((observed) => hashOfPartial(observed, choice));
  const partial = hashes.filter((hash) => hash !== undefined);
  if (partial.length <= mostPartialRows) return all;
  const highest = Uint32Array.from(partial).sort()[mostPartialRows - 1] ?? Infinity;
  return all.filter((_, at) => (hashes[at] ?? 0) <= highest);
}

/** Of a fresh row that leaves nodes out. The agent's own is always read, and of a stale one its age. */
function hashOfPartial(
  { row, freshness }: ObservedRow,
  { index, localName }: RowChoice,
): number | undefined {
  if (row.omittedNodes === 0 || freshness === 'stale' || row.observer === localName)
    return undefined;
  const node = index.numberOf.get(row.observer);
  return node === undefined ? undefined : index.hashes[node];
}
