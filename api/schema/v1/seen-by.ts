import type { NodeEntry } from './nodes.js';

/** How many observers tell of a node whether they reach it, and how many do not: a row has room for 64 nodes that are not well. */
export function toldOf({ reachable, unreachable, of }: NodeEntry['seenBy']): {
  readonly told: number;
  readonly untold: number;
} {
  const told = Math.min(reachable + unreachable, of);
  return { told, untold: of - told };
}

/** How many observers reach a node: `38 of 39`, `1 of 1 (683 not told)`. */
export function seenByText(seenBy: NodeEntry['seenBy']): string {
  const { told, untold } = toldOf(seenBy);
  return `${seenBy.reachable} of ${told}${untold > 0 ? ` (${untold} not told)` : ''}`;
}
