import type { UnknownName, UnknownZone } from '../../../api/routes/v1/source.js';
import {
  encodeMatrixBytes,
  rttToByte,
  stateToByte,
  type CellState,
} from '../../../api/schema/v1/matrix-bytes.js';
import type { NodeMatrix, ZoneCell, ZoneMatrix } from '../../../api/schema/v1/matrix.js';
import type { TargetMatrixQuery } from '../../../api/schema/v1/queries.js';
import type { Node } from '../../model/node.js';
import { fullNameOf } from '../../model/node-name.js';
import type { Plane } from '../../model/path.js';
import { tailNs, type RowTargetState } from '../../model/target.js';
import type { Steps } from '../../platform/time-slices.js';
import { isActive, type ClusterState } from './cluster-state.js';
import { isRecent, visitLooks, type TargetLook } from './target-looks.js';
import { unknownTarget } from './targets-body.js';
import { shownPlanes } from './shown-planes.js';
import { unknownZone, zoneOf } from './zone-nodes.js';

const cellOfState: Readonly<Record<RowTargetState, CellState>> = {
  reachable: 'reachable',
  lossy: 'lossy-or-slow',
  slow: 'lossy-or-slow',
  unreachable: 'unreachable',
  unknown: 'unknown',
};

/** What was said by one observer, from each plane. */
type Looks = ReadonlyMap<string, Partial<Record<Plane, TargetLook>>>;

/**
 * The body of `GET /v1/matrix?target=NAME`: the observers, or their zones, by the planes from which the
 * target is probed.
 */
export function* targetMatrixBody(
  state: ClusterState,
  query: TargetMatrixQuery,
): Steps<ZoneMatrix | NodeMatrix | UnknownName | UnknownZone> {
  const view = state.targets.find(({ target }) => target.name === query.target);
  if (!view) return unknownTarget(state, query.target);
  const unknown = unknownZone(state.nodes, query.zone);
  if (unknown) return unknown;
  const planes = shownPlanes(view.target, state.nodes);
  return query.by === 'zone'
    ? yield* byZone({ ...state, targets: [view] }, planes)
    : yield* byNode({ ...state, targets: [view] }, planes, query);
}

/** A stale row tells how it was, not how it is: its nodes are unknown, as are those that looked too long ago. */
function* byZone(state: ClusterState, planes: readonly Plane[]): Steps<ZoneMatrix> {
  const active = state.nodes.filter(isActive);
  const zones = [...new Set(active.map(zoneOf))].sort();
  const looks = yield* collect(state, true);
  const cells = new Map<string, ZoneCell & { p50sNs: number[] }>();
  for (const node of active) {
    for (const plane of planes) {
      if (!isExpected(node, plane)) continue;
      const from = zoneOf(node);
      const cell = cells.get(`${plane} ${from}`) ?? emptyCell(from, plane);
      cells.set(`${plane} ${from}`, cell);
      cell.pairs++;
      addLook(cell, looks.get(node.name)?.[plane]);
    }
    yield;
  }
  return {
    at: new Date(state.at).toISOString(),
    zones,
    columns: [...planes],
    cells: zones.flatMap((zone) =>
      planes.flatMap((plane) => {
        const cell = cells.get(`${plane} ${zone}`);
        if (!cell) return [];
        const { p50sNs, ...counts } = cell;
        const p50Ns = p50sNs.sort((a, b) => a - b)[Math.floor((p50sNs.length - 1) / 2)];
        return [{ ...counts, ...(p50Ns !== undefined && { p50Ns: Math.round(p50Ns) }) }];
      }),
    ),
  };
}

function emptyCell(from: string, plane: Plane): ZoneCell & { p50sNs: number[] } {
  const none = { pairs: 0, failing: 0, lossy: 0, slow: 0, degraded: 0, unknown: 0 };
  return { from, to: plane, plane, ...none, p50sNs: [] };
}

function addLook(cell: ZoneCell & { p50sNs: number[] }, look: TargetLook | undefined): void {
  const { state = 'unknown', p50Ns } = look?.said ?? {};
  const p99Ns = look && tailNs(look.said);
  if (state === 'unknown') cell.unknown++;
  if (state === 'unreachable') cell.failing++;
  if (state === 'lossy') cell.lossy++;
  if (state === 'slow') cell.slow++;
  cell.degraded = cell.lossy + cell.slow;
  if (state === 'unknown' || state === 'unreachable') return;
  if (p50Ns !== undefined) cell.p50sNs.push(p50Ns);
  if (p99Ns !== undefined) cell.p99Ns = Math.max(cell.p99Ns ?? 0, Math.round(p99Ns));
}

/** What a stale row says is there, and marked as such, as in the matrix of nodes. */
function* byNode(
  state: ClusterState,
  planes: readonly Plane[],
  { zone, nodes: wanted }: TargetMatrixQuery,
): Steps<NodeMatrix> {
  const names = wanted && new Set(wanted.map((name) => fullNameOf(name, state.clusterName)));
  const rows = state.nodes
    .filter((node) => zone === undefined || zoneOf(node) === zone)
    .filter(({ name }) => names === undefined || names.has(name))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  const looks = yield* collect(state, false);
  const reported = new Map<string, { readonly ageMs: number; readonly isStale: boolean }>();
  for (const { row, ageMs, freshness } of state.rows) {
    reported.set(row.observer, { ageMs, isStale: freshness === 'stale' });
    yield;
  }
  const states = new Uint8Array(rows.length * planes.length);
  const rtts = new Uint8Array(states.length);
  for (const [row, node] of rows.entries()) {
    for (const [column, plane] of planes.entries()) {
      const at = row * planes.length + column;
      const said = looks.get(node.name)?.[plane]?.said;
      const isWell = said && said.state !== 'unreachable' && said.state !== 'unknown';
      states[at] = stateToByte(
        isActive(node) && isExpected(node, plane)
          ? said
            ? cellOfState[said.state]
            : 'no-report'
          : 'excluded',
      );
      rtts[at] = rttToByte(isWell ? said.p50Ns : undefined);
    }
    yield;
  }
  return {
    at: new Date(state.at).toISOString(),
    rows: rows.map(({ name }) => name),
    columns: [...planes],
    ages: rows.map(({ name }) => {
      const ageMs = reported.get(name)?.ageMs;
      return ageMs === undefined ? null : Math.round(ageMs / 100) / 10;
    }),
    stale: rows.map(({ name }) => reported.get(name)?.isStale ?? false),
    ...encodeMatrixBytes({ states, rtts }),
  };
}

function* collect(state: ClusterState, onlyRecent: boolean): Steps<Looks> {
  const looks = new Map<string, Partial<Record<Plane, TargetLook>>>();
  yield* visitLooks(state, (look, { row }) => {
    const isRead = look.freshness === 'stale' ? !onlyRecent && !look.isOther : isRecent(look, row);
    if (!isRead) return;
    const ofNode = looks.get(look.observer) ?? {};
    ofNode[look.plane] = look;
    looks.set(look.observer, ofNode);
  });
  return looks;
}

/** A node without an endpoint looks from its host only. */
function isExpected(node: Node, plane: Plane): boolean {
  return node[plane].length > 0;
}
