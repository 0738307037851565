import type { Findings } from '../../../api/schema/v1/findings.js';
import type { ClusterState } from './cluster-state.js';

/** The body of `GET /v1/findings`. */
export function findingsBody({ at, observers, findings, unexplained }: ClusterState): Findings {
  return {
    at: new Date(at).toISOString(),
    observers,
    findings: findings as unknown as Findings['findings'],
    ...(unexplained > 0 && { unexplained }),
  };
}
