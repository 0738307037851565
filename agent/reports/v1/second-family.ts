import { familyNames } from '../../model/address.js';
import { channels } from '../../model/channel.js';
import type { RowFamily } from '../../model/row.js';
import { FamiliesBuilder } from '../../peers/row/families.js';
import { isActive, type ClusterState } from './cluster-state.js';

type State = Pick<ClusterState, 'snapshot' | 'localName'>;

/** What this agent counts of the second addresses of other active nodes, where these are of another family than the first. */
export function familyCounts({ snapshot, localName }: State): readonly RowFamily[] {
  const counts = new FamiliesBuilder();
  for (const view of snapshot.nodes) {
    if (view.name === localName || !isActive(view)) continue;
    for (const { plane, protocol } of channels) {
      const [first, ...others] = view[plane];
      if (!first) continue;
      for (const path of others) {
        counts.add({ plane, ip: path.ip }, first.ip, protocol, path[protocol].state);
      }
    }
  }
  return counts.families();
}

/**
 * Says on which plane second addresses of another family do not answer this agent; undefined if all do. A finding tells of them
 * where most of them fail for most agents, so few that fail have nobody else.
 */
export function whySecondFamily(state: State): string | undefined {
  for (const { family, plane, protocol, reachable, unreachable } of familyCounts(state)) {
    if (unreachable === 0) continue;
    const fail = unreachable === 1 ? 'does not answer' : 'do not answer';
    return `${unreachable} of ${reachable + unreachable} second ${familyNames[family]} addresses on the ${plane} plane ${fail} by ${protocol.toUpperCase()}`;
  }
  return undefined;
}
