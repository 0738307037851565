import type { TooManyValues, UnknownLabel } from '../../../api/routes/v1/source.js';
import type { ZoneCell, ZoneMatrix } from '../../../api/schema/v1/matrix.js';
import type { MatrixQuery } from '../../../api/schema/v1/queries.js';
import { isZoneLabel } from '../../../api/schema/v1/zone-label.js';
import { channelNumber, type Channel } from '../../model/channel.js';
import { nameHash } from '../../model/name-hash.js';
import { nearestName } from '../../model/nearest-name.js';
import type { Node } from '../../model/node.js';
import { labelOf } from '../../model/node-labels.js';
import { isCovered, type RowCoverage } from '../../model/row-coverage.js';
import type { RowPath, RowZone } from '../../model/row.js';
import type { Steps } from '../../platform/time-slices.js';
import { isEnough } from '../../results/rtt-summary.js';
import { isActive, type ClusterState } from './cluster-state.js';
import { readRows, type CoveredRow } from './covered-rows.js';
import { channelsOf, missingChannels } from './worst-channel.js';
import { groupNodes, type ZoneNodes } from './zone-nodes.js';

interface Cell {
  pairs: number;
  failing: number;
  lossy: number;
  slow: number;
  unknown: number;
  readonly p50sNs: number[];
  readonly p99sNs: number[];
}

/** By the zone of the observers, and by that of the nodes. */
type Cells = Map<string, Map<string, Cell>>;

/** What is counted by one channel. */
interface Counted {
  readonly channel: Channel;
  readonly cells: Cells;
  /** The nodes that have an address there, by their zone. */
  readonly probed: ReadonlyMap<string, ZoneNodes>;
  readonly zoneByName: ReadonlyMap<string, string>;
}

/** A label that is another for each node, as its serial number, makes a matrix of millions of cells. */
const mostValues = 256;

/**
 * The body of `GET /v1/matrix?by=zone`, or by a label that nodes are grouped by. A pair that no fresh row tells of is `unknown`, never good.
 * The RTTs of a cell are the median of its observers' medians, and the largest of their 99th
 * percentiles; rows have them by zone alone. Of several channels each cell has the counts of the one that is worst there.
 */
export function* zoneMatrixBody(
  state: ClusterState,
  query: MatrixQuery,
): Steps<ZoneMatrix | UnknownLabel | TooManyValues> {
  const { by } = query;
  if (!isZoneLabel(by) && !state.groupBy.includes(by)) {
    return { label: by, nearest: nearestName(by, ['zone', 'node', ...state.groupBy]) };
  }
  const active = state.nodes.filter(isActive);
  const covered = yield* readRows(state);
  const valueOf = (node: Node) => labelOf(node, by) ?? '';
  const zones = [...new Set(active.map(valueOf))].sort();
  if (!isZoneLabel(by) && zones.length > mostValues) return { values: zones.length, mostValues };
  const counted = yield* countCells(active, covered, channelsOf(query), by);
  const reported = counted.filter(({ cells }) => isReported(cells));
  const missing = missingChannels(
    counted.filter((one) => !reported.includes(one)),
    active,
    query,
  );
  const chosen = reported.length > 0 ? reported : counted;
  const isOne = query.plane !== 'worst' && query.protocol !== 'worst';
  return {
    at: new Date(state.at).toISOString(),
    ...(!isZoneLabel(by) && { by }),
    ...(missing.length > 0 && { unreported: missing }),
    zones,
    cells: zones.flatMap((from) =>
      zones.flatMap((to) => {
        const bodies = chosen.flatMap(({ channel, cells }) => {
          const cell = cells.get(from)?.get(to);
          if (!cell || cell.pairs === 0) return [];
          return [{ ...bodyOf(from, to, cell), ...(!isOne && channel) }];
        });
        return bodies.length > 0 ? [bodies.reduce(worse)] : [];
      }),
    ),
  };
}

/** Each row is read once, for all channels. */
function* countCells(
  active: readonly Node[],
  rows: ReadonlyMap<string, CoveredRow>,
  channels: readonly Channel[],
  label: string,
): Steps<Counted[]> {
  const valueOf = (node: Node) => labelOf(node, label) ?? '';
  const counted = channels.map((channel): Counted => {
    const probed = groupNodes(
      active.filter((node) => node[channel.plane].length > 0),
      valueOf,
    );
    const zoneByName = new Map<string, string>();
    for (const [zone, { names }] of probed) for (const name of names) zoneByName.set(name, zone);
    return { channel, cells: new Map(), probed, zoneByName };
  });
  for (const observer of active) {
    const last = rows.get(observer.name);
    const covered = last?.freshness === 'fresh' ? last : undefined;
    const from = { name: observer.name, value: valueOf(observer) };
    const [paths, zones] = [covered?.row.paths ?? [], covered?.row.zones ?? []];
    for (const count of counted) {
      addObserver(count, from, covered);
      if (covered) addNamed(count, from, paths, covered.coverage);
      if (isZoneLabel(label)) addRtts(count, from.value, zones);
    }
    yield;
  }
  return counted;
}

