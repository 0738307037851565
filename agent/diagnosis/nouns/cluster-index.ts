import { nameHash } from '../../model/name-hash.js';
import { listOf } from '../../model/row-coverage.js';
import type { RowList } from '../../model/row.js';
import { endpointMask, hostMask } from './channel-mask.js';
import type { DiagnosisNode } from './diagnosis-node.js';
import {
  groupBy,
  groupText,
  labelGroup,
  labelGroups,
  valuePairs,
  type LabelGroup,
  type NodeGroup,
} from './node-groups.js';
import { finished } from './steps.js';

/** The active nodes by number, so that evidence can be counted in arrays. */
export interface ClusterIndex {
  readonly nodes: readonly DiagnosisNode[];
  /** The names of all listed nodes, active or not. */
  readonly listed: ReadonlySet<string>;
  readonly size: number;
  readonly numberOf: ReadonlyMap<string, number>;
  readonly hashes: Float64Array;
  /** The channels that a node has an address on. */
  readonly masks: Uint8Array;
  /** The nodes that got other addresses, by number; see `DiagnosisNode.movedMs`. */
  readonly movedMs: ReadonlyMap<number, NonNullable<DiagnosisNode['movedMs']>>;
  /** The number of a node's zone; -1 where it has none. */
  readonly zoneOf: Int32Array;
  readonly zones: readonly LabelGroup[];
  readonly zoneNumberOf: ReadonlyMap<string, number>;
  readonly groupBy: readonly string[];
  /** The nodes that share a value of a label, in the order of the labels, and behind them those that share two. */
  readonly groups: readonly LabelGroup[];
  /** How many groups share one value. */
  readonly singles: number;
  /** The number of a group by what its nodes share, as `groupText` writes it. */
  readonly groupNumberOf: ReadonlyMap<string, number>;
  /** The whole cluster, seen as one zone. */
  readonly whole: NodeGroup;
  /** The active nodes in short, to compare with the lists of observers. */
  readonly list: RowList;
}

/** Numbers the active nodes, the zones, and the groups by some labels. */
export function indexCluster(
  all: readonly DiagnosisNode[],
  labels: readonly string[] = [],
): ClusterIndex {
  return finished(indexClusterInSteps(all, labels));
}

/** The same in steps of some hundred nodes: of twenty thousand it takes longer than probes may wait. */
export function* indexClusterInSteps(
  all: readonly DiagnosisNode[],
  labels: readonly string[] = [],
): Generator<undefined, ClusterIndex> {
  const nodes = all.filter(({ phase }) => phase === 'active');
  const size = nodes.length;
  const numberOf = new Map<string, number>();
  const [hashes, masks] = [new Float64Array(size), new Uint8Array(size)];
  const moved = new Map<number, NonNullable<DiagnosisNode['movedMs']>>();
  for (const [node, { name, host, endpoint, movedMs }] of nodes.entries()) {
    if ((node + 1) % nodesPerStep === 0) yield;
    numberOf.set(name, node);
    if (movedMs) moved.set(node, movedMs);
    hashes[node] = nameHash(name);
    masks[node] = (host.length > 0 ? hostMask : 0) | (endpoint.length > 0 ? endpointMask : 0);
  }
  yield;
  const byNumber = { hashes, masks };
  const zones = [...groupBy(nodes, ({ zone }) => zone)].map(([name, members]) =>
    labelGroup({ label: 'zone', name }, members, byNumber),
  );
  const zoneOf = new Int32Array(size).fill(-1);
  for (const [number, { members }] of zones.entries())
    for (const node of members) zoneOf[node] = number;
  const singles = yield* labelGroups(nodes, labels, byNumber);
  const groups = [...singles, ...(yield* valuePairs(singles, byNumber))];
  yield;
  return {
    nodes,
    listed: new Set(all.map(({ name }) => name)),
    size,
    numberOf,
    hashes,
    masks,
    movedMs: moved,
    zoneOf,
    zones,
    zoneNumberOf: new Map(zones.map(({ name }, number) => [name, number])),
    groupBy: labels,
    groups,
    singles: singles.length,
    groupNumberOf: new Map(groups.map((group, number) => [groupText(group), number])),
    whole: labelGroup({ label: '', name: '' }, [...nodes.keys()], byNumber),
    list: listOf(hashes),
  };
}

/** Some tenths of a millisecond of work. */
const nodesPerStep = 500;

/** How many numbers of an ascending array are not above the bound. */
export function countUpTo(ascending: ArrayLike<number>, bound: number): number {
  if (bound === Infinity) return ascending.length;
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] ?? 0) <= bound) low = middle + 1;
    else high = middle;
  }
  return low;
}
