import type { NodeEntry } from '../../../api/schema/v1/nodes.js';
import { nameHash } from '../../model/name-hash.js';
import type { ObserverRow } from './cluster-state.js';
import { lastToldHash } from './row-reader.js';

export type SeenBy = NodeEntry['seenBy'];

/**
 * Counts for any node how many fresh observers reach it by all paths they probe, and how many do
 * not. Rows list only what is not well, so the count starts with all observers and subtracts those
 * that list the node.
 */
export function createSeenBy(rows: Iterable<ObserverRow>): (node: string) => SeenBy {
  const unreachable = new Map<string, number>();
  const unknown = new Map<string, number>();
  const observers = new Set<string>();
  const lastTold: number[] = [];
  for (const { row, freshness } of rows) {
    if (freshness !== 'fresh') continue;
    observers.add(row.observer);
    const last = lastToldHash(row);
    if (last < Infinity) lastTold.push(last);
    const failing = nodesIn(row.paths.filter(({ state }) => state === 'unreachable'));
    for (const node of failing) unreachable.set(node, (unreachable.get(node) ?? 0) + 1);
    for (const node of nodesIn(row.paths.filter(({ state }) => state === 'unknown'))) {
      if (!failing.has(node)) unknown.set(node, (unknown.get(node) ?? 0) + 1);
    }
  }
  lastTold.sort((a, b) => a - b);
  return (node) => {
    const of = observers.size - (observers.has(node) ? 1 : 0);
    const failing = unreachable.get(node) ?? 0;
    const silent = (unknown.get(node) ?? 0) + countBelow(lastTold, nameHash(node));
    return { reachable: Math.max(of - failing - silent, 0), unreachable: failing, of };
  };
}

function nodesIn(paths: readonly { readonly node: string }[]): Set<string> {
  return new Set(paths.map(({ node }) => node));
}

/** How many of the sorted numbers are smaller. */
function countBelow(sorted: readonly number[], bound: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? Infinity) < bound) low = middle + 1;
    else high = middle;
  }
  return low;
}
