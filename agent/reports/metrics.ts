import { readdirSync } from 'node:fs';
import { openResidentMemory } from '../platform/resident-memory.js';
import { expositionContentType, familyText, type Series } from './exposition.js';
import { metricFamilies, type MetricLabel, type MetricName } from './metric-families.js';
import type { TargetRtts } from './metrics-targets.js';
import { rttBoundsSeconds, type MetricsView, type RttBuckets } from './metrics-view.js';

export interface Metrics {
  readonly contentType: string;
  /** The text of one scrape. */
  readonly render: () => string;
}

/** The series of some families. The compiler misses a family that has none. */
type SeriesOf<N extends MetricName> = {
  readonly [One in N]: readonly Series<MetricLabel<One> | 'le'>[];
};

type ProcessMetric = Extract<MetricName, `process_${string}`>;

/**
 * Renders Prometheus text from a view. Families exist from the first scrape on. Nothing is kept
 * between scrapes, so a node that is gone leaves no series behind.
 */
export function createMetrics(version: string, view: () => MetricsView): Metrics {
  const processSeries = openProcessSeries();
  return {
    contentType: expositionContentType,
    render() {
      const series: SeriesOf<MetricName> = {
        meshprobe_build_info: [{ labels: { version }, value: 1 }],
        ...viewSeries(view()),
        ...processSeries(),
      };
      const names = Object.keys(metricFamilies) as MetricName[];
      return names.map((name) => familyText(name, metricFamilies[name], series[name])).join('');
    },
  };
}

function viewSeries(
  view: MetricsView,
): SeriesOf<Exclude<MetricName, ProcessMetric | 'meshprobe_build_info'>> {
  const { targets } = view;
  return {
    meshprobe_nodes: view.nodes,
    meshprobe_nodes_not_ready: [{ value: view.nodesNotReady }],
    meshprobe_paths: view.paths,
    meshprobe_probes_total: view.probes,
    meshprobe_rtt_seconds: view.rtts.flatMap(histogram),
    meshprobe_time_to_detect_seconds: view.timeToDetectSeconds,
    meshprobe_unreachable_path_info: view.unreachablePaths.map(info),
    meshprobe_unreachable_paths_unnamed: [{ value: view.unreachablePathsUnnamed }],
    meshprobe_verdict_unknown: [{ value: view.isVerdictUnknown ? 1 : 0 }],
    meshprobe_findings: view.findings,
    meshprobe_finding_info: view.namedFindings.map(info),
    meshprobe_observers: view.observers,
    meshprobe_hints_total: view.hints,
    meshprobe_target_info: targets.info.map(info),
    meshprobe_target_up: targets.up,
    meshprobe_target_rtt_seconds: targets.rtts.flatMap(quantiles),
    meshprobe_target_certificate_end_timestamp_seconds: targets.certificateEnds,
    meshprobe_udp_datagrams: view.udpDatagrams,
    meshprobe_host_sign: view.hostSigns.map((sign) => info({ sign })),
    meshprobe_notices_total: view.notices.map(({ receiver, sent }) => ({
      labels: { receiver },
      value: sent,
    })),
    meshprobe_notices_failed_total: view.notices.map(({ receiver, failed }) => ({
      labels: { receiver },
      value: failed,
    })),
    meshprobe_node_list_age_seconds: [{ value: view.nodeListAgeSeconds }],
    meshprobe_event_loop_stall_seconds: [{ value: view.eventLoopStallSeconds }],
    meshprobe_tainted_samples_total: [{ value: view.taintedSamples }],
    meshprobe_ready: [{ value: view.isReady ? 1 : 0 }],
  };
}

function info<L extends string>(labels: Readonly<Record<L, string>>): Series<L> {
  return { labels, value: 1 };
}

const bounds = [...rttBoundsSeconds.map(String), '+Inf'];

function histogram({
  plane,
  protocol,
  cumulativeCounts,
  sumSeconds,
}: RttBuckets): Series<'plane' | 'protocol' | 'le'>[] {
  const labels = { plane, protocol };
  return [
    ...bounds.map((le, index) => ({
      suffix: '_bucket' as const,
      labels: { ...labels, le },
      value: cumulativeCounts[index] ?? 0,
    })),
    { suffix: '_sum', labels, value: sumSeconds },
    { suffix: '_count', labels, value: cumulativeCounts.at(-1) ?? 0 },
  ];
}

/** Of a summary. It has no sum and count, because the samples are those of a window. */
function quantiles({
  target,
  plane,
  p50Seconds,
  p99Seconds,
}: TargetRtts): Series<'target' | 'plane' | 'quantile'>[] {
  return [
    { labels: { target, plane, quantile: '0.5' }, value: p50Seconds },
    ...(p99Seconds === undefined
      ? []
      : [{ labels: { target, plane, quantile: '0.99' }, value: p99Seconds }]),
  ];
}

function openProcessSeries(): () => SeriesOf<ProcessMetric> {
  const residentBytes = openResidentMemory();
  const startedAt = Math.round(Date.now() / 1000 - process.uptime());
  return () => {
    const { user, system } = process.cpuUsage();
    return {
      process_cpu_seconds_total: [{ value: (user + system) / 1e6 }],
      process_resident_memory_bytes: [{ value: residentBytes() }],
      process_open_fds: [{ value: countOpenDescriptors() }],
      process_start_time_seconds: [{ value: startedAt }],
    };
  };
}

function countOpenDescriptors(): number {
  try {
    return readdirSync('/proc/self/fd').length;
  } catch {
    return 0;
  }
}
