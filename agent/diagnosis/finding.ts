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

/** `inbound`: what is sent to it fails, what it sends works; `outbound`: the reverse; `both`: either way. */
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

/** One cause that explains paths that are not well. */
export interface Finding {
  /** The same while the finding lasts, and on every agent that sees it. */
  readonly id: string;
  readonly kind: FindingKind;
  readonly severity: Severity;
  readonly node?: string;
  /** The plane, where it is one. */
  readonly plane?: Plane;
  readonly protocols: readonly Protocol[];
  /** Absent where it cannot be told. For `pair` and `zones` it is that of the first of the two. */
  readonly direction?: Direction;
  /** RFC 3339. */
  readonly since: string;
  /** Observers that see it, of those that looked. */
  readonly seenBy: { readonly failing: number; readonly of: number };
  /** How many paths it explains. */
  readonly explains: number;
  /** 0 to 1. */
  readonly confidence: number;
  readonly text: string;
  readonly next: readonly string[];
  readonly evidence: readonly FindingEvidence[];
  /** Two zones; one alone where it is cut off from all others. */
  readonly zones?: readonly string[];
  readonly pair?: readonly [string, string];
  /** The node is the agent's own. */
  readonly local?: true;
}
