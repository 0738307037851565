import type { Plane } from '../../model/path.js';
import type { ObservedRow } from '../../model/row.js';
import type { Protocol } from '../../model/sample.js';
import type { ClusterIndex } from './cluster-index.js';
import type { DiagnosisTarget } from './diagnosis-target.js';
import type { Finding } from './finding.js';
import type { SeenChange } from '../../model/row-host.js';
import type { FindingMemory, LivesSince, PastCause, Shadows, StrayReports } from './memory.js';

export type { ObservedRow };

/** Everything that the findings are computed from. */
export interface DiagnosisInput {
  /** The nodes. The same index serves until the node list changes. */
  readonly index: ClusterIndex;
  /** One row for each observer, including this agent. They are read once and not kept, so they may be made on demand. */
  readonly rows: Iterable<ObservedRow>;
  /**
   * Observers that never sent a row, and for how many milliseconds they could have: since the node
   * was listed or this agent started, whichever is later. Empty if the mesh is off.
   */
  readonly silentMs: Iterable<readonly [name: string, ms: number]>;
  /** For how many milliseconds a peer has answered without a row; undefined where it does not, or its last answer had one. */
  readonly plainForMs?: { readonly get: (name: string) => number | undefined };
  readonly localName: string;
  /** How many milliseconds ago a peer was last heard, by its own GET or by a row. */
  readonly heardMsAgo: { readonly get: (name: string) => number | undefined };
  /** What this agent itself saw change of a node, the newest first; left out: nothing. */
  readonly changesOf?: (node: string) => readonly SeenChange[];
  /** An address of a node on a plane, other than the first, that answers this agent by a protocol; left out: none does. */
  readonly answersAt?: (node: string, plane: Plane, protocol: Protocol) => string | undefined;
  readonly probePort: number;
  /** The namespace of the agents in Kubernetes; undefined elsewhere. */
  readonly namespace: string | undefined;
  /** The targets that this agent probes. Rows may tell of others. */
  readonly targets: readonly DiagnosisTarget[];
  /** Monotonic milliseconds. All rules run on them. */
  readonly now: number;
  /** What is added to monotonic milliseconds for epoch milliseconds. Only times for people need it. */
  readonly wallOffsetMs: number;
  /** Since this agent started, in milliseconds. */
  readonly uptimeMs: number;
  readonly previous: DiagnosisOutput | undefined;
}

/** A plane of a node of which nothing is known. */
export interface NotKnownPlane {
  readonly node: string;
  readonly plane: Plane;
}

export interface DiagnosisOutput {
  /** Worst first, at most 64. */
  readonly findings: readonly Finding[];
  /** Failing paths that no finding explains. */
  readonly unexplained: number;
  /** Targets that fail somewhere, where no finding explains it. */
  readonly unexplainedTargets: number;
  /** The planes of active nodes of which nobody knows whether they work, at most 64. */
  readonly notKnown: readonly NotKnownPlane[];
  /**
   * The nodes to or from which large packets are lost, at most 64: whoever tests its paths to them learns how far
   * it goes. With the time when the last of these losses was judged, in monotonic milliseconds.
   */
  readonly suspected: readonly { readonly node: string; readonly lostMs: number }[];
  /** After this many milliseconds another finding may open without a change; undefined if none waits. */
  readonly opensInMs: number | undefined;
  /** Newer rows would decide something: a finding waits to open, or is changing. */
  readonly wantsRows: boolean;
  /** The nodes whose next rows would decide whether a pair is repaired. */
  readonly outdated: readonly string[];
  /** The memory for the next run, by the id of the finding. */
  readonly memory: ReadonlyMap<string, FindingMemory>;
  /** The failing looks at targets that faults of paths explained, or a row that did not come, for the next run. */
  readonly shadows: Shadows;
  /** The causes of broken paths that were shown, and their ends, for the next run. */
  readonly past: readonly PastCause[];
  /** Since when nodes that are not reached are heard, for the next run. */
  readonly livesSince: ReadonlyMap<string, LivesSince>;
  /** How often paths failed without a finding, for the next run. */
  readonly stray: StrayReports;
}

/** A monotonic time in RFC 3339. */
export function isoTime(
  { wallOffsetMs }: Pick<DiagnosisInput, 'wallOffsetMs'>,
  ms: number,
): string {
  return new Date(ms + wallOffsetMs).toISOString();
}
