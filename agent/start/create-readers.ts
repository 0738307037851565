import type { AdminSource } from '../../api/routes/admin.js';
import type { Evidence } from '../../api/schema/v1/findings.js';
import type { NotProbed } from '../../api/schema/v1/summary.js';
import { Cluster } from '../cluster/cluster.js';
import { V1Bodies } from '../cluster/v1-bodies.js';
import { SuspectedNodes } from '../cluster/suspected-nodes.js';
import type { Config } from '../config/config.js';
import { createFolderHider, localPaths } from '../config/local-paths.js';
import type { Thresholds } from '../model/path-state.js';
import type { Protocol } from '../model/sample.js';
import type { Peers } from '../peers/peers.js';
import { systemClock } from '../platform/clock.js';
import type { EventLoop } from '../platform/event-loop.js';
import type { Problems } from '../platform/problems.js';
import type { Standstill } from '../platform/standstill.js';
import type { IcmpEngine } from '../probing/icmp/engine.js';
import type { Scheduler } from '../probing/schedule/scheduler.js';
import { daemonHealthBody } from '../reports/daemon-health-body.js';
import { createHistorySource } from '../reports/history-body.js';
import { createStatusWriter } from '../reports/status-body.js';
import { createStatusSource } from '../reports/status-source.js';
import type { OwnEvidence } from '../reports/v1/own-evidence.js';
import type { ResultStore } from '../results/result-store.js';
import type { AgentNotices } from './create-notices.js';
import { createAgentReport } from './create-agent-report.js';
import type { Mesh } from './create-mesh.js';
import type { Targets } from './create-targets.js';
import type { FlowTests } from './create-flow-tests.js';
import type { HostMonitor } from '../host/host-monitor.js';
import type { HostChange } from '../model/row-host.js';
import type { LargePackets } from '../path-tests/large/large-packets.js';
import type { Traces } from './create-traces.js';
import { createPathTests } from './create-path-tests.js';
import type { Throughput } from './create-throughput.js';
import type { Udp } from './create-udp.js';

/** What readers ask for is kept for so long after the last of them, in milliseconds. */
export const unreadKeptMs = 60_000;
/** Changes of a host after which other packets may be the largest that pass. */
const changesLargest: ReadonlySet<string> = new Set<HostChange>(['interface-mtu', 'route']);

export interface CreateReadersOptions {
  readonly config: Config;
  readonly thresholds: Readonly<Record<Protocol, Thresholds>>;
  readonly problems: Problems;
  readonly eventLoop: EventLoop;
  readonly standstill: Pick<Standstill, 'isSettling'>;
  readonly icmp: IcmpEngine;
  readonly store: ResultStore;
  readonly scheduler: Scheduler;
  readonly peers: Peers;
  readonly mesh: Mesh;
  readonly large: LargePackets;
  readonly udp: Udp | undefined;
  readonly flows: FlowTests;
  readonly traces: Traces;
  readonly targets: Targets | undefined;
  readonly host: HostMonitor | undefined;
  readonly throughput: Throughput;
  /** What tells of findings; undefined where nobody is to be told, or not yet. */
  readonly notices: () => AgentNotices | undefined;
}

/** Creates the cluster as a whole, which makes findings from the rows of all observers. */
export function createCluster(options: CreateReadersOptions): Cluster {
  const { config, problems, icmp, store, scheduler, peers, mesh, targets } = options;
  const { large, traces, host, standstill } = options;
  const { localName, clusterName, probePort, groupBy, nodeSource } = config;
  const endpoints = nodeSource.kind === 'kubernetes' ? nodeSource.endpoints : undefined;
  const suspectedNodes = new SuspectedNodes();
  const hideFolders = createFolderHider(localPaths(config));
  const shownProblems = () =>
    problems.coded().map((one) => ({ ...one, text: hideFolders(one.text) }));
  return new Cluster({
    localName,
    clusterName,
    probePort,
    groupBy,
    store,
    isSwept: () => scheduler.isSwept,
    isSettling: () => standstill.isSettling(),
    notProbed: notProbedOf(icmp, config),
    problems: shownProblems,
    nodeSourceProblem: () => shownProblems().find(({ code }) => code === 'node-source')?.text,
    namespace: endpoints?.kind === 'pods' ? endpoints.namespace : undefined,
    clock: systemClock,
    observers: peers,
    ...(targets && { targets: targets.view }),
    certificateWarningMs: config.certificateWarningMs,
    // Kubernetes and Cilium list external addresses too, and often no packet from inside comes back from them.
    everyAddressIsMeant: nodeSource.kind === 'file',
    onFindings(findings) {
      traces.update(findings);
      for (const node of suspectedNodes.take(findings)) large.suspect(node);
    },
    onOwnFinding: () => host?.readSoon(),
    onHostChange(node, change) {
      if (changesLargest.has(change)) large.suspect(node);
    },
    onSuspected: (suspected) => large.suspectNodes(suspected),
    askForRows: () => mesh.askForRows(),
    askForRowOf: (node) => mesh.askForRowOf(node),
  });
}

