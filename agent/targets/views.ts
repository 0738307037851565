import type { PathState } from '../model/path-state.js';
import type { Plane } from '../model/path.js';
import { rowServersOf, type RowServers, type RowTarget, type Target } from '../model/target.js';
import type { Loss } from '../results/loss-log.js';
import type { RttSummary } from '../results/rtt-summary.js';

/** What the last answer of a target said of itself, beside that it came. */
export interface TargetAnswer {
  /** Of DNS. */
  readonly addresses?: readonly string[];
  readonly ttlSeconds?: number;
  /** Of HTTP. */
  readonly status?: number;
  /** The node whose endpoint answered, where it said so. */
  readonly answeredBy?: string;
  /** When the server's certificate ends, epoch milliseconds. */
  readonly certificateEndsAt?: number;
}

/** One of several DNS servers of a target. One that is unreachable and has no failure answered again. */
export interface TargetServerView {
  readonly server: string;
  readonly state: Pick<PathState, 'state' | 'failure' | 'failureKind'>;
}

/** Whether a server failed, or answered again, and the next answers decide if its state changes. */
export function isServerSuspected({ state: { state, failure } }: TargetServerView): boolean {
  return (state === 'unreachable') === (failure === undefined);
}

/** The numbers of the servers that fail. */
export function failingServers(servers: readonly TargetServerView[]): readonly number[] {
  return servers.flatMap(({ state: { state } }, index) => (state === 'unreachable' ? [index] : []));
}

/** Which servers are asked, in short, as rows tell it. */
export function askedServers(servers: readonly TargetServerView[]): RowServers | undefined {
  return rowServersOf(servers.map(({ server }) => server));
}

/** The servers of which some fail and others do not, and which began to fail or answer again. */
export function changedServers(
  before: readonly number[],
  after: readonly number[],
): { readonly server: number; readonly change: 'failure' | 'recovery' }[] {
  const lacking = (some: readonly number[], others: readonly number[]) =>
    others.filter((server) => !some.includes(server));
  return [
    ...lacking(before, after).map((server) => ({ server, change: 'failure' as const })),
    ...lacking(after, before).map((server) => ({ server, change: 'recovery' as const })),
  ];
}

/** A target from one plane, as this node sees it. */
export interface TargetPlaneView {
  readonly plane: Plane;
  /** Where the plane is not probed here, why: no endpoint of this node answers, say, or it cannot send. */
  readonly unknownBecause: string | undefined;
  readonly state: PathState;
  readonly isLossy: boolean;
  readonly isSlow: boolean;
  readonly rtts: RttSummary | undefined;
  readonly loss: Loss;
  readonly answer: TargetAnswer;
  readonly servers: readonly TargetServerView[];
}

/** How often a target is probed. */
export interface TargetPlan {
  readonly intervalMs: number;
  readonly timeToDetectMs: number;
  readonly timeToDetectWithHintsMs: number;
  readonly budgetPerSecond: number;
}

/** A target and all that this node knows of it. */
export interface TargetView {
  readonly target: Target;
  readonly plan: TargetPlan;
  readonly planes: readonly TargetPlaneView[];
}

/** All targets of this node, for its readers. */
export interface TargetsView {
  targets(): readonly TargetView[];
  /** The part of the own row: every target from every plane. */
  rowTargets(): readonly RowTarget[];
}

/** The view of an agent that probes no target. */
export const noTargets: TargetsView = { targets: () => [], rowTargets: () => [] };
