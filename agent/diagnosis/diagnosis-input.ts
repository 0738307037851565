import type { Row } from '../model/row.js';
import type { ClusterIndex } from './cluster-index.js';
import type { Finding } from './finding.js';

/** A node as the diagnosis needs it. Only active nodes are expected to answer. */
export interface DiagnosisNode {
  readonly name: string;
  readonly zone: string | undefined;
  readonly phase: 'active' | 'joining' | 'leaving' | 'excluded';
  /** The first address of a plane is its primary one. Rows tell of that one only. */
  readonly host: readonly string[];
  readonly endpoint: readonly string[];
}

/** The last row of an observer, and how old it is. */
export interface ObservedRow {
  readonly row: Row;
  /**
   * Milliseconds since the observer last confirmed that this is its row; 0 for the agent's own.
   */
  readonly ageMs: number;
  /** Milliseconds since the row was written. The ages in the row count from then. */
  readonly bodyAgeMs: number;
  /** A stale row is ignored. */
  readonly freshness: 'fresh' | 'stale';
}

/** Everything that the findings are computed from. */
export interface DiagnosisInput {
  /** The nodes. The same index serves until the node list changes. */
  readonly index: ClusterIndex;
  /**
   * One row for each observer, including this agent. The rows are read once and not kept, so they
   * may be made on demand.
   */
  readonly rows: Iterable<ObservedRow>;
  /**
   * Observers that never sent a row, and for how many milliseconds they could have: since the node
   * was listed or this agent started, whichever is later. Empty if the mesh is off.
   */
  readonly silentMs: Iterable<readonly [name: string, ms: number]>;
  readonly localName: string;
  /** How many milliseconds ago a peer was last heard, by its own GET or by a row. */
  readonly heardMsAgo: { readonly get: (name: string) => number | undefined };
  readonly probePort: number;
  /** The namespace of the agents in Kubernetes; undefined elsewhere. */
  readonly namespace: string | undefined;
  /** Epoch milliseconds. */
  readonly now: number;
  /** The result of the previous run; undefined in the first run. */
  readonly previous: DiagnosisOutput | undefined;
}

/** What is remembered of a finding between two runs, and for some minutes after it closes. */
export interface FindingMemory {
  /** When its pattern appeared, epoch milliseconds; undefined while it is not seen. */
  readonly seenAt: number | undefined;
  /** When its pattern was last seen, epoch milliseconds. */
  readonly lastSeenAt: number;
  /** The `since` of the first of its openings, epoch milliseconds. */
  readonly sinceAt: number;
  /** When it opened, each time, oldest first, epoch milliseconds. */
  readonly openedAt: readonly number[];
  /** The finding as it was last shown; undefined while it is closed. */
  readonly finding: Finding | undefined;
  /** The finding when it was last seen open, and when that was; undefined if it never opened. */
  readonly lastOpen: LastOpen | undefined;
}

/** A finding when it was last seen open. */
export interface LastOpen {
  readonly finding: Finding;
  /** Epoch milliseconds. */
  readonly seenAt: number;
  /** The most paths that it explained since it opened. */
  readonly mostExplained: number;
}

export interface DiagnosisOutput {
  /** Worst first, at most 64. */
  readonly findings: readonly Finding[];
  /** Failing paths that no finding explains. */
  readonly unexplained: number;
  /**
   * After this many milliseconds another finding may open without a change; undefined if none
   * waits.
   */
  readonly opensInMs: number | undefined;
  /** The memory for the next run, by the id of the finding. */
  readonly memory: ReadonlyMap<string, FindingMemory>;
}
