import type { Lifecycle, Node } from '../model/node.js';

/** How many nodes are in each phase of their lifecycle. */
export function countPhases(nodes: readonly Node[]): Record<Lifecycle['phase'], number> {
  const counts = { active: 0, joining: 0, leaving: 0, excluded: 0 };
  for (const { lifecycle } of nodes) counts[lifecycle?.phase ?? 'active']++;
  return counts;
}
