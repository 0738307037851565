import type { NodeEntry } from '../../../api/schema/v1/nodes.js';
import { channelNumber } from '../../model/channel.js';
import { nameHash } from '../../model/name-hash.js';
import type { Node } from '../../model/node.js';
import { listGroupOf, listGroups, type RowCoverage } from '../../model/row-coverage.js';
import type { RowPath } from '../../model/row.js';
import type { Steps } from '../../platform/time-slices.js';
import { countBelow } from './count-below.js';
import type { ClusterState } from './cluster-state.js';
import { rowReader } from './covered-rows.js';

export type SeenBy = NodeEntry['seenBy'];

/**
 * How many observers reach a node, and how many do not.
 * @param withinMs rows that were confirmed longer ago say no longer that they reach it; left out, all fresh ones do
 */
export type CountSeenBy = (
  node: Pick<Node, 'name' | 'host' | 'endpoint'>,
  withinMs?: number,
) => SeenBy;

/** What the rows that name a node say of it, beside what they say by not naming it. */
interface Named {
  unreachable: number;
  /** Rows that would tell that they reach it if they did not name it: how long ago each was confirmed, in milliseconds. */
  readonly coveredMs: number[];
  /** Rows that name it and reach it all the same: it is lossy or slow. */
  reachable: number;
}

/**
 * Counts for any node how many fresh observers reach it at all first addresses that they probe, and how many do
 * not. Rows list only what is not well, so an observer that does not list a node reaches it if its
 * row tells of that node at all. Nobody reaches a node without an address: there is no path to it.
 */
export function* createSeenBy(state: Pick<ClusterState, 'nodes' | 'rows'>): Steps<CountSeenBy> {
  const hashes = new Map<string, number>();
  const hashOf = (name: string): number => {
    const hash = hashes.get(name) ?? nameHash(name);
    hashes.set(name, hash);
    return hash;
  };
  const named = new Map<string, Named>();
  const fresh = new Map<string, Teller>();
  // For each group of nodes, up to which hash the rows that know the group tell of its nodes.
  const horizons: number[][] = Array.from({ length: listGroups }, () => []);
  const read = rowReader(state);
  // What is read of a row is forgotten with the next one, so each is read for all purposes at once.
  for (const observed of state.rows) {
    if (observed.freshness !== 'fresh') continue;
    const { row, coverage } = read(observed);
    const { observer } = row;
    const { ageMs } = observed;
    const horizon = horizonOf(coverage);
    fresh.set(observer, { coverage, ageMs });
    for (const [group, ofGroup] of horizons.entries()) {
      if ((coverage.groups >> group) & 1) ofGroup.push(horizon);
    }
    for (const [node, paths] of byNode(row.paths)) {
      if (node === observer) continue;
      const looked = row.health.notSending.length > 0 ? paths : probedPaths(paths, coverage);
      countNamed(named, node, looked, tells(coverage, hashOf(node)) ? ageMs : undefined);
    }
    yield;
  }
  for (const ofGroup of horizons) {
    ofGroup.sort((a, b) => a - b);
    yield;
  }
  const covering = (hash: number, own: Teller | undefined, withinMs: number): number => {
    if (withinMs === Infinity) {
      const ofGroup = horizons[listGroupOf(hash)] ?? [];
      const itself = own && tells(own.coverage, hash) ? 1 : 0;
      return ofGroup.length - countBelow(ofGroup, hash) - itself;
    }
    let count = 0;
    for (const teller of fresh.values()) {
      if (teller.ageMs > withinMs || teller === own) continue;
      if (tells(teller.coverage, hash)) count++;
    }
    return count;
  };
  return ({ name: node, host, endpoint }, withinMs = Infinity) => {
    const hash = hashOf(node);
    const own = fresh.get(node);
    const of = fresh.size - (own ? 1 : 0);
    if (host.length + endpoint.length === 0) return { reachable: 0, unreachable: 0, of };
    const { unreachable = 0, coveredMs = [], reachable = 0 } = named.get(node) ?? {};
    const covered = coveredMs.filter((ageMs) => ageMs <= withinMs).length;
    return { reachable: covering(hash, own, withinMs) - covered + reachable, unreachable, of };
  };
}

/** A fresh row: which nodes it tells of, and how long ago it was confirmed. */
interface Teller {
  readonly coverage: RowCoverage;
  readonly ageMs: number;
}

function countNamed(
  named: Map<string, Named>,
  node: string,
  paths: readonly RowPath[],
  coveredMs: number | undefined,
): void {
  if (paths.length === 0) return;
  const counts = named.get(node) ?? { unreachable: 0, coveredMs: [], reachable: 0 };
  named.set(node, counts);
  if (coveredMs !== undefined) counts.coveredMs.push(coveredMs);
  if (paths.some(({ state }) => state === 'unreachable')) counts.unreachable++;
  else if (!paths.some(({ state }) => state === 'unknown')) counts.reachable++;
}

/** Without the paths by channels of which the observer has no result at all: it does not probe them. */
function probedPaths(paths: readonly RowPath[], { horizons }: RowCoverage): RowPath[] {
  return paths.filter(
    ({ plane, protocol }) => (horizons[channelNumber(plane, protocol)] ?? -1) >= 0,
  );
}

/** Up to which hash a row tells of all channels that its observer looks at; -1 if of none. */
function horizonOf({ horizons }: RowCoverage): number {
  const looked = horizons.filter((horizon) => horizon >= 0);
  return looked.length > 0 ? Math.min(...looked) : -1;
}

function tells(coverage: RowCoverage, hash: number): boolean {
  return horizonOf(coverage) >= hash && ((coverage.groups >> listGroupOf(hash)) & 1) === 1;
}

function byNode(paths: readonly RowPath[]): Map<string, RowPath[]> {
  const nodes = new Map<string, RowPath[]>();
  for (const path of paths) {
    const known = nodes.get(path.node);
    if (known) known.push(path);
    else nodes.set(path.node, [path]);
  }
  return nodes;
}
