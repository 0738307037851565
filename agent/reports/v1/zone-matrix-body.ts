import type { TooManyValues, UnknownLabel } from '../../../api/routes/v1/source.js';
import type { ZoneCell, ZoneMatrix } from '../../../api/schema/v1/matrix.js';
import type { MatrixQuery } from '../../../api/schema/v1/queries.js';
import { isZoneLabel } from '../../../api/schema/v1/zone-label.js';
import { channelNumber, type Channel } from '../../model/channel.js';
import { nameHash } from '../../model/name-hash.js';
import { nearestName } from '../../model/nearest-name.js';
import type { Node } from '../../model/node.js';
import { labelOf } from '../../model/node-labels.js';
import { isCovered } from '../../model/row-coverage.js';
import type { Steps } from '../../platform/time-slices.js';
import { isTold } from '../../results/rtt-summary.js';
import { namedPaths } from './channel-row.js';
import { isActive, type ClusterState } from './cluster-state.js';
import { readRows, type ToldRow } from './told-rows.js';
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

type Cells = ReadonlyMap<string, Cell>;

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
  const told = yield* readRows(state);
  const valueOf = (node: Node) => labelOf(node, by) ?? '';
  const zones = [...new Set(active.map(valueOf))].sort();
  if (!isZoneLabel(by) && zones.length > mostValues) return { values: zones.length, mostValues };
  const counted: { readonly channel: Channel; readonly cells: Cells }[] = [];
  for (const channel of channelsOf(query)) {
    counted.push({ channel, cells: yield* countCells(active, told, channel, by) });
  }
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
          const cell = cells.get(keyOf(from, to));
          if (!cell || cell.pairs === 0) return [];
          return [{ ...bodyOf(from, to, cell), ...(!isOne && channel) }];
        });
        return bodies.length > 0 ? [bodies.reduce(worse)] : [];
      }),
    ),
  };
}

function* countCells(
  active: readonly Node[],
  rows: ReadonlyMap<string, ToldRow>,
  channel: Channel,
  label: string,
): Steps<Cells> {
  const valueOf = (node: Node) => labelOf(node, label) ?? '';
  const { plane, protocol } = channel;
  const number = channelNumber(plane, protocol);
  const probed = groupNodes(
    active.filter((node) => node[plane].length > 0),
    valueOf,
  );
  const zoneByName = new Map<string, string>();
  for (const [zone, { names }] of probed) for (const name of names) zoneByName.set(name, zone);
  const cells = new Map<string, Cell>();
  for (const observer of active) {
    const last = rows.get(observer.name);
    const told = last?.freshness === 'fresh' ? last : undefined;
    for (const [zone, nodes] of probed) {
      const cell = cellOf(cells, valueOf(observer), zone);
      cell.pairs += nodes.names.size - (nodes.names.has(observer.name) ? 1 : 0);
      cell.unknown += untold(told, nodes, observer.name, number);
    }
    if (told)
      addNamed(cells, { name: observer.name, value: valueOf(observer) }, told, channel, zoneByName);
    for (const zone of isZoneLabel(label) ? (told?.row.zones ?? []) : []) {
      if (zone.plane !== plane || zone.protocol !== protocol || !probed.has(zone.zone)) continue;
      const cell = cellOf(cells, valueOf(observer), zone.zone);
      cell.p50sNs.push(zone.p50Ns);
      if (isTold(0.99, zone.paths)) cell.p99sNs.push(zone.p99Ns);
    }
    yield;
  }
  return cells;
}

/** How many nodes of a zone a row tells nothing of, named ones included; the observer itself is none. */
function untold(
  told: ToldRow | undefined,
  nodes: ZoneNodes,
  observer: string,
  channel: number,
): number {
  const isIn = nodes.names.has(observer);
  if (!told) return nodes.names.size - (isIn ? 1 : 0);
  const tellsOfItself = isCovered(told.coverage, nameHash(observer), channel);
  return nodes.notCovered(told.coverage, channel) - (isIn && !tellsOfItself ? 1 : 0);
}

function addNamed(
  cells: Map<string, Cell>,
  observer: { readonly name: string; readonly value: string },
  { row, coverage }: ToldRow,
  channel: Channel,
  zoneByName: ReadonlyMap<string, string>,
): void {
  const number = channelNumber(channel.plane, channel.protocol);
  for (const [name, is] of namedPaths(row, channel)) {
    const zone = zoneByName.get(name);
    if (zone === undefined || name === observer.name) continue;
    const cell = cellOf(cells, observer.value, zone);
    // It was counted as one that the row tells nothing of.
    if (!isCovered(coverage, nameHash(name), number)) cell.unknown--;
    cell[is === 'unreachable' ? 'failing' : is]++;
  }
}

function isReported(cells: Cells): boolean {
  return [...cells.values()].some(({ pairs, unknown }) => unknown < pairs);
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

function cellOf(cells: Map<string, Cell>, from: string, to: string): Cell {
  const key = keyOf(from, to);
  const known = cells.get(key);
  if (known) return known;
  const none = { pairs: 0, failing: 0, lossy: 0, slow: 0, unknown: 0 };
  const cell: Cell = { ...none, p50sNs: [], p99sNs: [] };
  cells.set(key, cell);
  return cell;
}

function keyOf(from: string, to: string): string {
  return `${from}\0${to}`;
}