/** Creates what makes the bodies of `/v1`. */
export function createV1Bodies(options: CreateReadersOptions, cluster: Cluster): V1Bodies {
  const { store, large, udp, flows, traces, notices } = options;
  return new V1Bodies({
    cluster,
    store,
    largeOf: ({ name, addresses }, plane) => large.of(name, plane, addresses[plane][0]),
    ...(udp && {
      udpOf: ({ name, addresses }, plane) => udp.of(name, plane, addresses[plane][0]),
    }),
    flowsOf: ({ name, addresses }, plane) => flows.of(name, plane, addresses[plane][0]),
    ownEvidenceOf: (path, { id }) => ({
      ...failureOf(store, path),
      ...flows.evidenceOf(path),
      ...traces.evidenceOf(id, path),
    }),
    noticesBody: () => notices()?.body(),
  });
}

/** The failure of an own path that is unreachable, in whole: `unexpected status 503`. */
function failureOf(
  store: Pick<ResultStore, 'paths'>,
  { to, plane, protocol }: Evidence,
): Pick<OwnEvidence, 'failure'> {
  const failure = store.paths.failureOf(to, plane, protocol);
  return failure === undefined ? {} : { failure };
}

function notProbedOf(icmp: IcmpEngine, { icmpEngine }: Config): NotProbed[] {
  if (!('unavailable' in icmp)) return [];
  const { unavailable: text, brief: reason = 'not available' } = icmp;
  return [{ protocol: 'icmp', reason, text, switchedOff: icmpEngine === 'off' }];
}

/** Creates what the routes of the API read. */
export function createAdminSource(
  options: CreateReadersOptions,
  cluster: Cluster,
  v1: V1Bodies,
): AdminSource {
  const { config, thresholds, problems, eventLoop, icmp, store, scheduler, peers, mesh } = options;
  const { throughput } = options;
  const { exchange } = mesh;
  const { host } = options;
  const context = {
    localName: config.localName,
    thresholds,
    unavailable: 'unavailable' in icmp ? { icmp: icmp.unavailable } : {},
    openFindings: () => cluster.openFindings,
  };
  const createStatus = (isBrief: boolean) =>
    createStatusSource(store, () => createStatusWriter({ ...context, isBrief }), unreadKeptMs);
  const [fullStatus, briefStatus] = [createStatus(false), createStatus(true)];
  const daemonHealth = () =>
    daemonHealthBody({
      problems,
      eventLoop,
      plan: () => store.plan,
      echoCounts: 'prober' in icmp ? icmp.prober.counts : undefined,
      missingSigns: host?.missing() ?? [],
      ...(exchange && { exchange: { observers: peers.counts(), ...exchange.counts() } }),
    });
  return {
    status: (asked) => (asked?.isBrief ? briefStatus(asked) : fullStatus(asked)),
    history: createHistorySource(store, config.clusterName),
    v1,
    daemonHealth,
    probe: () => scheduler.sweep(),
    testPath: createPathTests({ config, store }),
    startThroughput: throughput.start,
    throughputTests: throughput.tests,
    testNotices: (signal) => options.notices()?.test(signal) ?? Promise.resolve(undefined),
    report: createAgentReport({
      config,
      cluster,
      v1,
      health: daemonHealth,
      status: async () => (await fullStatus({ fresh: true })).body,
    }),
  };
}
