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
