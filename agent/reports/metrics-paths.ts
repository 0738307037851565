import type { Plane } from '../model/path.js';
import type { Protocol } from '../model/sample.js';
import { PathCounter } from '../results/path-counts.js';
import type { PathCountsByPlane } from '../results/snapshot.js';
import type { ResultStore } from '../results/result-store.js';
import { maxNamedPaths, type MetricsView } from './metrics-view.js';

/** The primary paths to active nodes, as a scrape tells of them. */
export interface PathStateCounts {
  readonly counts: PathCountsByPlane;
  /** Those that are unreachable for longest. */
  readonly unreachable: MetricsView['unreachablePaths'];
  /** How many more are unreachable. */
  readonly unnamed: number;
  /** How many of those to other nodes are unreachable. */
  readonly failing: number;
}

interface UnreachablePath {
  readonly node: string;
  readonly plane: Plane;
  readonly protocol: Protocol;
  readonly sinceMs: number;
}

/** Counts all primary paths in one pass. */
export function countPathStates(
  store: Pick<ResultStore, 'paths'>,
  localName: string,
): PathStateCounts {
  const counter = new PathCounter();
  /** In the order of `sinceMs`, never more than are named. */
  const longest: UnreachablePath[] = [];
  let [unreachable, failing] = [0, 0];
  store.paths.visitPrimaryPaths(({ node, plane }, protocol, { state, sinceMs }, degradation) => {
    counter.add(plane, protocol, state, degradation);
    if (state !== 'unreachable') return;
    unreachable++;
    if (node !== localName) failing++;
    insert(longest, { node, plane, protocol, sinceMs });
  });
  return {
    counts: counter.counts,
    unreachable: longest.map(({ node, plane, protocol }) => ({ node, plane, protocol })),
    unnamed: unreachable - longest.length,
    failing,
  };
}

/** In the worst outage thousands are offered, and nearly all of them at its end. */
function insert(longest: UnreachablePath[], path: UnreachablePath): void {
  const last = longest.at(-1);
  if (longest.length === maxNamedPaths && last && last.sinceMs <= path.sinceMs) return;
  let at = longest.length;
  while (at > 0 && (longest[at - 1]?.sinceMs ?? 0) > path.sinceMs) at--;
  longest.splice(at, 0, path);
  if (longest.length > maxNamedPaths) longest.pop();
}
