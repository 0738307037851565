import { planes, type Plane } from '../../schema/v1/channel.js';
import type { Summary } from '../../schema/v1/summary.js';

/**
 * The planes on which nodes have addresses. A cluster without health endpoints has the host plane
 * alone. While no path is counted yet, they are both.
 */
export function shownPlanes({ paths }: Pick<Summary, 'paths'>): readonly Plane[] {
  const shown = planes.filter((plane) =>
    [paths[plane].icmp, paths[plane].http].some(
      (counts) => counts && counts.reachable + counts.unreachable + counts.unknown > 0,
    ),
  );
  return shown.length > 0 ? shown : planes;
}
