import type { Plane } from '../model/path.js';
import type { Protocol } from '../model/sample.js';

/** What pattern a finding has; contract-v1.md describes each. */
export type FindingKind =
  | 'node-down'
  | 'node-isolated'
  | 'agent-down'
  | 'endpoint-down'
  | 'host-plane'
  | 'endpoint-plane'
  | 'icmp-filtered'
  | 'http-filtered'
  | 'zones'
  | 'pair'
  | 'lossy'
  | 'slow'
  | 'observers-missing';

export type Severity = 'broken' | 'degraded';

/**
 * `inbound`: packets to the node fail and its own probes work. `outbound`: the reverse. `both`:
 * both fail.
 */
export type Direction = 'inbound' | 'outbound' | 'both';

/** One path that a finding explains. */
export interface FindingEvidence {
  readonly from: string;
  readonly to: string;
  readonly plane: Plane;
  readonly protocol: Protocol;
  readonly failure: string;
  /** RFC 3339. */
  readonly since: string;
}

/** One cause that explains failing or degraded paths. */
export interface Finding {
  /** It stays the same while the finding lasts, and is the same on every agent that sees it. */
  readonly id: string;
  readonly kind: FindingKind;
  readonly severity: Severity;
  readonly node?: string;
  /** The plane, if only one is affected. */
  readonly plane?: Plane;
  readonly protocols: readonly Protocol[];
  /**
   * Absent if it is not known. For `pair` and `zones` it is the direction of the first of the two.
   */
  readonly direction?: Direction;
  /** RFC 3339. */
  readonly since: string;
  /** How many observers see it, and how many looked. */
  readonly seenBy: { readonly failing: number; readonly of: number };
  /** How many paths it explains. */
  readonly explains: number;
  /** 0 to 1. */
  readonly confidence: number;
  readonly text: string;
  readonly next: readonly string[];
  readonly evidence: readonly FindingEvidence[];
  /** Two zones, or the one that is cut off from all others. */
  readonly zones?: readonly string[];
  readonly pair?: readonly [string, string];
  /** The node is the one that this agent runs on. */
  readonly local?: true;
}
