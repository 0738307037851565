import type { ObservedRow } from '../../model/row.js';
import { nameHash } from '../../model/name-hash.js';
import { coverageOf, listOf, type RowCoverage } from '../../model/row-coverage.js';
import type { Steps } from '../../platform/time-slices.js';
import { isActive, type ClusterState } from './cluster-state.js';

/** The last row of an observer, and which nodes it tells of. */
export interface CoveredRow extends ObservedRow {
  readonly coverage: RowCoverage;
}

/** Reads the rows of all observers, by their names. */
export function* readRows(state: ClusterState): Steps<ReadonlyMap<string, CoveredRow>> {
  const read = rowReader(state);
  const rows = new Map<string, CoveredRow>();
  for (const observed of state.rows) {
    rows.set(observed.row.observer, read(observed));
    yield;
  }
  return rows;
}

/** Adds to a row which nodes it tells of. */
export function rowReader({
  nodes,
}: Pick<ClusterState, 'nodes'>): (row: ObservedRow) => CoveredRow {
  const list = listOf(nodes.filter(isActive).map(({ name }) => nameHash(name)));
  return (observed) => ({ ...observed, coverage: coverageOf(observed.row, list) });
}
