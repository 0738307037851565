import { findingSubject } from '../../api/schema/v1/finding-subject.js';
import { planes } from '../model/path.js';
import type { HostSign } from '../model/row-host.js';
import { protocols } from '../model/sample.js';
import type { ResultStore } from '../results/result-store.js';
import { countPhases } from './count-phases.js';
import { metricLabelValues } from './metric-families.js';
import { countPathStates } from './metrics-paths.js';
import { targetMetrics } from './metrics-targets.js';
import type { LabelledValue } from './labelled-value.js';
import type { MetricsView } from './metrics-view.js';
import { namedFindings } from './named-findings.js';
import { isActive, type ClusterState } from './v1/cluster-state.js';
import { findingConditions } from './v1/finding-nodes.js';
import { ownPathsIn } from './v1/own-paths.js';
import { verdictWordOf } from './v1/verdict.js';

/** What a scrape is made of. */
export interface MetricsSources {
  /** A snapshot of the results would cost ten times what the rest of a scrape costs. */
  readonly store: Pick<ResultStore, 'paths' | 'probeTotals' | 'plan'>;
  readonly state: () => ClusterState;
  readonly hints: () => MetricsView['hints'];
  /** Left out: nothing is tested by UDP. */
  readonly udp?: () => MetricsView['udpDatagrams'];
  /** The signs of this host; left out: it is not read. */
  readonly signs?: () => readonly { readonly sign: HostSign }[];
  /** Left out: nobody is to be told of findings. */
  readonly notices?: () => MetricsView['notices'];
  readonly nodeListAgeSeconds: () => number;
  readonly eventLoopStallSeconds: () => number;
  readonly isReady: () => boolean;
}

const pairs = planes.flatMap((plane) => protocols.map((protocol) => ({ plane, protocol })));

/** Takes one view of everything for a scrape. */
export function createMetricsView(sources: MetricsSources): () => MetricsView {
  const { store } = sources;
  return () => {
    const state = sources.state();
    const { nodes, observers, findings } = state;
    const paths = countPathStates(store, state.localName);
    const { counts, unreachable, unnamed } = paths;
    const conditionOf = findingConditions(state);
    const probes = store.probeTotals;
    return {
      nodes: Object.entries(countPhases(nodes)).map(([phase, value]) => ({
        labels: { phase },
        value,
      })),
      nodesNotReady: nodes.filter((node) => node.condition && isActive(node)).length,
      paths: pairs.flatMap(({ plane, protocol }) =>
        metricLabelValues.state.map((state) => ({
          labels: { plane, protocol, state },
          value: counts[plane][protocol][state],
        })),
      ),
      probes: pairs.flatMap(({ plane, protocol }) =>
        metricLabelValues.outcome.map((outcome) => ({
          labels: { plane, protocol, outcome },
          value: probes[plane][protocol].outcomes[outcome],
        })),
      ),
      rtts: pairs.map(({ plane, protocol }) => {
        const { cumulativeCounts, count, sumNs } = probes[plane][protocol].rtt;
        return {
          plane,
          protocol,
          cumulativeCounts: [...cumulativeCounts, count],
          sumSeconds: sumNs / 1e9,
        };
      }),
      timeToDetectSeconds: timesToDetect(store),
      unreachablePaths: unreachable,
      unreachablePathsUnnamed: unnamed,
      isVerdictUnknown: verdictWordOf(state, ownPathsIn(store, state, paths)) === 'unknown',
      findings: metricLabelValues.severity.map((severity) => ({
        labels: { severity },
        value: findings.filter((finding) => finding.severity === severity).length,
      })),
      namedFindings: namedFindings(findings).map((finding) => {
        const { kind, severity } = finding;
        const known = conditionOf(finding)?.name ?? '';
        return { kind, severity, subject: findingSubject(finding), known };
      }),
      observers: metricLabelValues.freshness.map((freshness) => ({
        labels: { freshness },
        value: observers[freshness],
      })),
      targets: targetMetrics(state.targets),
      hints: sources.hints(),
      udpDatagrams: sources.udp?.() ?? [],
      hostSigns: [...new Set(sources.signs?.().map(({ sign }) => sign))],
      notices: sources.notices?.() ?? [],
      nodeListAgeSeconds: sources.nodeListAgeSeconds(),
      eventLoopStallSeconds: sources.eventLoopStallSeconds(),
      taintedSamples: pairs.reduce(
        (sum, { plane, protocol }) => sum + probes[plane][protocol].outcomes.tainted,
        0,
      ),
      isReady: sources.isReady(),
    };
  };
}

function timesToDetect({ plan }: MetricsSources['store']): LabelledValue<'protocol'>[] {
  return protocols.flatMap((protocol) => {
    const ofProtocol = plan[protocol];
    return ofProtocol ? [{ labels: { protocol }, value: ofProtocol.timeToDetectMs / 1000 }] : [];
  });
}
