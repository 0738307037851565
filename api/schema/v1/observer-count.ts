import type { Observers } from './fields.js';

/**
 * How many observers there are, and how many of them report. The agent that answers is an observer
 * too, as in `seenBy` of findings and nodes, but `observers` of a body counts only the others.
 */
export function countObservers({ fresh, stale, silent }: Observers): {
  readonly fresh: number;
  readonly all: number;
} {
  return { fresh: fresh + 1, all: fresh + stale + silent + 1 };
}
