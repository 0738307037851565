import type { ObservedRow } from '../../model/row.js';
import { nameHash } from '../../model/name-hash.js';
import { coverageOf, listOf, type RowCoverage } from '../../model/row-coverage.js';
import type { Steps } from '../../platform/time-slices.js';
import { isActive, type ClusterState } from './cluster-state.js';

/** The last row of an observer, and which nodes it tells of. */
export interface ToldRow extends ObservedRow {
  readonly coverage: RowCoverage;
}

/** Reads the rows of all observers, by their names. */
export function* readRows(state: ClusterState): Steps<ReadonlyMap<string, ToldRow>> {
  const { nodes, rows } = state;
  const list = listOf(nodes.filter(isActive).map(({ name }) => nameHash(name)));
  const told = new Map<string, ToldRow>();
  for (const observed of rows) {
    const { row } = observed;
    told.set(row.observer, { ...observed, coverage: coverageOf(row, list) });
    yield;
  }
  return told;
}
