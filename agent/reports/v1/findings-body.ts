import type { Findings } from '../../../api/schema/v1/findings.js';
import { knownText } from '../../model/node.js';
import type { ClusterState } from './cluster-state.js';
import { findingDocs } from './finding-docs.js';

/**
 * The body of `GET /v1/findings`. Each finding has the
 * address of its documentation, and one about a node what the cluster itself says of the node.
 */
export function findingsBody(state: ClusterState): Findings {
  const { at, nodes, observers, findings, unexplained, unexplainedTargets } = state;
  const conditions = new Map(nodes.map(({ name, condition }) => [name, condition]));
  return {
    at: new Date(at).toISOString(),
    observers,
    findings: findings.map((finding) => {
      const condition = conditions.get(finding.node ?? '');
      return {
        ...(condition && { known: knownText(condition) }),
        docs: findingDocs(finding.kind),
        ...finding,
      };
    }),
    ...(unexplained > 0 && { unexplained }),
    ...(unexplainedTargets > 0 && { unexplainedTargets }),
  };
}
