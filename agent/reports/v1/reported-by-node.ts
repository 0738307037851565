import type { NodeEntry, NodeTarget } from '../../../api/schema/v1/nodes.js';
import { changeText, signText } from '../../model/host-words.js';
import type { RowChange } from '../../model/row-host.js';
import type { ObservedRow } from '../../model/row.js';
import { tailNs, type RowTarget } from '../../model/target.js';
import type { Steps } from '../../platform/time-slices.js';
import type { ClusterState } from './cluster-state.js';

type ReportedByNode = Pick<NodeEntry, 'targets' | 'signs' | 'changes'>;
type ReportState = Pick<ClusterState, 'at' | 'changesOf'>;

const mostChanges = 16;

type HostReport = Pick<NodeEntry, 'signs' | 'changes'>;

/**
 * What a node tells of itself: what it reaches, what its host shows, and what changed there. Where its row is not fresh only the
 * last is told.
 */
export function* reportedByNode(state: ClusterState, name: string): Steps<ReportedByNode> {
  for (const observed of state.rows) {
    if (observed.row.observer === name) {
      const host = hostReport(observed, state);
      if (observed.freshness === 'stale') return host;
      const targets = observed.row.targets?.map(nodeTarget);
      return { ...(targets && { targets }), ...host };
    }
    yield;
  }
  const changes = nodeChanges(name, undefined, state);
  return changes ? { changes } : {};
}

/** What all nodes tell of their hosts: signs, or changes, and of these the others too. */
export function* hostReports(
  state: ClusterState,
  shows: 'signs' | 'changes',
): Steps<ReadonlyMap<string, HostReport>> {
  const hosts = new Map<string, HostReport>();
  for (const observed of state.rows) {
    const report = hostReport(observed, state);
    if (report[shows] !== undefined) hosts.set(observed.row.observer, report);
    yield;
  }
  return hosts;
}

/** What the host shows now is known of a fresh row alone. */
function hostReport(observed: ObservedRow, state: ReportState): HostReport {
  const tells = observed.tellsOfHost !== false;
  const isNow = tells && observed.freshness !== 'stale';
  const signs = isNow ? nodeSigns(observed, state.at) : undefined;
  const changes = nodeChanges(observed.row.observer, tells ? observed : undefined, state);
  return { ...(signs && { signs }), ...(changes && { changes }) };
}

function nodeTarget(reported: RowTarget): NodeTarget {
  const { target, plane, state, failure, p50Ns } = reported;
  const p99Ns = tailNs(reported);
  return {
    name: target,
    plane,
    state,
    ...(failure !== undefined && { failureKind: failure }),
    ...(p50Ns !== undefined && { p50Ns: Math.round(p50Ns) }),
    ...(p99Ns !== undefined && { p99Ns: Math.round(p99Ns) }),
  };
}

function nodeSigns({ row, bodyAgeMs }: ObservedRow, atMs: number): NodeEntry['signs'] {
  return row.signs?.map((reported) => ({
    sign: reported.sign,
    text: signText(reported),
    value: reported.value,
    limit: reported.limit,
    since: new Date(atMs - bodyAgeMs - 1000 * reported.ageSeconds).toISOString(),
    ...(reported.orBefore && { orBefore: true }),
    plane: reported.plane,
  }));
}

/** What the host tells, and what this agent itself saw of it. */
function nodeChanges(
  name: string,
  observed: ObservedRow | undefined,
  { at, changesOf }: ReportState,
): NodeEntry['changes'] {
  const { row, bodyAgeMs = 0 } = observed ?? {};
  const words =
    (sinceMs: number) =>
    (reported: RowChange): NonNullable<NodeEntry['changes']>[number] => ({
      at: new Date(sinceMs - 1000 * reported.ageSeconds).toISOString(),
      withinSeconds: reported.withinSeconds,
      change: reported.change,
      text: changeText(reported),
      from: reported.from,
      to: reported.to,
    });
  const changes = [
    ...(row?.changes ?? []).map(words(at - bodyAgeMs)),
    ...changesOf(name).map(words(at)),
  ];
  return changes.length === 0
    ? undefined
    : changes.sort((a, b) => (a.at < b.at ? 1 : -1)).slice(0, mostChanges);
}
