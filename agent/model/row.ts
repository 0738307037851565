import type { FailureKind } from './failure.js';
import type { Plane } from './path.js';
import type { Protocol } from './sample.js';

/** Why a path stands in a row: it fails, it loses probes, its RTT has risen, or nothing is known of it yet. */
export type RowPathState = 'unreachable' | 'lossy' | 'slow' | 'unknown';

/** One path that an observer does not see as well: the primary address of a node on a plane. */
export interface RowPath {
  readonly node: string;
  readonly plane: Plane;
  readonly protocol: Protocol;
  readonly state: RowPathState;
  /** For how long it has been in that state, in seconds. */
  readonly ageSeconds: number;
  /** Absent where it does not fail. */
  readonly failure?: FailureKind;
}

/** How many of an observer's primary paths to active nodes are in each state. */
export interface RowCounts {
  readonly reachable: number;
  readonly unreachable: number;
  readonly unknown: number;
  /** Of the reachable ones. */
  readonly degraded: number;
}

/** The RTTs that an observer sees to one zone, in nanoseconds, over the paths that answer. */
export interface RowZone {
  readonly zone: string;
  readonly plane: Plane;
  readonly protocol: Protocol;
  readonly paths: number;
  readonly p50Ns: number;
  readonly p99Ns: number;
}

/** How an observer is itself: what makes its view doubtful. */
export interface RowHealth {
  readonly ready: boolean;
  /** The process was kept from running. */
  readonly starved: boolean;
  /** Its host could not send probes of that protocol. */
  readonly notSending: readonly Protocol[];
}

/** What one agent sees of all its peers, in short and bounded. The matrix and the findings are made of rows. */
export interface Row {
  readonly observer: string;
  readonly version: string;
  /** The time between two probes of a path, and its timeout: how long a row stays fresh follows from the HTTP ones. */
  readonly httpIntervalMs: number;
  readonly httpTimeoutMs: number;
  readonly health: RowHealth;
  readonly counts: Readonly<Record<Plane, Readonly<Record<Protocol, RowCounts>>>>;
  /**
   * The paths that are not well, at most 64 nodes of them. Where there are more, the nodes whose names have the
   * lowest hash, the same on every agent: so whatever is told of a node is told whole.
   */
  readonly paths: readonly RowPath[];
  /** Nodes that are not well and were left out; every left-out node's name has a higher hash than every told one's. */
  readonly omittedNodes: number;
  readonly zones: readonly RowZone[];
  /** Of the nodes in `paths`, those whose own GETs still reach this observer: they live. */
  readonly heard?: readonly string[];
}
