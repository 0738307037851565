import type { Row } from '../model/row.js';
import type { Finding } from './finding.js';

/** A node as the diagnosis needs it. Only active nodes are expected to answer. */
export interface DiagnosisNode {
  readonly name: string;
  readonly zone: string | undefined;
  readonly phase: 'active' | 'joining' | 'leaving' | 'excluded';
  /** The first address of a plane is its primary one: the one that rows tell of. */
  readonly host: readonly string[];
  readonly endpoint: readonly string[];
}

/** The last row of an observer, and how old it is. */
export interface ObservedRow {
  readonly row: Row;
  /** Since the observer last said that this is its row, in milliseconds. 0 for the agent's own. */
  readonly ageMs: number;
  /** Since the row was written, in milliseconds: the ages in it count from then. */
  readonly bodyAgeMs: number;
  /** A stale row counts for nothing. */
  readonly freshness: 'fresh' | 'stale';
}

/** All that the findings are made of. */
export interface DiagnosisInput {
  readonly nodes: readonly DiagnosisNode[];
  /**
   * One row an observer, the agent's own among them. They are read once, one after the other, and
   * none is kept: they may be made as they are asked for.
   */
  readonly rows: Iterable<ObservedRow>;
  /**
   * Observers that never sent a row, and for how long one could have come, in milliseconds: since the
   * node was listed or this agent started, whichever is later. Empty where the mesh is off.
   */
  readonly silentMs: ReadonlyMap<string, number>;
  readonly localName: string;
  /** How long ago each peer was last heard (one of its own GETs, or a row), in milliseconds. */
  readonly heardMsAgo: ReadonlyMap<string, number>;
  readonly probePort: number;
  /** The namespace of the agents in Kubernetes; undefined elsewhere. */
  readonly namespace: string | undefined;
  /** Epoch milliseconds. */
  readonly now: number;
  /** What came out last time; undefined the first time. */
  readonly previous: DiagnosisOutput | undefined;
}

/** What is remembered of a finding between two runs, also for some minutes after it has closed. */
export interface FindingMemory {
  /** When its pattern was first seen, epoch milliseconds; undefined while it is not seen. */
  readonly seenAt: number | undefined;
  /** When its pattern was last seen, epoch milliseconds. */
  readonly lastSeenAt: number;
  /** The `since` of the first of its openings, epoch milliseconds. */
  readonly sinceAt: number;
  /** When it opened, the newest last, epoch milliseconds. */
  readonly openedAt: readonly number[];
  /** What was last told of it; undefined while it is closed. */
  readonly finding: Finding | undefined;
}

export interface DiagnosisOutput {
  /** Worst first, at most 64. */
  readonly findings: readonly Finding[];
  /** Failing paths that no finding explains. */
  readonly unexplained: number;
  /** After so many milliseconds one more may open though nothing changes; undefined where none waits. */
  readonly opensInMs: number | undefined;
  /** By the id of the finding, for the next run. */
  readonly memory: ReadonlyMap<string, FindingMemory>;
}
