import type { Steps } from '../platform/time-slices.js';
import type { NodeSummary } from '../results/known-paths.js';

/** How many peers count, how many of them answered once, and how many answer now. */
export interface PeersReached {
  readonly active: number;
  readonly reachedOnce: number;
  readonly reachable: number;
  /** The first names of those that never answered, and of those that do not answer now. */
  readonly neverReached: readonly string[];
  readonly unreachable: readonly string[];
}

const namedPeers = 3;
/** Some tenths of a millisecond of work. */
const nodesPerStep = 100;

/**
 * Counts the active peers: every other node that has an address and is expected to answer. They
 * stay in the order of the node list, so the same peers are named as long as they are missing.
 */
export function* countPeers(nodes: Iterable<NodeSummary>, localName: string): Steps<PeersReached> {
  let counted = 0;
  let [active, reachedOnce, reachable] = [0, 0, 0];
  const [neverReached, unreachable]: [string[], string[]] = [[], []];
  for (const { name, isActive, hasPaths, wasReached, isReachable } of nodes) {
    if (++counted % nodesPerStep === 0) yield;
    if (name === localName || !hasPaths || !isActive) continue;
    active++;
    if (wasReached) reachedOnce++;
    else if (neverReached.length < namedPeers) neverReached.push(name);
    if (isReachable) reachable++;
    else if (unreachable.length < namedPeers) unreachable.push(name);
  }
  return { active, reachedOnce, reachable, neverReached, unreachable };
}
