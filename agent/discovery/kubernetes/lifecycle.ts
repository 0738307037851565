import type { Lifecycle } from '../../model/node.js';
import { withoutAddress } from '../../model/without-address.js';
import type { ProjectedNode } from './node-projection.js';
import type { NotReady } from './ready-condition.js';

export interface GracePeriods {
  /** For this long after its creation a node may not have been ready yet. */
  readonly joinMs: number;
  /** For this long after its deletion a node may still be listed. */
  readonly leaveMs: number;
}

/** A lifecycle, and when it will change by time alone (epoch milliseconds). */
export interface LifecycleNow {
  readonly lifecycle: Lifecycle;
  readonly until: number | undefined;
}

/**
 * A Ready condition that changed last within this time after the node's creation is its first one.
 * A node takes longer to become ready and to be lost again.
 */
const firstConditionMs = 30_000;

/**
 * Where a node is in its life at a given time (epoch milliseconds). Only intentions exclude it:
 * someone deletes, cordons, deselects or taints it, or installs another operating system than Linux. Being not
 * ready is a symptom, so a node that has been ready stays active.
 */
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
  if (node.isForeign) return excluded('runs no Linux, so no agent');
  if (node.isCordoned) return excluded('cordoned');
  if (node.intentionTaint !== undefined) return excluded(`tainted ${node.intentionTaint}`);
  // A clock that is far off is no reason to wait for it.
  const mayJoin = Math.abs(now - createdAt) < gracePeriods.joinMs;
  const joining = (reason: string): LifecycleNow => ({
    lifecycle: { phase: 'joining', reason },
    until: createdAt + gracePeriods.joinMs,
  });
  if (node.addresses.length === 0) {
    return mayJoin ? joining('no address') : { lifecycle: withoutAddress, until: undefined };
  }
  const { notReady } = node;
  if (notReady && mayJoin && !hasBeenReady(node, notReady)) return joining(notReady.text);
  return { lifecycle: { phase: 'active' }, until: undefined };
}

function hasBeenReady({ createdAt }: ProjectedNode, { sinceAt }: NotReady): boolean {
  return sinceAt !== undefined && sinceAt - createdAt > firstConditionMs;
}

function excluded(reason: string): LifecycleNow {
  return { lifecycle: { phase: 'excluded', reason }, until: undefined };
}
