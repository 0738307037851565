import { claimAddresses } from '../claim-addresses.js';
import type { Lifecycle, Node } from '../node-list.js';
import type { ProjectedEndpoint } from './endpoint-projection.js';
import { lifecycleOf, type Graces } from './lifecycle.js';
import type { ProjectedNode } from './node-projection.js';

export interface JoinOptions {
  readonly clusterName: string;
  readonly graces: Graces;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** A whole node list, and when time alone will change it (epoch milliseconds). */
export interface Joined {
  readonly nodes: readonly Node[];
  readonly until: number | undefined;
}

const claimOrder: readonly Lifecycle['phase'][] = ['active', 'joining', 'leaving', 'excluded'];

/**
 * Makes a node list, sorted by name, of nodes and endpoints. An address belongs to one node: where
 * two claim it, the one further along in its life or, among equals, the earlier one has it.
 */
export function joinNodes(
  nodes: Iterable<ProjectedNode>,
  endpoints: Iterable<ProjectedEndpoint>,
  { clusterName, graces, now }: JoinOptions,
): Joined {
  const addressesByNode = groupByNode(endpoints);
  const claims = [...nodes]
    .map((node) => ({ node, ...lifecycleOf(node, graces, now) }))
    .sort((a, b) => {
      const byPhase = claimOrder.indexOf(a.lifecycle.phase) - claimOrder.indexOf(b.lifecycle.phase);
      return byPhase || a.node.createdAt - b.node.createdAt || byText(a.node.name, b.node.name);
    });
  const joined = claimAddresses(
    claims.map(({ node, lifecycle }) => ({
      name: `${clusterName}/${node.name}`,
      host: node.addresses,
      endpoint: addressesByNode.get(node.name) ?? [],
      incarnation: node.uid,
      lifecycle,
    })),
  );
  const changes = claims.flatMap(({ until }) => until ?? []);
  return {
    nodes: joined.sort((a, b) => byText(a.name, b.name)),
    until: changes.length === 0 ? undefined : changes.reduce((a, b) => Math.min(a, b)),
  };
}

function groupByNode(endpoints: Iterable<ProjectedEndpoint>): Map<string, string[]> {
  const byNode = new Map<string, string[]>();
  for (const { node, addresses } of endpoints) {
    const known = byNode.get(node);
    if (known) known.push(...addresses);
    else byNode.set(node, [...addresses]);
  }
  return byNode;
}

/** By code unit, whatever the locale. */
export function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
