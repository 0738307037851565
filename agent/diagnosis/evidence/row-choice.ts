import { maxRowNodes, type Row } from '../../model/row.js';
import type { DiagnosisInput, ObservedRow } from '../nouns/diagnosis-input.js';

/** So many of the rows that leave nodes out are read. */
export const mostPartialRows = 360;

type RowChoice = Pick<DiagnosisInput, 'index' | 'localName'>;

/**
 * The rows that are read. In a large outage rows leave nodes out, and all tell of the same nodes. Of these only the ones of the
 * observers with the lowest hashes are read: the same ones on every agent. A row may be the only one that tells of its own
 * node, so half of those that are read are of observers that miss most of the others, if there are as many.
 */
export function chooseRows(rows: Iterable<ObservedRow>, choice: RowChoice): ObservedRow[] {
  const all = [...rows];
  const hashes = all.map((observed) => hashOfPartial(observed, choice));
  const { size } = choice.index;
  const [missing, others]: [number[], number[]] = [[], []];
  for (const [at, { row }] of all.entries()) {
    const hash = hashes[at];
    if (hash !== undefined) (missesMost(row, size) ? missing : others).push(hash);
  }
  if (missing.length + others.length <= mostPartialRows) return all;
  const share = Math.max(mostPartialRows / 2, mostPartialRows - others.length);
  const ofMissing = Math.min(missing.length, share);
  const highestMissing = highestOf(missing, ofMissing);
  const highestOther = highestOf(others, mostPartialRows - ofMissing);
  return all.filter(
    ({ row }, at) => (hashes[at] ?? -1) <= (missesMost(row, size) ? highestMissing : highestOther),
  );
}

/** The highest of so many of the lowest hashes. */
function highestOf(hashes: readonly number[], count: number): number {
  return Uint32Array.from(hashes).sort()[count - 1] ?? Infinity;
}

/** Whether an observer does not reach most of the nodes on some channel. */
function missesMost(row: Row, nodes: number): boolean {
  // What a row counts is decoded when it is asked for, and of thousands of rows most name or leave out fewer nodes.
  if (row.omittedNodes + maxRowNodes <= nodes / 2) return false;
  const { host, endpoint } = row.counts;
  return [host.icmp, host.http, endpoint.icmp, endpoint.http].some(
    ({ reachable, unreachable }) => unreachable > reachable,
  );
}

/** Of a fresh row that leaves nodes out. The agent's own is always read, and of a stale one its age. */
function hashOfPartial(
  { row, freshness }: ObservedRow,
  { index, localName }: RowChoice,
): number | undefined {
  if (row.omittedNodes === 0 || freshness === 'stale' || row.observer === localName)
    return undefined;
  return index.hashes[index.numberOf.get(row.observer) ?? -1];
}
