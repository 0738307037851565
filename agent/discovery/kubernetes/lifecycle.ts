import type { Lifecycle } from '../../model/node.js';
import type { ProjectedNode } from './node-projection.js';

export interface GracePeriods {
  /** For this long after its creation a node may be not ready. */
  readonly joinMs: number;
  /** For this long after its deletion a node may still be listed. */
  readonly leaveMs: number;
}

/** A lifecycle, and when it will change by time alone (epoch milliseconds). */
export interface LifecycleNow {
  readonly lifecycle: Lifecycle;
  readonly until: number | undefined;
}

/** Where a node is in its life at a given time (epoch milliseconds). */
export function lifecycleOf(
  node: ProjectedNode,
  gracePeriods: GracePeriods,
  now: number,
): LifecycleNow {
  const { deletedAt, createdAt } = node;
  if (deletedAt !== undefined) {
    const until = deletedAt + gracePeriods.leaveMs;
    return now < until
      ? { lifecycle: { phase: 'leaving', reason: 'deleting' }, until }
      : excluded('deleting');
  }
  if (node.isDeselected) return excluded('matched by --exclude-selector');
  if (node.isCordoned) return excluded('cordoned');
  const missing = node.addresses.length === 0 ? 'no address' : node.notReady;
  if (missing === undefined) return { lifecycle: { phase: 'active' }, until: undefined };
  // A clock that is far off is no reason to wait for it.
  return Math.abs(now - createdAt) < gracePeriods.joinMs
    ? { lifecycle: { phase: 'joining', reason: missing }, until: createdAt + gracePeriods.joinMs }
    : excluded(missing);
}

function excluded(reason: string): LifecycleNow {
  return { lifecycle: { phase: 'excluded', reason }, until: undefined };
}
