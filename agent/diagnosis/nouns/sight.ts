import type { FailureKind } from '../../model/failure.js';
import type { RowLargeLoss } from '../../model/row-large.js';
import type { RowFlows } from '../../model/row.js';
import type { Cause, Ways } from './cause.js';
import type { DiagnosisInput } from './diagnosis-input.js';
import type { DiagnosisNode } from './diagnosis-node.js';
import type { FindingEvidence } from './finding.js';

/** How many see something, and how many look. */
export interface Seen {
  readonly failing: number;
  readonly of: number;
}

/** The observers that see a cause, and those that look where it is. */
export interface SeenBy extends Seen {
  /** How many report its paths, whenever they probed them. `of` is those who have probed them since it began. */
  readonly reporting: number;
}

/** For each channel of the paths in one direction: how many have the trouble, and how many do not. */
export interface Side {
  readonly bad: ArrayLike<number>;
  /** Paths that are known to be well, by how much that contradicts that they fail. */
  readonly well: ArrayLike<number>;
  /** The same, if the trouble began as late as it may have: it contradicts for sure. Absent: as `well`. */
  readonly sure?: ArrayLike<number>;
  /** How many of them were probed since the trouble began. */
  readonly probed: ArrayLike<number>;
  /** All paths that rows report, however old these are. */
  readonly reported: ArrayLike<number>;
}

/** Which way the lost packets went, and whether both ends say so. */
export interface PacketWays {
  /** Relative to the subject: `in` is to the node or the one zone, or from the first of two to the other. */
  readonly ways: Ways;
  readonly isToldByBoth: boolean;
}

/** Flows that never pass beside others that do, of all paths of a cause on which they were counted. */
export interface CauseFlows extends RowFlows {
  readonly paths: number;
}

/** The two ends of a path. */
export interface Ends {
  readonly from: DiagnosisNode | undefined;
  readonly to: DiagnosisNode | undefined;
}

/**
 * A cause of failing, lossy or slow paths with all that its finding is named and written from. What takes time to count is
 * counted when it is asked for: of many causes that become one finding, one is.
 */
export interface PathSight {
  readonly input: Pick<
    DiagnosisInput,
    'index' | 'now' | 'wallOffsetMs' | 'probePort' | 'namespace'
  >;
  readonly localNode: number;
  /** The cause as it was found: its finding has the id of these channels, however it is told. */
  readonly found: Cause;
  /**
   * The cause as it is told. Its subject is turned: the first of two is the one whose probes fail, or whose large packets are
   * lost. Where it is about servers alone, it has no echoes.
   */
  readonly cause: Cause;
  /** Nobody knows whether its node answers echoes, so only servers are known to fail. */
  readonly isAboutServers: boolean;
  /** The paths of the subject, in both directions. */
  readonly to: Side;
  readonly from: Side;
  /** The node's own row counts, and was confirmed since. */
  readonly isObserver: boolean;
  /** The node has run since its trouble began: enough others got its GETs, or its row counts. */
  readonly lives: boolean;
  /** At least one observer heard its own GETs since. */
  readonly isHeardAtAll: boolean;
  /** Whether enough GETs of its node would have been heard by now if it still sent any. */
  readonly isSilenceSure: () => boolean;
  /** Each observer sends a GET on each of its paths once in this time. */
  readonly sweepMs: number;
  /**
   * Of a cause that is about what a node sends, which its own row alone tells: the channels that fail, but on which the node
   * has not probed all of its paths since, as a mask.
   */
  readonly halfProbed: () => number;
  /** Of a broken cause: whether looks that are still to come can make no other one of it. */
  readonly isSure: () => boolean;
  /** How many milliseconds ago the trouble began. */
  readonly beganMsAgo: number;
  /** For how many milliseconds two observers at least, or the only one, have been refused. */
  readonly refusedMsAgo: () => number;
  /** Of large packets: what the witnesses say, and which way the packets went. */
  readonly losses: readonly RowLargeLoss[];
  readonly packets: PacketWays | undefined;
  /** Of losses: the flows that never pass, and the failing paths that they explain too. */
  readonly flows: CauseFlows | undefined;
  readonly oneFlow: readonly Cause[];
  /** The observers that see it, the node itself too. */
  readonly seen: () => SeenBy;
  /** How many other nodes the subject does not reach, and how many it looks at. */
  readonly notReached: () => Seen;
  /** Of a group: how many of its nodes have the trouble, and of how many it is known. */
  readonly within: () => Seen;
  /** Of a group: how many of the other nodes have the same trouble, and of how many it is known. */
  readonly beside: () => Seen;
  /** Of a group: whether its nodes reach each other, though others do not reach them, or they do not reach others. */
  readonly reachesItself: () => boolean;
  /** The failure that most paths share; undefined if there is no majority. */
  readonly failure: () => FailureKind | undefined;
  /** An observer that fails, and the node that it fails to reach: commands use both. */
  readonly ends: () => Ends;
  /**
   * Some of its paths, those of the local node first.
   * @param most left out, as many as a finding shows
   */
  readonly evidence: (most?: number) => FindingEvidence[];
  /** The observers that trace a path of the finding with this id. */
  readonly tracers: (id: string) => readonly string[];
}
