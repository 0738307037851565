import type { Findings } from '../../../api/schema/v1/findings.js';
import { knownText } from '../../model/node.js';
import type { ClusterState } from './cluster-state.js';
import { findingDocs } from './finding-docs.js';
import { findingConditions } from './finding-nodes.js';

/** So many of the worst findings are in the body: each has hundreds of bytes. */
export const mostFindings = 64;

/**
 * The body of `GET /v1/findings`. Each finding has the address of its documentation, and one about
 * nodes what the cluster itself says of all of them.
 * @param most so many of the worst are in it
 */
export function findingsBody(state: ClusterState, most = mostFindings): Findings {
  const { at, observers, findings, unexplained, unexplainedTargets } = state;
  const conditionOf = findingConditions(state);
  return {
    at: new Date(at).toISOString(),
    observers,
    findings: findings.slice(0, most).map((finding) => {
      const condition = conditionOf(finding);
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
