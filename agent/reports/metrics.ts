import { readdirSync } from 'node:fs';
import { Counter, Gauge, Registry, type Metric } from 'prom-client';
import {
  maxNamedFindings,
  maxNamedPaths,
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
  const gauge = <L extends string>(name: string, help: string, labelNames: readonly L[] = []) =>
    new Gauge({ name, help, labelNames: [...labelNames], registers: [registry] });
  const counter = <L extends string>(name: string, help: string, labelNames: readonly L[] = []) =>
    new Counter({ name, help, labelNames: [...labelNames], registers: [registry] });

  gauge('meshprobe_build_info', 'The version of the agent.', ['version']).set({ version }, 1);
  const nodes = gauge('meshprobe_nodes', 'Listed nodes.', ['phase']);
  const pathLabels = ['plane', 'protocol', 'state'] as const;
  const paths = gauge('meshprobe_paths', 'Primary paths to active nodes.', pathLabels);
  const probeLabels = ['plane', 'protocol', 'outcome'] as const;
  const probes = counter('meshprobe_probes_total', 'Probes by what became of them.', probeLabels);
  const setRtts = registerRtts(registry);
  const timeToDetect = gauge(
    'meshprobe_time_to_detect_seconds',
    'The most that passes from the death of a path to unreachable.',
    ['protocol'],
  );
  const unreachable = gauge(
    'meshprobe_unreachable_path_info',
    `The paths that have been unreachable for longest, at most ${maxNamedPaths}.`,
    ['node', 'plane', 'protocol'],
  );
  const unnamed = gauge(
    'meshprobe_unreachable_paths_unnamed',
    'Unreachable paths that meshprobe_unreachable_path_info has no room for.',
  );
  const findings = gauge('meshprobe_findings', 'Open findings.', ['severity']);
  const namedFindings = gauge(
    'meshprobe_finding_info',
    `The worst open findings, at most ${maxNamedFindings}.`,
    ['kind', 'severity', 'subject'],
  );
  const observers = gauge('meshprobe_observers', 'Agents by the age of their row.', ['freshness']);
  const hintLabels = ['direction', 'use'] as const;
  const hints = counter('meshprobe_hints_total', 'Hints sent and received.', hintLabels);
  const listAge = gauge(
    'meshprobe_node_list_age_seconds',
    'Since the node list was last confirmed.',
  );
  const stall = gauge(
    'meshprobe_event_loop_stall_seconds',
    'The longest stall of the event loop in the last minute.',
  );
  const tainted = counter(
    'meshprobe_tainted_samples_total',
    'Samples taken while the agent was kept from running.',
  );
  const ready = gauge('meshprobe_ready', 'Whether the agent is ready.');
  registerProcess(registry);

  return {
    contentType: registry.contentType,
    render() {
      const now = view();
      setAll(nodes, now.nodes);
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
      listAge.set(now.nodeListAgeSeconds);
      stall.set(now.eventLoopStallSeconds);
      tainted.reset();
      tainted.inc(now.taintedSamples);
      ready.set(now.isReady ? 1 : 0);
      return registry.metrics();
    },
  };
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
        help: 'RTTs of answered probes that are not tainted.',
        type: 'histogram',
        values: current.flatMap(series),
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
  const registers = [registry];
  new Counter({
    name: 'process_cpu_seconds_total',
    help: 'User and system CPU time.',
    registers,
    collect() {
      const { user, system } = process.cpuUsage();
      this.reset();
      this.inc((user + system) / 1e6);
    },
  });
  new Gauge({
    name: 'process_resident_memory_bytes',
    help: 'Resident memory.',
    registers,
    collect() {
      this.set(process.memoryUsage.rss());
    },
  });
  new Gauge({
    name: 'process_open_fds',
    help: 'Open file descriptors.',
    registers,
    collect() {
      this.set(countOpenDescriptors());
    },
  });
  new Gauge({
    name: 'process_start_time_seconds',
    help: 'When the process started, in seconds since the epoch.',
    registers,
  }).set(Math.round(Date.now() / 1000 - process.uptime()));
}

function countOpenDescriptors(): number {
  try {
    return readdirSync('/proc/self/fd').length;
  } catch {
    return 0;
  }
}
