import type { NodeEntry } from './nodes.js';

/** How many observers tell of a node whether they reach it, and how many do not: a row has room for 64 nodes that are not well. */
export function observersOf({ reachable, unreachable, of }: NodeEntry['seenBy']): {
  readonly reporting: number;
  readonly silent: number;
} {
  const reporting = Math.min(reachable + unreachable, of);
  return { reporting, silent: of - reporting };
}

/** How many observers reach a node: `38 of 39`, `1 of 1 (683 not told)`. */
export function seenByText(seenBy: NodeEntry['seenBy']): string {
  const { reporting, silent } = observersOf(seenBy);
  return `${seenBy.reachable} of ${reporting}${silent > 0 ? ` (${silent} not told)` : ''}`;
}