/** An observer, and the zone that it is in. */
interface Observer {
  readonly name: string;
  readonly value: string;
}

function addObserver(
  { channel: { plane, protocol }, cells, probed }: Counted,
  { name, value }: Observer,
  covered: CoveredRow | undefined,
): void {
  const number = channelNumber(plane, protocol);
  for (const [zone, nodes] of probed) {
    const cell = cellOf(cells, value, zone);
    cell.pairs += nodes.names.size - (nodes.names.has(name) ? 1 : 0);
    cell.unknown += countUnreported(covered, nodes, name, number);
  }
}

function addRtts(
  { channel: { plane, protocol }, cells, probed }: Counted,
  from: string,
  zones: readonly RowZone[],
): void {
  for (const zone of zones) {
    if (zone.plane !== plane || zone.protocol !== protocol || !probed.has(zone.zone)) continue;
    const cell = cellOf(cells, from, zone.zone);
    cell.p50sNs.push(zone.p50Ns);
    if (isEnough(0.99, zone.paths)) cell.p99sNs.push(zone.p99Ns);
  }
}

/** How many nodes of a zone a row tells nothing of, named ones included; the observer itself is none. */
function countUnreported(
  covered: CoveredRow | undefined,
  nodes: ZoneNodes,
  observer: string,
  channel: number,
): number {
  const isIn = nodes.names.has(observer);
  if (!covered) return nodes.names.size - (isIn ? 1 : 0);
  const tellsOfItself = isCovered(covered.coverage, nameHash(observer), channel);
  return nodes.notCovered(covered.coverage, channel) - (isIn && !tellsOfItself ? 1 : 0);
}

function addNamed(
  { channel, cells, zoneByName }: Counted,
  { name: observer, value }: Observer,
  paths: readonly RowPath[],
  coverage: RowCoverage,
): void {
  const { plane, protocol } = channel;
  const number = channelNumber(plane, protocol);
  for (const path of paths) {
    if (path.plane !== plane || path.protocol !== protocol || path.node === observer) continue;
    const zone = zoneByName.get(path.node);
    if (zone === undefined) continue;
    const cell = cellOf(cells, value, zone);
    // It was counted as one that the row tells nothing of.
    if (!isCovered(coverage, nameHash(path.node), number)) cell.unknown--;
    cell[path.state === 'unreachable' ? 'failing' : path.state]++;
  }
}

function isReported(cells: Cells): boolean {
  return [...cells.values()].some((row) =>
    [...row.values()].some(({ pairs, unknown }) => unknown < pairs),
  );
}

/** Compares by the share that fails, then by the share that is lossy or slow, then by what is unknown. */
function worse(a: ZoneCell, b: ZoneCell): ZoneCell {
  const share = (cell: ZoneCell, field: 'failing' | 'degraded' | 'unknown') =>
    cell[field] / cell.pairs;
  for (const field of ['failing', 'degraded', 'unknown'] as const) {
    const difference = share(b, field) - share(a, field);
    if (difference !== 0) return difference > 0 ? b : a;
  }
  return a;
}

function bodyOf(from: string, to: string, cell: Cell): ZoneCell {
  const { pairs, failing, lossy, slow, unknown } = cell;
  const p50sNs = cell.p50sNs.sort((a, b) => a - b);
  const p50Ns = p50sNs[Math.floor((p50sNs.length - 1) / 2)];
  return {
    from,
    to,
    pairs,
    failing,
    lossy,
    slow,
    degraded: lossy + slow,
    unknown,
    ...(p50Ns !== undefined && { p50Ns: Math.round(p50Ns) }),
    ...(cell.p99sNs.length > 0 && {
      p99Ns: Math.round(cell.p99sNs.reduce((most, one) => Math.max(most, one), 0)),
    }),
  };
}

function cellOf(cells: Cells, from: string, to: string): Cell {
  const row = cells.get(from) ?? new Map<string, Cell>();
  cells.set(from, row);
  let cell = row.get(to);
  if (!cell) {
    cell = { pairs: 0, failing: 0, lossy: 0, slow: 0, unknown: 0, p50sNs: [], p99sNs: [] };
    row.set(to, cell);
  }
  return cell;
}
