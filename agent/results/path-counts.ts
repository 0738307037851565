import type { Degradation, Reachability } from '../model/path-state.js';
import { planes, type Plane } from '../model/path.js';
import { protocols, type Protocol } from '../model/sample.js';
import type { NodeView, PathCounts, PathCountsByPlane } from './snapshot.js';

type Counts = { -readonly [K in keyof PathCounts]: PathCounts[K] };

/** Counts paths one by one. */
export class PathCounter {
  readonly counts: Readonly<Record<Plane, Readonly<Record<Protocol, Counts>>>>;

  constructor() {
    const ofPlane = () => ({ icmp: noPaths(), http: noPaths() });
    this.counts = { host: ofPlane(), endpoint: ofPlane() };
  }

  add(
    plane: Plane,
    protocol: Protocol,
    state: Reachability,
    { isLossy, isSlow }: Pick<Degradation, 'isLossy' | 'isSlow'>,
  ): void {
    const counts = this.counts[plane][protocol];
    counts[state]++;
    if (state !== 'reachable' || (!isLossy && !isSlow)) return;
    counts.degraded++;
    if (isLossy) counts.lossy++;
    if (isSlow) counts.slow++;
  }
}

function noPaths(): Counts {
  return { reachable: 0, unreachable: 0, unknown: 0, degraded: 0, lossy: 0, slow: 0 };
}

/** How many primary paths to active nodes are in each state, by plane and protocol. */
export function countPaths(nodes: readonly NodeView[]): PathCountsByPlane {
  const counter = new PathCounter();
  for (const node of nodes) {
    if (node.lifecycle !== undefined && node.lifecycle.phase !== 'active') continue;
    for (const plane of planes) {
      const primary = node[plane][0];
      if (!primary) continue;
      for (const protocol of protocols) {
        const { state, summary } = primary[protocol];
        counter.add(plane, protocol, state.state, summary);
      }
    }
  }
  return counter.counts;
}
