import { nameHash } from '../model/name-hash.js';
import { endpointMask, hostMask } from './channels.js';
import type { DiagnosisNode } from './diagnosis-input.js';

/** The active nodes by number, so that evidence can be counted in arrays. */
export interface ClusterIndex {
  readonly nodes: readonly DiagnosisNode[];
  readonly size: number;
  readonly numberOf: ReadonlyMap<string, number>;
  readonly hashes: Float64Array;
  /** The channels that a node has an address on. */
  readonly masks: Uint8Array;
  /** The number of a node's zone; -1 where it has none. */
  readonly zoneOf: Int32Array;
  readonly zones: readonly Zone[];
  /** The whole cluster, seen as one zone. */
  readonly whole: Zone;
}

export interface Zone {
  readonly name: string;
  /** Numbers of its nodes. */
  readonly members: readonly number[];
  /** For each channel the hashes of the members that have it, ascending. */
  readonly hashes: readonly Float64Array[];
}

/** Numbers the active nodes and zones. */
export function indexCluster(all: readonly DiagnosisNode[]): ClusterIndex {
  const nodes = all.filter(({ phase }) => phase === 'active');
  const numberOf = new Map(nodes.map(({ name }, number) => [name, number]));
  const hashes = Float64Array.from(nodes, ({ name }) => nameHash(name));
  const masks = Uint8Array.from(
    nodes,
    ({ host, endpoint }) =>
      (host.length > 0 ? hostMask : 0) | (endpoint.length > 0 ? endpointMask : 0),
  );
  const zoneNumbers = new Map<string, number>();
  const members: number[][] = [];
  const zoneOf = Int32Array.from(nodes, ({ zone }, node) => {
    if (zone === undefined) return -1;
    const number = zoneNumbers.get(zone) ?? zoneNumbers.size;
    zoneNumbers.set(zone, number);
    (members[number] ??= []).push(node);
    return number;
  });
  const zone = (name: string, of: readonly number[]): Zone => ({
    name,
    members: of,
    hashes: [0, 1, 2, 3].map((channel) => {
      const having = of.filter((node) => ((masks[node] ?? 0) >> channel) & 1);
      return Float64Array.from(having, (node) => hashes[node] ?? 0).sort();
    }),
  });
  const zones = [...zoneNumbers].map(([name, number]) => zone(name, members[number] ?? []));
  const whole = zone('', [...nodes.keys()]);
  return { nodes, size: nodes.length, numberOf, hashes, masks, zoneOf, zones, whole };
}

/** How many numbers of an ascending array are at most the bound. */
export function countUpTo(ascending: Float64Array, bound: number): number {
  if (bound === Infinity) return ascending.length;
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] ?? 0) <= bound) low = middle + 1;
    else high = middle;
  }
  return low;
}
