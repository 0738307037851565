import { nameHash } from '../../model/name-hash.js';
import type { Plane } from '../../model/path.js';
import type { Row, RowPathState } from '../../model/row.js';
import type { Protocol } from '../../model/sample.js';

/** What a row says of one node: `reachable` where it says nothing, as it lists only what is not well. */
export type RowCell = RowPathState | 'reachable';

/**
 * The hash above which a row says nothing of a node; Infinity where it tells of every node. A row that had no
 * room for all leaves out those with the highest hashes.
 */
export function lastToldHash({ omittedNodes, paths }: Row): number {
  if (omittedNodes === 0) return Infinity;
  return paths.reduce((highest, { node }) => Math.max(highest, nameHash(node)), -1);
}

/** What a row says of each node that it lists by that plane and protocol. */
export function listedCells(row: Row, plane: Plane, protocol: Protocol): Map<string, RowPathState> {
  return new Map(
    row.paths
      .filter((path) => path.plane === plane && path.protocol === protocol)
      .map(({ node, state }) => [node, state]),
  );
}
