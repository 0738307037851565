import { countedOutcomes } from '../results/probe-counters.js';
import type { NodeView } from '../results/snapshot.js';
import { planes, type Plane } from '../model/path.js';
import { protocols, type Protocol } from '../model/sample.js';
import {
  maxNamedFindings,
  maxNamedPaths,
  type LabelledValue,
  type MetricsView,
} from './metrics-view.js';
import type { ClusterState } from './v1/cluster-state.js';

/** What is told beside the state of the cluster. */
export interface MetricsSources {
  readonly state: () => ClusterState;
  readonly hints: () => MetricsView['hints'];
  readonly nodeListAgeSeconds: () => number;
  readonly eventLoopStallSeconds: () => number;
  readonly isReady: () => boolean;
}

const pathStates = ['reachable', 'unreachable', 'unknown', 'degraded'] as const;

/** Takes one view of everything for a scrape. */
export function createMetricsView(sources: MetricsSources): () => MetricsView {
  return () => {
    const state = sources.state();
    const { snapshot, observers, findings } = state;
    const inPhase = { active: 0, joining: 0, leaving: 0, excluded: 0 };
    for (const { lifecycle } of state.nodes) inPhase[lifecycle?.phase ?? 'active']++;
    const { named, unnamed } = unreachablePaths(snapshot.nodes);
    const pairs = planes.flatMap((plane) => protocols.map((protocol) => ({ plane, protocol })));
    const withSeverity = (wanted: string) =>
      findings.filter(({ severity }) => severity === wanted).length;
    return {
      nodes: Object.entries(inPhase).map(([phase, value]) => ({ labels: { phase }, value })),
      paths: pairs.flatMap(({ plane, protocol }) =>
        pathStates.map((name) => ({
          labels: { plane, protocol, state: name },
          value: snapshot.counts[plane][protocol][name],
        })),
      ),
      probes: pairs.flatMap(({ plane, protocol }) =>
        countedOutcomes.map((outcome) => ({
          labels: { plane, protocol, outcome },
          value: snapshot.probes[plane][protocol].outcomes[outcome],
        })),
      ),
      rtts: pairs.map(({ plane, protocol }) => {
        const { cumulativeCounts, count, sumNs } = snapshot.probes[plane][protocol].rtt;
        return {
          plane,
          protocol,
          cumulativeCounts: [...cumulativeCounts, count],
          sumSeconds: sumNs / 1e9,
        };
      }),
      timeToDetectSeconds: timesToDetect(state),
      unreachablePaths: named,
      unreachablePathsUnnamed: unnamed,
      findings: ['broken', 'degraded'].map((severity) => ({
        labels: { severity },
        value: withSeverity(severity),
      })),
      namedFindings: findings.slice(0, maxNamedFindings).map((finding) => {
        const { kind, severity, node, zones, pair, id } = finding;
        const subject = node ?? pair?.join(' -> ') ?? zones?.join(' -> ') ?? id;
        return { kind, severity, subject };
      }),
      observers: (['fresh', 'stale', 'silent'] as const).map((freshness) => ({
        labels: { freshness },
        value: observers[freshness],
      })),
      hints: sources.hints(),
      nodeListAgeSeconds: sources.nodeListAgeSeconds(),
      eventLoopStallSeconds: sources.eventLoopStallSeconds(),
      taintedSamples: sum(
        pairs.map(({ plane, protocol }) => snapshot.probes[plane][protocol].outcomes.tainted),
      ),
      isReady: sources.isReady(),
    };
  };
}

function timesToDetect({ snapshot }: ClusterState): LabelledValue<'protocol'>[] {
  return protocols.flatMap((protocol) => {
    const plan = snapshot.plan[protocol];
    return plan ? [{ labels: { protocol }, value: plan.timeToDetectMs / 1000 }] : [];
  });
}

interface UnreachablePath {
  readonly node: string;
  readonly plane: Plane;
  readonly protocol: Protocol;
  readonly sinceAt: number;
}

/** The primary paths to active nodes that have been unreachable for longest, and how many more there are. */
function unreachablePaths(nodes: readonly NodeView[]) {
  const paths: UnreachablePath[] = [];
  for (const { name, lifecycle, ...view } of nodes) {
    if (lifecycle !== undefined && lifecycle.phase !== 'active') continue;
    for (const plane of planes) {
      for (const protocol of protocols) {
        const state = view[plane][0]?.[protocol].state;
        if (state?.state !== 'unreachable') continue;
        paths.push({ node: name, plane, protocol, sinceAt: state.sinceAt });
      }
    }
  }
  paths.sort((a, b) => a.sinceAt - b.sinceAt);
  const named = paths
    .slice(0, maxNamedPaths)
    .map(({ node, plane, protocol }) => ({ node, plane, protocol }));
  return { named, unnamed: paths.length - named.length };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
