import { channels } from '../../model/channel.js';
import { nameHash } from '../../model/name-hash.js';
import { coverageOf, listOf, type RowCoverage } from '../../model/row-coverage.js';
import type { Row, RowPath } from '../../model/row.js';
import type { Steps } from '../../platform/time-slices.js';
import { isActive, type ClusterState, type ObserverRow } from './cluster-state.js';

/** The last row of an observer, and which nodes it tells of. */
export interface ToldRow extends ObserverRow {
  readonly coverage: RowCoverage;
}

/**
 * Reads the rows of all observers, by their names. This agent's own tells of all its paths, however
 * many are not well, because it is made from the snapshot and needs no bound.
 */
export function* readRows(state: ClusterState): Steps<ReadonlyMap<string, ToldRow>> {
  const { nodes, rows, localName } = state;
  const list = listOf(nodes.filter(isActive).map(({ name }) => nameHash(name)));
  const told = new Map<string, ToldRow>();
  for (const observed of rows) {
    const isOwn = observed.row.observer === localName;
    const row = isOwn ? withAllPaths(observed.row, state) : observed.row;
    told.set(row.observer, { ...observed, row, coverage: coverageOf(row, list) });
    yield;
  }
  return told;
}

function withAllPaths(row: Row, { snapshot, at }: ClusterState): Row {
  const paths: RowPath[] = [];
  for (const { name: node, lifecycle, ...view } of snapshot.nodes) {
    if (lifecycle !== undefined && lifecycle.phase !== 'active') continue;
    for (const { plane, protocol } of channels) {
      const ofPath = view[plane][0]?.[protocol];
      if (!ofPath) continue;
      const { state, summary } = ofPath;
      const isWell = state.state === 'reachable' && !summary.isLossy && !summary.isSlow;
      if (isWell) continue;
      paths.push({
        node,
        plane,
        protocol,
        state: state.state !== 'reachable' ? state.state : summary.isLossy ? 'lossy' : 'slow',
        ageSeconds: Math.max(Math.round((at - state.sinceAt) / 1000), 0),
      });
    }
  }
  return { ...row, paths, omittedNodes: 0, counts: snapshot.counts };
}
