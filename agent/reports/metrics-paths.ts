import type { Plane } from '../model/path.js';
import type { Protocol } from '../model/sample.js';
import type { ResultStore } from '../results/result-store.js';
import type { metricLabelValues } from './metric-families.js';
import { maxNamedPaths, type MetricsView } from './metrics-view.js';

type Counts = Record<(typeof metricLabelValues.state)[number], number>;

/** The primary paths to active nodes, as a scrape tells of them. */
export interface PathStateCounts {
  readonly counts: Readonly<Record<Plane, Readonly<Record<Protocol, Readonly<Counts>>>>>;
  /** Those that are unreachable for longest. */
  readonly unreachable: MetricsView['unreachablePaths'];
  /** How many more are unreachable. */
  readonly unnamed: number;
}

interface UnreachablePath {
  readonly node: string;
  readonly plane: Plane;
  readonly protocol: Protocol;
  readonly sinceAt: number;
}

/** Counts all primary paths in one pass. */
export function countPathStates(store: Pick<ResultStore, 'visitPrimaryPaths'>): PathStateCounts {
  const none = (): Counts => ({ reachable: 0, unreachable: 0, unknown: 0, degraded: 0 });
  const ofPlane = () => ({ icmp: none(), http: none() });
  const counts = { host: ofPlane(), endpoint: ofPlane() };
  /** In the order of `sinceAt`, never more than are named. */
  const longest: UnreachablePath[] = [];
  let unreachable = 0;
  store.visitPrimaryPaths(({ node, plane }, protocol, { state, sinceAt }, degradation) => {
    const ofPath = counts[plane][protocol];
    ofPath[state]++;
    if (degradation.isLossy || degradation.isSlow) ofPath.degraded++;
    if (state !== 'unreachable') return;
    unreachable++;
    insert(longest, { node, plane, protocol, sinceAt });
  });
  return {
    counts,
    unreachable: longest.map(({ node, plane, protocol }) => ({ node, plane, protocol })),
    unnamed: unreachable - longest.length,
  };
}

/** In the worst outage thousands are offered, and nearly all of them at its end. */
function insert(longest: UnreachablePath[], path: UnreachablePath): void {
  const last = longest.at(-1);
  if (longest.length === maxNamedPaths && last && last.sinceAt <= path.sinceAt) return;
  let at = longest.length;
  while (at > 0 && (longest[at - 1]?.sinceAt ?? 0) > path.sinceAt) at--;
  longest.splice(at, 0, path);
  if (longest.length > maxNamedPaths) longest.pop();
}
