import type { NodeSummary } from '../results/result-store.js';

/** How many peers count, and how many of those answered once, and answer now. */
export interface PeersReached {
  readonly active: number;
  readonly reachedOnce: number;
  readonly reachable: number;
}

/** Counts the active peers: every node but the own one that has an address and is to be counted. */
export function countPeers(nodes: Iterable<NodeSummary>, localName: string): PeersReached {
  let [active, reachedOnce, reachable] = [0, 0, 0];
  for (const { name, isActive, hasPaths, wasReached, isReachable } of nodes) {
    if (name === localName || !hasPaths || !isActive) continue;
    active++;
    if (wasReached) reachedOnce++;
    if (isReachable) reachable++;
  }
  return { active, reachedOnce, reachable };
}
