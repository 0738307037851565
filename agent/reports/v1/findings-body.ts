import type { Findings } from '../../../api/schema/v1/findings.js';
import { knownText } from '../../model/node.js';
import type { ClusterState } from './cluster-state.js';

/** The body of `GET /v1/findings`. A finding about a node has what the cluster itself says of it. */
export function findingsBody(state: ClusterState): Findings {
  const { at, nodes, observers, findings, unexplained } = state;
  const conditions = new Map(nodes.map(({ name, condition }) => [name, condition]));
  return {
    at: new Date(at).toISOString(),
    observers,
    findings: findings.map((finding) => {
      const condition = conditions.get(finding.node ?? '');
      return condition ? { known: knownText(condition), ...finding } : finding;
    }),
    ...(unexplained > 0 && { unexplained }),
  };
}
