import { rttToByte, stateToByte, type CellState } from '../../../api/schema/v1/matrix-bytes.js';
import { channelNumber, type Channel } from '../../model/channel.js';
import { nameHash } from '../../model/name-hash.js';
import type { Node } from '../../model/node.js';
import type { Plane } from '../../model/path.js';
import { allListGroups, isCovered, type RowCoverage } from '../../model/row-coverage.js';
import type { ObservedWholeRow, Row, RowPathState } from '../../model/row.js';
import type { NodeView } from '../../results/snapshot.js';
import { isActive } from './cluster-state.js';
import type { CoveredRow } from './covered-rows.js';

const stateOfPath: Readonly<Record<RowPathState, CellState>> = {
  unreachable: 'unreachable',
  unknown: 'unknown',
  lossy: 'lossy-or-slow',
  slow: 'lossy-or-slow',
};

/** The cells of one observer by one channel, one for each column. */
export interface RowBytes {
  readonly states: Uint8Array;
  readonly rtts: Uint8Array;
  /** 1 where the RTT is of few round trips, else 0. */
  readonly few: Uint8Array;
}

/** The columns of a matrix. There may be a million cells, so that nothing is looked up by name. */
export interface Columns {
  readonly names: readonly string[];
  readonly indexOf: ReadonlyMap<string, number>;
  readonly hashes: Float64Array;
  /** The columns of nodes that are not expected to answer on a plane. */
  readonly excluded: Readonly<Record<Plane, readonly number[]>>;
}

/** Prepares the columns of a matrix. */
export function columnsOf(nodes: readonly Node[]): Columns {
  const names = nodes.map(({ name }) => name);
  const excluded = (plane: Plane) =>
    nodes.flatMap((node, column) => (isActive(node) && node[plane].length > 0 ? [] : [column]));
  return {
    names,
    indexOf: new Map(names.map((name, column) => [name, column])),
    hashes: Float64Array.from(names, nameHash),
    excluded: { host: excluded('host'), endpoint: excluded('endpoint') },
  };
}

/** What a row says of each node that it names by a channel. */
export function namedPaths(row: Row, { plane, protocol }: Channel): Map<string, RowPathState> {
  return new Map(
    row.paths
      .filter((path) => path.plane === plane && path.protocol === protocol)
      .map(({ node, state }) => [node, state]),
  );
}

/** Adds the median RTTs of this agent's own paths, from its snapshot, where its row says that they answer. */
export function writeOwnRtts(
  views: ReadonlyMap<string, NodeView>,
  { names }: Columns,
  { plane, protocol }: Channel,
  into: RowBytes,
): void {
  const [reachable, lossyOrSlow] = [stateToByte('reachable'), stateToByte('lossy-or-slow')];
  for (const [column, name] of names.entries()) {
    const byte = into.states[column];
    if (byte !== reachable && byte !== lossyOrSlow) continue;
    const view = views.get(name)?.[plane][0]?.[protocol];
    const { rttNs: lastNs } = view?.state ?? {};
    const { rtts } = view?.summary ?? {};
    // Where every reply was tainted there is no median.
    into.rtts[column] = lastNs === undefined ? 0 : rttToByte(rtts?.p50 ?? lastNs);
    into.few[column] = rtts?.p95 === undefined ? 1 : 0;
  }
}

/** Writes the whole row of a peer. */
export function writeWhole(whole: ObservedWholeRow, { indexOf }: Columns, into: RowBytes): void {
  for (const [index, name] of whole.nodes.entries()) {
    const column = indexOf.get(name);
    if (column === undefined) continue;
    into.states[column] = whole.states[index] ?? 0;
    into.rtts[column] = whole.rtts[index] ?? 0;
    into.few[column] = whole.few[index] ?? 1;
  }
}

/**
 * Writes what a row tells, and nothing of other nodes. A row has no RTTs: one that a
 * whole row gave stays where the path still answers.
 */
export function writeReported(
  { row, coverage }: CoveredRow,
  { indexOf, hashes }: Columns,
  channel: Channel,
  into: RowBytes,
): void {
  const number = channelNumber(channel.plane, channel.protocol);
  const reachable = stateToByte('reachable');
  if (coversAll(coverage, number)) into.states.fill(reachable);
  else {
    for (let column = 0; column < hashes.length; column++) {
      if (isCovered(coverage, hashes[column] ?? 0, number)) into.states[column] = reachable;
    }
  }
  for (const [name, state] of namedPaths(row, channel)) {
    const column = indexOf.get(name);
    if (column === undefined) continue;
    into.states[column] = stateToByte(stateOfPath[state]);
    if (state === 'unreachable' || state === 'unknown') into.rtts[column] = 0;
  }
}

function coversAll({ horizons, groups }: RowCoverage, channel: number): boolean {
  return horizons[channel] === Infinity && groups === allListGroups;
}
