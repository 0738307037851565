import { listOf, mappingOf, textOf, timeOf } from '../object-fields.js';

/** The condition that agents write onto nodes, where they are told to. */
export const networkConditionType = 'MeshprobeNetworkHealthy';

/** The condition as a Node has it now. */
export interface NetworkCondition {
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason: string;
  /** When its status changed last, epoch milliseconds; undefined if Kubernetes does not say. */
  readonly sinceAt: number | undefined;
}

const longestReason = 128;

/** The condition in a Node's `status.conditions`; undefined where no agent has written it. */
export function networkConditionOf(conditions: unknown): NetworkCondition | undefined {
  const found = listOf(conditions)
    .map(mappingOf)
    .find(({ type }) => type === networkConditionType);
  if (!found) return undefined;
  const status = found['status'];
  return {
    status: status === 'True' || status === 'False' ? status : 'Unknown',
    reason: textOf(found['reason']).slice(0, longestReason),
    sinceAt: timeOf(found['lastTransitionTime']),
  };
}
