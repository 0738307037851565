import type { Finding } from '../../../agent/diagnosis/nouns/finding.js';

/** An agent that runs: since when, and what it says now. */
export interface WatchedAgent {
  readonly startedMs: number;
  readonly findings: readonly Finding[];
}

/** A cluster whose agents are watched. Times are milliseconds from the start. */
export interface WatchedCluster {
  readonly nowMs: () => number;
  /** By the number of the node; undefined while no agent runs there. */
  readonly agents: readonly (WatchedAgent | undefined)[];
  /** Nodes of which each other one is like one, with whatever happens to it. Missing: none is like another. */
  readonly standsForAll?: readonly number[];
}
