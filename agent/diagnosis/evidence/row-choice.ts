import { nameHash } from '../../model/name-hash.js';
import type { Row } from '../../model/row.js';
import type { ClusterIndex } from '../nouns/cluster-index.js';
import type { ObservedRow } from '../nouns/diagnosis-input.js';

/** About this many of the rows that leave nodes out are read. */
export const mostPartialRows = 600;

/**
 * Whether a row is read. In a large outage rows leave nodes out, and all tell of the same nodes.
 * Then only the rows of the observers with the lowest hashes are read: the same ones on every
 * agent.
 * @param nodes how many active nodes there are
 */
export function isRowRead(row: Pick<Row, 'observer' | 'omittedNodes'>, nodes: number): boolean {
  if (row.omittedNodes === 0 || nodes <= mostPartialRows) return true;
  return nameHash(row.observer) < (mostPartialRows / nodes) * 2 ** 32;
}

/** The same of a fresh row. The agent's own is always read, and of a stale one its age. */
export function isObserverRead(
  { row, freshness }: ObservedRow,
  { index, localName }: { readonly index: ClusterIndex; readonly localName: string },
): boolean {
  return row.observer === localName || freshness === 'stale' || isRowRead(row, index.size);
}
