export type Verdict = 'ok' | 'degraded' | 'broken' | 'unknown';
export type Plane = 'host' | 'endpoint';
export type Protocol = 'icmp' | 'http';

export interface PathCounts {
  readonly reachable: number;
  readonly unreachable: number;
  readonly unknown: number;
  readonly degraded: number;
}

export interface Observers {
  readonly fresh: number;
  readonly stale: number;
  readonly silent: number;
  readonly oldestSeconds?: number;
}

export interface Summary {
  readonly node: string;
  readonly at: string;
  readonly generation: number;
  readonly verdict: Verdict;
  readonly nodes: {
    readonly active: number;
    readonly joining: number;
    readonly leaving: number;
    readonly excluded: number;
  };
  readonly observers: Observers;
  readonly paths: Readonly<
    Partial<Record<Plane, Readonly<Partial<Record<Protocol, Partial<PathCounts>>>>>>
  >;
  readonly findings: number;
}

export interface Evidence {
  readonly from: string;
  readonly to: string;
  readonly plane: Plane;
  readonly protocol: Protocol;
  readonly failure?: string;
  readonly since?: string;
}

export interface Finding {
  readonly id: string;
  readonly kind: string;
  readonly severity: 'broken' | 'degraded';
  readonly node?: string;
  readonly zones?: readonly string[];
  readonly pair?: readonly string[];
  readonly plane?: Plane;
  readonly protocols?: readonly Protocol[];
  readonly direction?: string;
  readonly local?: boolean;
  readonly since: string;
  readonly seenBy: { readonly failing: number; readonly of: number };
  readonly explains: number;
  readonly confidence: number;
  readonly text: string;
  readonly next: readonly string[];
  readonly evidence: readonly Evidence[];
}

export interface Findings {
  readonly at: string;
  readonly observers: Observers;
  readonly findings: readonly Finding[];
  readonly unexplained?: number;
}

export interface ZoneCell {
  readonly from: string;
  readonly to: string;
  readonly pairs: number;
  readonly failing: number;
  readonly degraded: number;
  readonly unknown: number;
  readonly p50Ns?: number;
  readonly p99Ns?: number;
}

export interface ZoneMatrixBody {
  readonly at: string;
  readonly zones: readonly string[];
  readonly cells: readonly ZoneCell[];
}

export interface NodeMatrixBody {
  readonly at: string;
  readonly rows: readonly string[];
  readonly columns: readonly string[];
  readonly ages: readonly (number | null)[];
  readonly states: string;
  readonly rtts: string;
}

export type PathState = 'unknown' | 'reachable' | 'unreachable';

export interface OwnPath {
  readonly state: PathState;
  readonly degraded?: boolean;
  readonly rttNs?: number;
  readonly failure?: string;
  readonly reason?: string;
  readonly since?: string;
}

export interface NodeEntry {
  readonly name: string;
  readonly zone?: string;
  readonly lifecycle: { readonly phase: string; readonly reason?: string };
  readonly addresses: { readonly host: readonly string[]; readonly endpoint: readonly string[] };
  readonly verdict: Verdict | 'excluded';
  readonly paths: Readonly<Partial<Record<Plane, Readonly<Partial<Record<Protocol, OwnPath>>>>>>;
  readonly seenBy: {
    readonly reachable: number;
    readonly unreachable: number;
    readonly of: number;
  };
}

export interface NodePage {
  readonly at: string;
  readonly nodes: readonly NodeEntry[];
  readonly nextCursor?: string;
}

interface Stamp {
  readonly id: number;
  readonly at: string;
}

export type StreamEvent =
  | (Stamp & {
      readonly type: 'path';
      readonly node: string;
      readonly plane: Plane;
      readonly protocol: Protocol;
      readonly address: string;
      readonly previousState: PathState;
      readonly state: PathState;
      readonly degraded?: boolean;
      readonly failure?: string;
    })
  | (Stamp & {
      readonly type: 'finding';
      readonly change: 'opened' | 'changed' | 'closed';
      readonly finding: string;
      readonly kind: string;
      readonly severity: 'broken' | 'degraded';
      readonly node?: string;
      readonly text: string;
    })
  | (Stamp & {
      readonly type: 'node';
      readonly change: 'added' | 'changed' | 'removed';
      readonly node: string;
      readonly lifecycle?: { readonly phase: string; readonly reason?: string };
    })
  | (Stamp & {
      readonly type: 'list';
      readonly nodes: number;
      readonly added: number;
      readonly removed: number;
      readonly reason?: string;
    })
  | { readonly type: 'gap' }
  | { readonly type: 'cut'; readonly lastId: number };
