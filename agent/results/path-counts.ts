import { planes } from '../model/path.js';
import type { Row, RowCounts } from '../model/row.js';
import { protocols, type Protocol } from '../model/sample.js';
import type { NodeView, ProtocolView } from './snapshot.js';

type Counts = { -readonly [K in keyof RowCounts]: RowCounts[K] };

/** How many primary paths to active nodes are in each state, by plane and protocol; degraded is what is lossy or slow. */
export function countPaths(nodes: readonly NodeView[]): Row['counts'] {
  const none = (): Counts => ({ reachable: 0, unreachable: 0, unknown: 0, degraded: 0 });
  const ofPlane = (): Record<Protocol, Counts> => ({ icmp: none(), http: none() });
  const counts = { host: ofPlane(), endpoint: ofPlane() };
  for (const node of nodes) {
    if (node.lifecycle !== undefined && node.lifecycle.phase !== 'active') continue;
    for (const plane of planes) {
      const primary = node[plane][0];
      if (!primary) continue;
      for (const protocol of protocols) add(counts[plane][protocol], primary[protocol]);
    }
  }
  return counts;
}

function add(counts: Counts, { state: { state }, summary }: ProtocolView): void {
  counts[state]++;
  if (state === 'reachable' && (summary.isLossy || summary.isSlow)) counts.degraded++;
}
