import { findingKinds } from '../../api/schema/v1/finding-kinds.js';
import { planes } from '../model/path.js';
import { hostSigns, maxRowSigns } from '../model/row-host.js';
import { protocols } from '../model/sample.js';
import { targetKinds } from '../model/target.js';
import { countedOutcomes } from '../results/probe-counters.js';
import { maxNamedFindings, maxNamedPaths } from './metrics-view.js';

/** One family of `/metrics`. */
export interface MetricFamily {
  readonly type: 'counter' | 'gauge' | 'histogram' | 'summary';
  readonly help: string;
  readonly labels: readonly string[];
}

/** Every family that an agent serves, by its name. */
export const metricFamilies = {
  meshprobe_build_info: {
    type: 'gauge',
    help: 'The version of the agent.',
    labels: ['version'],
  },
  meshprobe_nodes: { type: 'gauge', help: 'Listed nodes.', labels: ['phase'] },
  meshprobe_nodes_not_ready: {
    type: 'gauge',
    help: 'Active nodes that Kubernetes calls NotReady.',
    labels: [],
  },
  meshprobe_paths: {
    type: 'gauge',
    help: 'Primary paths to active nodes. Lossy and slow ones are reachable; degraded: either of both.',
    labels: ['plane', 'protocol', 'state'],
  },
  meshprobe_probes_total: {
    type: 'counter',
    help: 'Probes by what became of them.',
    labels: ['plane', 'protocol', 'outcome'],
  },
  meshprobe_rtt_seconds: {
    type: 'histogram',
    help: 'RTTs of answered probes that are not tainted.',
    labels: ['plane', 'protocol'],
  },
  meshprobe_time_to_detect_seconds: {
    type: 'gauge',
    help: 'The most that passes from the death of a path to unreachable.',
    labels: ['protocol'],
  },
  meshprobe_unreachable_path_info: {
    type: 'gauge',
    help: `The paths that have been unreachable for longest, at most ${maxNamedPaths}.`,
    labels: ['node', 'plane', 'protocol'],
  },
  meshprobe_unreachable_paths_unnamed: {
    type: 'gauge',
    help: 'Unreachable paths that meshprobe_unreachable_path_info has no room for.',
    labels: [],
  },
  meshprobe_verdict_unknown: {
    type: 'gauge',
    help: 'Whether the verdict is unknown: too little is known to call the cluster well, degraded or broken.',
    labels: [],
  },
  meshprobe_findings: { type: 'gauge', help: 'Open findings.', labels: ['severity'] },
  meshprobe_finding_info: {
    type: 'gauge',
    help: `Open findings, at most ${maxNamedFindings}: the worst of each kind and severity, then the worst of all; known is what Kubernetes says of the node.`,
    labels: ['kind', 'severity', 'subject', 'known'],
  },
  meshprobe_observers: {
    type: 'gauge',
    help: 'Agents by the age of their row.',
    labels: ['freshness'],
  },
  meshprobe_hints_total: {
    type: 'counter',
    help: 'Hints sent and received.',
    labels: ['direction', 'use'],
  },
  meshprobe_target_info: {
    type: 'gauge',
    help: 'The targets and what they are probed by.',
    labels: ['target', 'kind'],
  },
  meshprobe_target_up: {
    type: 'gauge',
    help: 'Whether this node reaches a target from a plane; absent while that is not known.',
    labels: ['target', 'plane'],
  },
  meshprobe_target_rtt_seconds: {
    type: 'summary',
    help: 'RTTs of a target from a plane of this node: 0.5 of the last 60 answered probes, 0.99 of the last hour where there were 100.',
    labels: ['target', 'plane', 'quantile'],
  },
  meshprobe_target_certificate_end_timestamp_seconds: {
    type: 'gauge',
    help: 'When the certificate of a target ends, in seconds since the epoch.',
    labels: ['target'],
  },
  meshprobe_udp_datagrams: {
    type: 'gauge',
    help: 'Datagrams of the last ten minutes by what became of them, on all paths that ever answered; only with --udp-port.',
    labels: ['plane', 'fate'],
  },
  meshprobe_host_sign: {
    type: 'gauge',
    help: `1 for each sign that this host shows, at most ${maxRowSigns}; those that it does not show are absent.`,
    labels: ['sign'],
  },
  meshprobe_notices_total: {
    type: 'counter',
    help: 'Messages about findings that this agent sent to a receiver, renewed alerts included; only with --notify-file.',
    labels: ['receiver'],
  },
  meshprobe_notices_failed_total: {
    type: 'counter',
    help: 'Those of meshprobe_notices_total that the receiver did not take.',
    labels: ['receiver'],
  },
  meshprobe_node_list_age_seconds: {
    type: 'gauge',
    help: 'Since the node list was last known to be true: 0 while every node source is well.',
    labels: [],
  },
  meshprobe_event_loop_stall_seconds: {
    type: 'gauge',
    help: 'The longest time of the last minute in which the event loop could do nothing else, because of work at a stretch or for want of a processor.',
    labels: [],
  },
  meshprobe_tainted_samples_total: {
    type: 'counter',
    help: 'Samples that say nothing because the agent had no CPU time while it took them.',
    labels: [],
  },
  meshprobe_ready: { type: 'gauge', help: 'Whether the agent is ready.', labels: [] },
  process_cpu_seconds_total: { type: 'counter', help: 'User and system CPU time.', labels: [] },
  process_resident_memory_bytes: { type: 'gauge', help: 'Resident memory.', labels: [] },
  process_open_fds: { type: 'gauge', help: 'Open file descriptors.', labels: [] },
  process_start_time_seconds: {
    type: 'gauge',
    help: 'When the process started, in seconds since the epoch.',
    labels: [],
  },
} as const satisfies Readonly<Record<string, MetricFamily>>;

export type MetricName = keyof typeof metricFamilies;
export type MetricLabel<N extends MetricName> = (typeof metricFamilies)[N]['labels'][number];

/** The values of each label that can have only some. The values of all others are names. */
export const metricLabelValues = {
  phase: ['active', 'joining', 'leaving', 'excluded'],
  plane: planes,
  protocol: protocols,
  state: ['reachable', 'unreachable', 'unknown', 'lossy', 'slow', 'degraded'],
  outcome: countedOutcomes,
  severity: ['broken', 'degraded'],
  freshness: ['fresh', 'stale', 'silent'],
  direction: ['sent', 'received'],
  use: ['probed', 'known', 'refused'],
  // Of a finding, and of a target.
  kind: [...findingKinds, ...targetKinds],
  quantile: ['0.5', '0.99'],
  known: ['', 'NotReady'],
  sign: hostSigns,
  fate: ['answered', 'lost_there', 'lost_back', 'lost_unknown', 'reordered', 'duplicated'],
} as const;
