import type { Lifecycle } from '../model/node.js';
import type { Plan } from '../model/plan.js';
import type { Plane } from '../model/path.js';
import type { RowCounts } from '../model/row.js';
import type { Protocol } from '../model/sample.js';
import type { ProbeTotalsByPlane } from './probe-counters.js';
import type { SeriesSummary } from './probe-history.js';
import type { PathState } from '../model/path-state.js';

/** One path by one protocol in a snapshot. */
export interface ProtocolView {
  readonly state: PathState;
  readonly summary: SeriesSummary;
}

/** One path in a snapshot. */
export type PathView = { readonly ip: string } & { readonly [P in Protocol]: ProtocolView };

/** One node in a snapshot. It is the same object as in the last snapshot if nothing changed. */
export interface NodeView {
  readonly name: string;
  /** Undefined: active. */
  readonly lifecycle: Lifecycle | undefined;
  readonly host: readonly PathView[];
  readonly endpoint: readonly PathView[];
}

/** How many paths are in each state. A reachable one may be lossy, slow or both: degraded. */
export interface PathCounts extends RowCounts {
  readonly lossy: number;
  readonly slow: number;
}

/** Counts of primary paths to active nodes. */
export type PathCountsByPlane = Readonly<Record<Plane, Readonly<Record<Protocol, PathCounts>>>>;

/**
 * Everything that is known at one moment. It never changes; a newer one has a higher generation.
 */
export interface Snapshot {
  readonly generation: number;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly nodes: readonly NodeView[];
  /** How each protocol that is probed at all is probed now. */
  readonly plan: Plan;
  /** How many primary paths to active nodes are in each state. */
  readonly counts: PathCountsByPlane;
  /** All probes since the agent started. */
  readonly probes: ProbeTotalsByPlane;
}
