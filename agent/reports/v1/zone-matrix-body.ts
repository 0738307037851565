import type { ZoneMatrix } from '../../../api/schema/v1/matrix.js';
import type { MatrixQuery } from '../../../api/schema/v1/queries.js';
import { nameHash } from '../../model/name-hash.js';
import type { Node } from '../../model/node.js';
import { isActive, type ClusterState, type ObserverRow } from './cluster-state.js';
import { lastToldHash, listedCells } from './row-reader.js';

interface Cell {
  pairs: number;
  failing: number;
  degraded: number;
  unknown: number;
  readonly p50sNs: number[];
  readonly p99sNs: number[];
}

/** A zone's active nodes that have an address on the plane. */
interface ZoneNodes {
  readonly names: ReadonlySet<string>;
  /** In rising order. */
  readonly hashes: readonly number[];
}

/**
 * The body of `GET /v1/matrix?by=zone`. A pair that no fresh row covers is `unknown`, never good.
 * The RTTs of a cell are the median of its observers' medians, and the largest of their 99th
 * percentiles.
 */
export function zoneMatrixBody(state: ClusterState, query: MatrixQuery): ZoneMatrix {
  const { plane, protocol } = query;
  const active = state.nodes.filter(isActive);
  const probed = groupByZone(active.filter((node) => node[plane].length > 0));
  const fresh = new Map<string, ObserverRow>();
  for (const row of state.rows) if (row.freshness === 'fresh') fresh.set(row.row.observer, row);
  const zones = [...new Set(active.map(zoneOf))].sort();
  const zoneByName = new Map<string, string>();
  for (const [zone, { names }] of probed) for (const name of names) zoneByName.set(name, zone);
  const cells = new Map<string, Cell>();
  for (const observer of active) {
    const told = fresh.get(observer.name);
    const listed = told && listedCells(told.row, plane, protocol);
    const last = told ? lastToldHash(told.row) : -1;
    for (const [zone, { names, hashes }] of probed) {
      const cell = cellOf(cells, zoneOf(observer), zone);
      const isOwnZone = names.has(observer.name);
      cell.pairs += names.size - (isOwnZone ? 1 : 0);
      const untold = hashes.length - firstAbove(hashes, last);
      cell.unknown += untold - (isOwnZone && nameHash(observer.name) > last ? 1 : 0);
    }
    for (const [name, is] of listed ?? []) {
      const zone = zoneByName.get(name);
      if (zone === undefined || name === observer.name) continue;
      const cell = cellOf(cells, zoneOf(observer), zone);
      if (is === 'unreachable') cell.failing++;
      else if (is === 'unknown') cell.unknown++;
      else cell.degraded++;
    }
    for (const zone of told?.row.zones ?? []) {
      if (zone.plane !== plane || zone.protocol !== protocol || !probed.has(zone.zone)) continue;
      const cell = cellOf(cells, zoneOf(observer), zone.zone);
      cell.p50sNs.push(zone.p50Ns);
      cell.p99sNs.push(zone.p99Ns);
    }
  }
  return {
    at: new Date(state.at).toISOString(),
    zones,
    cells: zones.flatMap((from) =>
      zones.flatMap((to) => {
        const cell = cells.get(keyOf(from, to));
        return cell && cell.pairs > 0 ? [bodyOf(from, to, cell)] : [];
      }),
    ),
  };
}

function bodyOf(from: string, to: string, cell: Cell): ZoneMatrix['cells'][number] {
  const { pairs, failing, degraded, unknown } = cell;
  const p50sNs = cell.p50sNs.sort((a, b) => a - b);
  const p50Ns = p50sNs[Math.floor((p50sNs.length - 1) / 2)];
  return {
    from,
    to,
    pairs,
    failing,
    degraded,
    unknown,
    ...(p50Ns !== undefined && {
      p50Ns: Math.round(p50Ns),
      p99Ns: Math.round(cell.p99sNs.reduce((most, one) => Math.max(most, one), 0)),
    }),
  };
}

function zoneOf({ zone }: Node): string {
  return zone ?? '';
}

function groupByZone(nodes: readonly Node[]): ReadonlyMap<string, ZoneNodes> {
  const byZone = new Map<string, string[]>();
  for (const node of nodes) {
    const names = byZone.get(zoneOf(node));
    if (names) names.push(node.name);
    else byZone.set(zoneOf(node), [node.name]);
  }
  return new Map(
    [...byZone].map(([zone, names]) => {
      const hashes = names.map(nameHash).sort((a, b) => a - b);
      return [zone, { names: new Set(names), hashes }];
    }),
  );
}

function cellOf(cells: Map<string, Cell>, from: string, to: string): Cell {
  const key = keyOf(from, to);
  const known = cells.get(key);
  if (known) return known;
  const cell: Cell = { pairs: 0, failing: 0, degraded: 0, unknown: 0, p50sNs: [], p99sNs: [] };
  cells.set(key, cell);
  return cell;
}

function keyOf(from: string, to: string): string {
  return `${from}\0${to}`;
}

/** The index of the first of the sorted numbers that is above the bound. */
function firstAbove(sorted: readonly number[], bound: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? Infinity) <= bound) low = middle + 1;
    else high = middle;
  }
  return low;
}
