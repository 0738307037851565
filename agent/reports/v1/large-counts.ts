import type { LargeState } from '../../../api/schema/v1/nodes.js';
import type { Summary } from '../../../api/schema/v1/summary.js';
import type { Plane } from '../../model/path.js';
import { isActive, type ClusterState } from './cluster-state.js';

/** Whether large packets pass to a node on a plane; undefined: nobody tests it. */
export type LargeOf = (
  node: { readonly name: string; readonly addresses: Readonly<Record<Plane, readonly string[]>> },
  plane: Plane,
) => LargeState | undefined;

/** Counts the own primary paths to other active nodes that are reachable by HTTP: a dead path says nothing of sizes. */
export function largeCounts(
  { snapshot, localName }: Pick<ClusterState, 'snapshot' | 'localName'>,
  plane: Plane,
  largeOf: LargeOf,
): NonNullable<Summary['paths'][Plane]['large']> {
  const counts = { ok: 0, lost: 0, unknown: 0 };
  for (const view of snapshot.nodes) {
    const path = view[plane][0];
    if (view.name === localName || !isActive(view)) continue;
    if (path?.http.state.state !== 'reachable') continue;
    const addresses = { host: [], endpoint: [], [plane]: [path.ip] };
    counts[largeOf({ name: view.name, addresses }, plane)?.state ?? 'unknown']++;
  }
  return counts;
}
