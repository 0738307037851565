import type { Plane } from '../../../../agent/model/path.js';
import type { AgedTrouble } from '../history.js';
import type { Labelling } from '../../../faults/random-labels.js';
import type { TargetConditions } from '../target-writer.js';

/** How the agents of a simulated cluster probe, and when each fault began. */
export interface Conditions {
  readonly names: readonly string[];
  readonly zones: readonly (string | undefined)[];
  readonly local: number;
  readonly troubles: readonly AgedTrouble[];
  /** The share of node pairs that are reported wrongly. */
  readonly wrongShare: number;
  /** The share of packets that are lost at random. */
  readonly strayLoss: number;
  /** The share of paths that are reported as slow although they are not. */
  readonly straySlow: number;
  /** Nodes without a row, and nodes with an old row, for reasons other than the network. */
  readonly isSilent: (node: number) => boolean;
  readonly isStale: (node: number) => boolean;
  /** Nodes without a health endpoint have no address on that plane. Missing: all have one. */
  readonly hasEndpoint?: (node: number) => boolean;
  /** What nodes have in common beside their zones. Missing: nothing, and they are not grouped. */
  readonly labels?: Labelling;
  /** What the cluster itself says is wrong with a node. Missing: it says nothing. */
  readonly knownOf?: (node: number) => string | undefined;
  /** The targets and what is wrong with them. Missing: no agent probes any. */
  readonly targets?: TargetConditions;
  /** Agents test the flows of paths that lose probes, and each GET is simulated. Missing: no flow is tested. */
  readonly hasFlowTests?: boolean;
  /** How an observer's node list differs from the local one. Missing: all lists are the same. */
  readonly listOf?: (observer: number) => ListDifference | undefined;
}

/** Whether a node has an address on a plane. */
export function hasAddress({ hasEndpoint }: Conditions, plane: Plane, node: number): boolean {
  return plane === 'host' || (hasEndpoint?.(node) ?? true);
}

/** What an observer's list lacks of the local list, and what it has beside it. */
export interface ListDifference {
  readonly lacks: ReadonlySet<number>;
  /** Nodes that left the local list and answer no one. */
  readonly gone: readonly string[];
}

export const icmpIntervalS = 1;
export const httpIntervalS = 5;
export const timeoutS = 1;
/**
 * The time from the first lost probe to `unreachable`: a threshold of three, with gaps of 200 ms.
 */
export const confirmS = 0.4;
export const lossWindowS = 600;
