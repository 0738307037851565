import type { AddressFamily } from './address.js';
import type { PerChannel } from './channel.js';
import type { FailureKind } from './failure.js';
import type { Plane } from './path.js';
import type { RowRefutation } from './refutation.js';
import type { RowChange, RowSign } from './row-host.js';
import type { RowLarge } from './row-large.js';
import type { RowReceiver } from './row-notices.js';
import type { Protocol } from './sample.js';
import type { RowTarget } from './target.js';

/** Why a path stands in a row: it fails, it loses probes, its RTT has risen, or nothing is known of it yet. */
export const rowPathStates = ['unreachable', 'lossy', 'slow', 'unknown'] as const;
export type RowPathState = (typeof rowPathStates)[number];

/** A row that is sent names at most so many nodes, and so many zones. */
export const maxRowNodes = 64;
export const maxRowZones = 16;

/** An agent looks at most this often whether its row has changed, and only if someone asks for it or it told a hint. */
export const rowRewriteMs = 1000;

/** Flows that never pass a path while others do, as its observer counted them. */
export interface RowFlows {
  /** How many flows it tried, each of another source port. */
  readonly tried: number;
  /** How many of them failed each time. */
  readonly failing: number;
  /** How many others failed once or twice. */
  readonly sometimes: number;
}

/** A test tries at most so many flows. */
export const maxRowFlows = 64;

/** More lost probes of a path than this tell nothing more: one disturbance may take several. */
export const mostTellingLost = 12;

/** One path that an observer does not see as well: the primary address of a node on a plane. */
export interface RowPath {
  readonly node: string;
  readonly plane: Plane;
  readonly protocol: Protocol;
  readonly state: RowPathState;
  /** Seconds since it entered that state. */
  readonly ageSeconds: number;
  /** Absent where it does not fail. */
  readonly failure?: FailureKind;
  /** Only of a path that is lossy by HTTP, where some flows never pass and the others do. */
  readonly flows?: RowFlows;
  /** Only of a lossy path: how many of its probes were lost in ten minutes while it was not dead. Absent in rows of older agents. */
  readonly lost?: number;
  /**
   * Only of a failing path: on which other channels, as a mask of their numbers, the node has answered a probe that was sent since
   * this one began to fail. Absent where there are none, and in rows of older agents.
   */
  readonly answeredSince?: number;
  /**
   * Only of a failing path by HTTP to a node IP: how long ago the node's own GET came last. Absent where none ever came, and in
   * rows of older agents.
   */
  readonly unheardSeconds?: number;
}

/** How many of an observer's primary paths to active nodes are in each state. */
export interface RowCounts {
  readonly reachable: number;
  readonly unreachable: number;
  readonly unknown: number;
  /** Of the reachable ones. */
  readonly degraded: number;
}

/**
 * How many of an observer's paths to secondary addresses of active nodes are in each state, on one channel. Only addresses of
 * another family than the primary one of their node and plane are counted.
 */
