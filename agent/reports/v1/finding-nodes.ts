import type { Finding } from '../../diagnosis/nouns/finding.js';
import type { Node, NodeCondition } from '../../model/node.js';
import { isActive, type ClusterOverview } from './cluster-state.js';

/** The nodes that a finding is about: its own, those of its group, or all that one of many stands for. */
export function nodesOf(
  finding: Finding,
  standsFor: ClusterOverview['standsFor'],
): readonly string[] {
  if (finding.node !== undefined) return [finding.node];
  return standsFor(finding).flatMap(({ type, names, nodes = [] }) =>
    type === 'node' ? names : nodes,
  );
}

/**
 * Whether a cut between zones is told by which a node is not reached. With hundreds of nodes behind it rows have room for few of
 * them by name, so what rows say of the others is not that they are reached.
 */
export function isBehindCut(
  node: Pick<Node, 'zone' | 'host' | 'endpoint'>,
  findings: readonly Finding[],
): boolean {
  const { zone = '' } = node;
  return findings.some(({ kind, zones: [a, b] = [], plane, direction }) => {
    if (kind !== 'zones' || (plane && node[plane].length === 0)) return false;
    // The first of two is the one whose probes fail.
    if (b !== undefined) return zone === b || (zone === a && direction === 'both');
    return zone === a && direction !== 'outbound';
  });
}

/**
 * Tells what Kubernetes says of all nodes that a finding is about, since the last of them; undefined
 * if it says nothing of one, or the finding is not about nodes.
 */
export function findingConditions({
  nodes,
  standsFor,
}: ClusterOverview): (finding: Finding) => NodeCondition | undefined {
  const conditions = new Map<string, NodeCondition>();
  for (const node of nodes) {
    if (node.condition && isActive(node)) conditions.set(node.name, node.condition);
  }
  return (finding) => {
    let latest: NodeCondition | undefined;
    for (const name of nodesOf(finding, standsFor)) {
      const condition = conditions.get(name);
      if (!condition) return undefined;
      const { sinceAt = Infinity } = condition;
      if (!latest || sinceAt > (latest.sinceAt ?? Infinity)) latest = condition;
    }
    return latest;
  };
}
