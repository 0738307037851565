import type { FailureKind } from '../../model/failure.js';
import type { Cause, Trouble } from './cause.js';
import type { DiagnosisNode } from './diagnosis-node.js';
import type { DiagnosisTarget } from './diagnosis-target.js';
import type { Finding } from './finding.js';
import type { NamedCause } from './named-cause.js';
import type { Seen } from './sight.js';
import type { Subject } from './subject.js';

/** How many nodes reach a target, of those that looked. */
export interface Reaching {
  readonly reaching: number;
  readonly of: number;
}

/** Who looked at a target since a cause began, and what they saw. Nodes are counted. */
export interface TargetSeen {
  /** All that looked from a failing plane. */
  readonly all: Seen;
  /** The same of the subject's nodes. */
  readonly inside: Seen;
  /** The nodes outside. */
  readonly outside: Reaching;
  /** The subject's nodes, from the other plane. */
  readonly otherPlane: Reaching;
  /**
   * At least half of those that probe it have looked, from each failing plane, or ten; and one node alone from both. If it
   * is about all, some of more than one zone do not reach it. The budget of the target lets few look, so half of hundreds
   * would take minutes.
   */
  readonly isComplete: boolean;
  /** It would be complete without those that have to look again first. */
  readonly isWaiting: boolean;
  /** Of a node: all of its zone have looked too, or five of them. They may fail with it. */
  readonly isZoneComplete: boolean;
}

/** One DNS server of a target. */
export interface SightServer {
  /** From 0. */
  readonly number: number;
  /** What it is called in the id of a finding, the same on all agents. */
  readonly id: string;
  /** Undefined where this agent does not know it. */
  readonly address: string | undefined;
}

/** One DNS server of those that some nodes ask: nodes with another list say nothing of it. */
export interface AskedServer {
  readonly number: number;
  /** The digest of the list. */
  readonly list: number;
  /** Most nodes have that list. */
  readonly isUsual: boolean;
}

/** A cause about a target with all that its finding is named and written from. */
export interface TargetSight {
  readonly target: string;
  /** Other targets that fail there by the same cause. */
  readonly also: readonly string[];
  readonly trouble: Trouble;
  /** The planes from which it is probed: 1 the host, 2 the endpoint. */
  readonly planes: number;
  /** The DNS server that it is about, if it is one; the others of the target answer. */
  readonly server: SightServer | undefined;
  /** How many servers are asked there; 0 where it is not known, or if they are not of DNS. */
  readonly servers: number;
  /** The DNS server that a command asks; undefined where its address is not known here. */
  readonly asked: string | undefined;
  readonly cause: Cause;
  /** What is remembered of it. */
  readonly named: NamedCause;
  readonly subject: Subject;
  /** The planes from which it is said to fail, and those of them from which looks are known. */
  readonly failingPlanes: number;
  readonly knownPlanes: number;
  readonly seen: TargetSeen;
  /** Undefined where this agent has no such target: rows may tell of others. */
  readonly definition: DiagnosisTarget | undefined;
  /** The name of the subject's node or zone. */
  readonly name: string;
  /** The subject's node, where it is one. */
  readonly node: DiagnosisNode | undefined;
  /** That is this agent's own. */
  readonly isLocal: boolean;
  /** The failure that most looks share; undefined if there is no majority. */
  readonly failure: FailureKind | undefined;
  /** Most looks are refused, or could not be sent. */
  readonly isRejected: boolean;
  /** The HTTP status that this agent's own node got, where it is among those that fail by it. */
  readonly statusHere: { readonly status: number; readonly node: string } | undefined;
  /** The namespace of the agents in Kubernetes, where the endpoint plane is the network of pods; undefined elsewhere. */
  readonly namespace: string | undefined;
  /** When it began, in monotonic milliseconds. */
  readonly sinceMs: number;
  /** The looks that it explains: twice the number of a node, and one more on the endpoint plane. */
  readonly slots: readonly number[];
  /** Some of them, as a finding shows them. */
  readonly looks: (
    words: (failure: FailureKind | undefined) => string,
  ) => readonly NonNullable<Finding['looks']>[number][];
}