export interface RowFamily {
  readonly family: AddressFamily;
  readonly plane: Plane;
  readonly protocol: Protocol;
  readonly reachable: number;
  readonly unreachable: number;
  readonly unknown: number;
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

/** How an observer goes round the paths of a channel. */
export interface RowSweep {
  readonly plane: Plane;
  readonly protocol: Protocol;
  /** The time between two steady probes of a path. */
  readonly intervalMs: number;
  /** When the row was written, each path that works had been answered within so many seconds; absent where none works. */
  readonly sweptSeconds?: number;
  /** By then no path had been answered for so many seconds; absent where none ever was, and in rows of older agents. */
  readonly unansweredSeconds?: number;
}

/** The health of an observer: it shows whether its view is doubtful. */
export interface RowHealth {
  readonly ready: boolean;
  /** The process did not get the processor. */
  readonly starved: boolean;
  /** Its host could not send probes of that protocol. */
  readonly notSending: readonly Protocol[];
}

/** Which nodes an observer's list has, in short: see `listOf`. */
export interface RowList {
  /** How many active nodes it has. */
  readonly nodes: number;
  /** One 32-bit digest for each group of nodes. */
  readonly digests: readonly number[];
}

/** What one agent sees of all its peers, in short and bounded. The matrix and the findings are made of rows. */
export interface Row {
  readonly observer: string;
  readonly version: string;
  /**
   * The time between two probes of a path, and the timeout of a probe. The HTTP ones say how long a
   * row stays fresh.
   */
  readonly httpIntervalMs: number;
  readonly httpTimeoutMs: number;
  readonly health: RowHealth;
  /** The active nodes that the observer knows. Older agents do not tell. */
  readonly list?: RowList | undefined;
  readonly counts: PerChannel<RowCounts>;
  /**
   * The paths that are not well, of at most 64 nodes. If there are more nodes, those whose names
   * have the lowest hash are chosen. All agents choose the same nodes, so each named node is told
   * about by all of them.
   */
  readonly paths: readonly RowPath[];
  /**
   * Of the nodes in `paths`, those that are named whatever their hash is, as few nodes of their zone are not well, or as they do
   * not answer where others lose packets. Absent where there are none. Older agents name none.
   */
  readonly namedByZone?: readonly string[] | undefined;
  /** How many nodes that are not well were left out. The name of each has a higher hash than all others in `paths`. */
  readonly omittedNodes: number;
  readonly zones: readonly RowZone[];
  /** Of the nodes in `paths`, those whose own GETs still reach this observer: they live. */
  readonly heard?: readonly string[] | undefined;
  /** One for each channel that is probed. Older agents do not tell. */
  readonly sweeps?: readonly RowSweep[] | undefined;
  /** Absent where the observer would not refute now that its node is dead. Older agents never do. */
  readonly refutation?: RowRefutation | undefined;
  /** Absent where no node has addresses of two families. Older agents do not tell. */
  readonly families?: readonly RowFamily[] | undefined;
  /** The targets that the observer probes, each plane for itself. Absent where there are none. */
  readonly targets?: readonly RowTarget[] | undefined;
  /** Absent where large packets are lost nowhere, as far as the observer knows. */
  readonly large?: RowLarge | undefined;
  /** The signs of the observer's host. Absent where there are none. Older agents do not tell. */
  readonly signs?: readonly RowSign[] | undefined;
  /** What receivers of notices were told. Absent where the observer tells nobody. Older agents do not tell. */
  readonly notices?: readonly RowReceiver[] | undefined;
  /** What changed last on the observer's host, the newest first. Older agents do not tell. */
  readonly changes?: readonly RowChange[] | undefined;
}

/** The last row of an observer, and how old it is. */
export interface ObservedRow {
  readonly row: Row;
  /** Milliseconds since the observer last confirmed that this is its row; 0 for the agent's own. */
  readonly ageMs: number;
  /** Milliseconds since the row was written. The ages in the row count from then. */
  readonly bodyAgeMs: number;
  /** A stale row is shown with its age and counts for nothing. */
  readonly freshness: 'fresh' | 'stale';
  /** Nothing that the row says of targets is a trouble. Left out, it may be one. */
  readonly areTargetsWell?: boolean;
  /** The row tells something of its observer's host. Left out, it may. */
  readonly tellsOfHost?: boolean;
}

/** What one observer says of every node by one plane and protocol: one byte each, in the order of `nodes`. */
export interface WholeRow {
  readonly nodes: readonly string[];
  readonly states: Uint8Array;
  readonly rtts: Uint8Array;
  /** 1 where the RTT is of few round trips, else 0. */
  readonly few: Uint8Array;
}

/** The last whole row of an observer. */
export interface ObservedWholeRow extends WholeRow {
  /** Since it came, in milliseconds. */
  readonly ageMs: number;
}

/** How long a row of an observer that probes in this way stays fresh, in milliseconds. */
export function freshForMs({
  httpIntervalMs,
  httpTimeoutMs,
}: Pick<Row, 'httpIntervalMs' | 'httpTimeoutMs'>): number {
  return 2 * httpIntervalMs + httpTimeoutMs;
}

/** A GET may come later than its turn by this much. */
const lateGetMs = 1000;

/** For how long a node's own GET says that it lives: until the next one is overdue, in milliseconds. */
export function livesForMs({
  httpIntervalMs,
  httpTimeoutMs,
}: Pick<Row, 'httpIntervalMs' | 'httpTimeoutMs'>): number {
  return httpIntervalMs + httpTimeoutMs + lateGetMs;
}
