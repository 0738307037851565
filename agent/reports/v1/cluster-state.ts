import type { Problem } from '../../../api/schema/daemon-health.js';
import type { Observers } from '../../../api/schema/v1/fields.js';
import type { NotProbed } from '../../../api/schema/v1/summary.js';
import type { Finding } from '../../diagnosis/nouns/finding.js';
import type { NotKnownPlane } from '../../diagnosis/nouns/diagnosis-input.js';
import type { NamedCause } from '../../diagnosis/nouns/named-cause.js';
import type { Node } from '../../model/node.js';
import type { Plane } from '../../model/path.js';
import type { RowChange } from '../../model/row-host.js';
import type { ObservedRow, ObservedWholeRow } from '../../model/row.js';
import type { Protocol } from '../../model/sample.js';
import type { Snapshot } from '../../results/snapshot.js';
import type { TargetView } from '../../targets/views.js';

/** The cluster in short. */
export interface ClusterOverview {
  readonly nodes: readonly Node[];
  readonly observers: Observers;
  /** The open findings, worst first. */
  readonly findings: readonly Finding[];
  /** What an open finding of many or of a group stands for; nothing for any other. */
  readonly standsFor: (finding: Finding) => readonly StandsFor[];
}

/** A node, a pair, zones or a group of which a finding of many tells. */
export type StandsFor = Pick<NamedCause, 'type' | 'names' | 'nodes'>;

/** All that the bodies of `/v1` are written from, at one instant. */
export interface ClusterState extends ClusterOverview {
  /** The labels that nodes are grouped by. */
  readonly groupBy: readonly string[];
  /** Epoch milliseconds. */
  readonly at: number;
  readonly localName: string;
  readonly clusterName: string;
  readonly probePort: number;
  readonly snapshot: Snapshot;
  /** The targets as this agent and the endpoint of its node see them, in the order of their definition. */
  readonly targets: readonly TargetView[];
  /** Observers of active nodes whose last row is stale. */
  readonly missedObservers: number;
  /** A certificate that ends within this time degrades its target. */
  readonly certificateWarningMs: number;
  /** Each listed address is meant to answer other nodes. A source that lists external ones may mean those for the outside alone. */
  readonly everyAddressIsMeant: boolean;
  /** One row an observer, the agent's own first. */
  readonly rows: Iterable<ObservedRow>;
  /** Failing pairs of fresh rows that no open finding explains. */
  readonly unexplained: number;
  /** Targets that fail somewhere in fresh rows where no open finding explains it. */
  readonly unexplainedTargets: number;
  /** The planes of active nodes of which nobody knows whether they work, at most 64. */
  readonly notKnown: readonly NotKnownPlane[];
  /** Every path was probed at least once since the agent started. */
  readonly isSwept: boolean;
  /** Whether this process goes on just now after it stood still; left out, it does not. */
  readonly isSettling?: boolean;
  /** A node list has come, though it may be empty. */
  readonly isListed: boolean;
  /** The protocols that this agent does not probe at all. */
  readonly notProbed: readonly NotProbed[];
  /** What this agent itself saw change of a node in the last hour, the newest first. */
  readonly changesOf: (node: string) => readonly RowChange[];
  /** What is wrong with this agent itself. */
  readonly problems: readonly Problem[];
  /** What the node source waits for, and why; undefined while it is well. */
  readonly nodeSourceProblem: string | undefined;
  /** An observer's whole row, if it was asked for and has come. */
  readonly wholeRow: (
    observer: string,
    plane: Plane,
    protocol: Protocol,
  ) => ObservedWholeRow | undefined;
}

/** Only an active node is expected to answer. */
export function isActive({
  lifecycle,
}: {
  readonly lifecycle?: Node['lifecycle'] | undefined;
}): boolean {
  return lifecycle === undefined || lifecycle.phase === 'active';
}
