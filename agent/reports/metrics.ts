import { readdirSync } from 'node:fs';
import { Counter, Gauge, Registry, type Metric } from 'prom-client';
import { openResidentMemory } from '../platform/resident-memory.js';
import { metricFamilies, type MetricLabel, type MetricName } from './metric-families.js';
import type { TargetRtts } from './metrics-targets.js';
import {
  rttBoundsSeconds,
  type LabelledValue,
  type MetricsView,
  type RttBuckets,
} from './metrics-view.js';

export interface Metrics {
  readonly contentType: string;
  /** The text of one scrape. */
  readonly render: () => Promise<string>;
}

/**
 * Renders Prometheus text from a view. Families exist from the first scrape on. Nothing is kept
 * between scrapes, so a node that is gone leaves no series behind. Only this file uses prom-client.
 */
export function createMetrics(version: string, view: () => MetricsView): Metrics {
  const registry = new Registry();
  const gauge = <N extends MetricName>(name: N) => new Gauge(optionsOf(registry, name));
  const counter = <N extends MetricName>(name: N) => new Counter(optionsOf(registry, name));

  gauge('meshprobe_build_info').set({ version }, 1);
  const nodes = gauge('meshprobe_nodes');
  const nodesNotReady = gauge('meshprobe_nodes_not_ready');
  const paths = gauge('meshprobe_paths');
  const probes = counter('meshprobe_probes_total');
  const setRtts = registerRtts(registry);
  const timeToDetect = gauge('meshprobe_time_to_detect_seconds');
  const unreachable = gauge('meshprobe_unreachable_path_info');
  const unnamed = gauge('meshprobe_unreachable_paths_unnamed');
  const findings = gauge('meshprobe_findings');
  const namedFindings = gauge('meshprobe_finding_info');
  const observers = gauge('meshprobe_observers');
  const hints = counter('meshprobe_hints_total');
  const targetInfo = gauge('meshprobe_target_info');
  const targetUp = gauge('meshprobe_target_up');
  const setTargetRtts = registerTargetRtts(registry);
  const certificateEnds = gauge('meshprobe_target_certificate_end_seconds');
  const udpDatagrams = gauge('meshprobe_udp_datagrams');
  const listAge = gauge('meshprobe_node_list_age_seconds');
  const stall = gauge('meshprobe_event_loop_stall_seconds');
  const tainted = counter('meshprobe_tainted_samples_total');
  const ready = gauge('meshprobe_ready');
  registerProcess(registry);

  return {
    contentType: registry.contentType,
    render() {
      const now = view();
      setAll(nodes, now.nodes);
      nodesNotReady.set(now.nodesNotReady);
      setAll(paths, now.paths);
      setAll(probes, now.probes);
      setRtts(now.rtts);
      setAll(timeToDetect, now.timeToDetectSeconds);
      setAll(unreachable, now.unreachablePaths.map(toInfo));
      unnamed.set(now.unreachablePathsUnnamed);
      setAll(findings, now.findings);
      setAll(namedFindings, now.namedFindings.map(toInfo));
      setAll(observers, now.observers);
      setAll(hints, now.hints);
      setAll(targetInfo, now.targets.info.map(toInfo));
      setAll(targetUp, now.targets.up);
      setTargetRtts(now.targets.rtts);
      setAll(certificateEnds, now.targets.certificateEnds);
      setAll(udpDatagrams, now.udpDatagrams);
      listAge.set(now.nodeListAgeSeconds);
      stall.set(now.eventLoopStallSeconds);
      tainted.reset();
      tainted.inc(now.taintedSamples);
      ready.set(now.isReady ? 1 : 0);
      return registry.metrics();
    },
  };
}

/** What prom-client wants to know of a family. */
function optionsOf<N extends MetricName>(registry: Registry, name: N) {
  const { help, labels } = metricFamilies[name];
  const labelNames: readonly MetricLabel<N>[] = labels;
  return { name, help, labelNames, registers: [registry] };
}

function toInfo<L extends string>(labels: Readonly<Record<L, string>>): LabelledValue<L> {
  return { labels, value: 1 };
}

/** A family holds only the values of this view. */
function setAll<L extends string>(
  family: Gauge<L> | Counter<L>,
  values: readonly LabelledValue<L>[],
): void {
  family.reset();
  for (const { labels, value } of values) family.inc(labels, value);
}

/**
 * The histogram is counted where samples are recorded: prom-client would need a millisecond of
 * every second to observe each RTT by its labels. Here the counts are only written down.
 */
function registerRtts(registry: Registry): (rtts: readonly RttBuckets[]) => void {
  const name = 'meshprobe_rtt_seconds';
  const { help, type } = metricFamilies[name];
  let current: readonly RttBuckets[] = [];
  const series = ({ plane, protocol, cumulativeCounts, sumSeconds }: RttBuckets) => {
    const labels = { plane, protocol };
    const count = cumulativeCounts.at(-1) ?? 0;
    const buckets = [...rttBoundsSeconds, '+Inf'].map((le, index) => ({
      metricName: `${name}_bucket`,
      labels: { ...labels, le },
      value: cumulativeCounts[index] ?? 0,
    }));
    return [
      ...buckets,
      { metricName: `${name}_sum`, labels, value: sumSeconds },
      { metricName: `${name}_count`, labels, value: count },
    ];
  };
  const family = {
    name,
    get: () =>
      Promise.resolve({
        name,
        help,
        type,
        values: current.flatMap(series),
      }),
  };
  registry.registerMetric(family as unknown as Metric);
  return (rtts) => (current = rtts);
}

/**
 * A summary of the last samples: prom-client's own would keep samples a second time. Without a sum and
 * a count, because the samples are those of a window.
 */
function registerTargetRtts(registry: Registry): (rtts: readonly TargetRtts[]) => void {
  const name = 'meshprobe_target_rtt_seconds';
  const { help, type } = metricFamilies[name];
  let current: readonly TargetRtts[] = [];
  const family = {
    name,
    get: () =>
      Promise.resolve({
        name,
        help,
        type,
        values: current.flatMap(({ target, plane, p50Seconds, p99Seconds }) => [
          { labels: { target, plane, quantile: 0.5 }, value: p50Seconds },
          { labels: { target, plane, quantile: 0.99 }, value: p99Seconds },
        ]),
      }),
  };
  registry.registerMetric(family as unknown as Metric);
  return (rtts) => (current = rtts);
}

/**
 * Metrics of the process. prom-client's own collection adds some 40 series about Node, and an
 * observer of every garbage collection.
 */
function registerProcess(registry: Registry): void {
  new Counter({
    ...optionsOf(registry, 'process_cpu_seconds_total'),
    collect() {
      const { user, system } = process.cpuUsage();
      this.reset();
      this.inc((user + system) / 1e6);
    },
  });
  const residentBytes = openResidentMemory();
  new Gauge({
    ...optionsOf(registry, 'process_resident_memory_bytes'),
    collect() {
      this.set(residentBytes());
    },
  });
  new Gauge({
    ...optionsOf(registry, 'process_open_fds'),
    collect() {
      this.set(countOpenDescriptors());
    },
  });
  const startedAt = Math.round(Date.now() / 1000 - process.uptime());
  new Gauge(optionsOf(registry, 'process_start_time_seconds')).set(startedAt);
}

function countOpenDescriptors(): number {
  try {
    return readdirSync('/proc/self/fd').length;
  } catch {
    return 0;
  }
}
