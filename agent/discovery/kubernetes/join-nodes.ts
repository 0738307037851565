import { assignUniqueAddresses } from '../assign-unique-addresses.js';
import type { Lifecycle, Node } from '../../model/node.js';
import type { ProjectedEndpoint } from './endpoint-projection.js';
import { lifecycleOf, type GracePeriods } from './lifecycle.js';
import type { ProjectedNode } from './node-projection.js';

export interface JoinOptions {
  readonly clusterName: string;
  readonly gracePeriods: GracePeriods;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** A whole node list, and when it will change by time alone (epoch milliseconds). */
export interface Joined {
  readonly nodes: readonly Node[];
  readonly until: number | undefined;
}

const claimOrder: readonly Lifecycle['phase'][] = ['active', 'joining', 'leaving', 'excluded'];

/**
 * Joins nodes and endpoints to a node list, sorted by name. An address belongs to one node: if two
 * have the same first one, the one further along in its lifecycle gets it, or the older one of equals. A lost node
 * may still be listed when a new one has its address, so an active node that is not ready comes
 * after those that join.
 */
export function joinNodes(
  nodes: Iterable<ProjectedNode>,
  endpoints: Iterable<ProjectedEndpoint>,
  { clusterName, gracePeriods, now }: JoinOptions,
): Joined {
  const addressesByNode = groupByNode(endpoints);
  // The server lists by name, so this sort has next to nothing to do; the next one is stable.
  const byName = [...nodes].sort((a, b) => byText(a.name, b.name));
  const entries = byName.map((node, index) => {
    const { lifecycle, until } = lifecycleOf(node, gracePeriods, now);
    return { node, index, lifecycle, until, rank: claimRank(node, lifecycle) };
  });
  const claims = [...entries].sort(
    (a, b) => a.rank - b.rank || a.node.createdAt - b.node.createdAt,
  );
  const claimed = assignUniqueAddresses(
    claims.map(({ node, lifecycle }) => ({
      name: `${clusterName}/${node.name}`,
      host: node.addresses,
      endpoint: addressesByNode.get(node.name) ?? [],
      incarnation: node.uid,
      lifecycle,
      ...(node.notReady && {
        condition: { name: 'NotReady' as const, sinceAt: node.notReady.sinceAt },
      }),
      ...(node.zone !== undefined && { zone: node.zone }),
      ...(node.labels && { labels: node.labels }),
    })),
  );
  const joined = [...claimed];
  claims.forEach(({ index }, place) => {
    const node = claimed[place];
    if (node) joined[index] = node;
  });
  const until = entries.reduce(
    (least, entry) => Math.min(least, entry.until ?? Infinity),
    Infinity,
  );
  return { nodes: joined, until: until === Infinity ? undefined : until };
}

function claimRank({ notReady }: ProjectedNode, { phase }: Lifecycle): number {
  return phase === 'active' && notReady
    ? claimOrder.indexOf('joining') + 0.5
    : claimOrder.indexOf(phase);
}

/** Each address once: the pod of before may still be listed beside the one that has its address now. */
function groupByNode(endpoints: Iterable<ProjectedEndpoint>): Map<string, string[]> {
  const byNode = new Map<string, string[]>();
  for (const { node, addresses } of endpoints) {
    byNode.set(node, [...new Set([...(byNode.get(node) ?? []), ...addresses])]);
  }
  return byNode;
}

/** By code unit, whatever the locale. */
function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
