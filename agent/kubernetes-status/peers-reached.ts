import { channels, type PerChannel } from '../model/channel.js';
import type { RowCounts } from '../model/row.js';

/** The reason with which a node gets the condition for the first time. */
export const peersReached = 'PeersReached';

/** What is known of the paths to a node, and of those from it. */
export interface Reach {
  /** Other observers with a fresh row, and how many of them reach the node at all first addresses that they probe. */
  readonly seenBy: { readonly reachable: number; readonly of: number };
  /** What the node's own agent counts, itself among its peers; undefined: it has no fresh row. */
  readonly counts: PerChannel<RowCounts> | undefined;
  readonly hasEndpoint: boolean;
  /** Nodes have an endpoint each, by which the pod network is probed. */
  readonly wantsEndpoint: boolean;
  readonly activeNodes: number;
}

/**
 * Whether a node is well enough to say so for the first time: at least half of the others reach it on both
 * planes, and it half of them on each channel. Of two nodes it is all.
 */
export function isReachedByHalf(reach: Reach): boolean {
  const { seenBy, counts, hasEndpoint, wantsEndpoint, activeNodes } = reach;
  if (!counts || (wantsEndpoint && !hasEndpoint)) return false;
  const isEnough = (some: number, all: number): boolean =>
    all > 0 && (activeNodes < 3 ? some === all : 2 * some >= all);
  if (!isEnough(seenBy.reachable, seenBy.of)) return false;
  return channels.every(({ plane, protocol }) => {
    if (plane === 'endpoint' && !wantsEndpoint) return true;
    const { reachable, unreachable, unknown } = counts[plane][protocol];
    // Its own addresses say nothing of the network.
    return isEnough(reachable - 1, reachable + unreachable + unknown - 1);
  });
}
