import type { Logger } from 'pino';
import type { Config } from './config/config.js';
import type { Thresholds } from './model/path-state.js';
import type { Protocol } from './model/sample.js';
import { OwnConnects } from './host/sources/own-connects.js';
import { PeerClocks } from './host/sources/peer-clocks.js';
import { createLargePackets } from './path-tests/large/large-packets.js';
import { systemClock, untilBeatMs } from './platform/clock.js';
import { monitorEventLoop } from './platform/event-loop.js';
import { Problems } from './platform/problems.js';
import { Standstill } from './platform/standstill.js';
import { watchSuspension } from './platform/suspension.js';
import { openIcmpEngine, type IcmpEngine } from './probing/icmp/engine.js';
import type { Scheduler } from './probing/schedule/scheduler.js';
import { answerHoldsMs } from './results/answer-age.js';
import { ResultStore } from './results/result-store.js';
import { createTransitionLogger } from './results/transition-logger.js';
import { startSelfcheck, type Selfcheck } from './selfcheck/create-selfcheck.js';
import { Health } from './selfcheck/health.js';
import { startAdminSocket } from './serving/admin-socket.js';
import { createHostMonitor } from './start/create-host-monitor.js';
import { podNetworkOf } from './start/pod-network.js';
import { createFlowTests } from './start/create-flow-tests.js';
import { createMeshKeys } from './start/create-mesh-keys.js';
import { createNotices, type AgentNotices } from './start/create-notices.js';
import { createMesh, type Mesh } from './start/create-mesh.js';
import { createPeers } from './start/create-peers.js';
import {
  createAdminSource,
  createCluster,
  createV1Bodies,
  unreadKeptMs,
} from './start/create-readers.js';
import { createScheduler } from './start/create-scheduler.js';
import { createThroughput } from './start/create-throughput.js';
import { createTraces } from './start/create-traces.js';
import { createTargets, type TargetSources } from './start/create-targets.js';
import { createUdp } from './start/create-udp.js';
import { startKubernetesStatus } from './start/start-kubernetes-status.js';
import { startListeners } from './start/start-listeners.js';
import { startNetworkPods } from './start/start-network-pods.js';
import { startNodeSource } from './start/start-node-source.js';
import { isStarved } from './start/starvation.js';
import { Stops } from './start/stops.js';

export interface AgentOptions {
  readonly config: Config;
  readonly logger: Logger;
  /** The script that reads a nodes file on a thread of its own. */
  readonly nodesFileWorker: URL;
  /** Where the build has put the dashboard page. */
  readonly pageFolder: URL;
  /** Where the targets come from; left out, none is probed. */
  readonly targets?: TargetSources;
  /** Called when a running part fails: the process then ends with that reason. */
  readonly onFailure: (reason: Error) => void;
}

/** How often the plan is checked for changes: it gets better as more peers are heard. */
const planEveryMs = 1000;

/**
 * Builds one agent out of its parts and starts them. The socket comes first, so that it answers
 * whatever comes after; then the responder; then the node list and the probing. Resolves with a
 * function that stops them all.
 * @throws ConfigError where the node list is bad, StartError where the machine refuses a part
 */
export async function startAgent(options: AgentOptions): Promise<() => Promise<void>> {
  const stops = new Stops();
  try {
    const parts = await build(options, stops);
    const selfcheck = await listen(options, parts, stops);
    await parts.targets?.start(parts);
    startNetworkPods({ ...options, ...parts }, stops);
    const onListedNodes = startKubernetesStatus({ ...parts, selfcheck }, stops);
    await startNodeSource({ ...options, ...parts, selfcheck, onListedNodes }, stops);
  } catch (error) {
    await stops.run();
    throw error;
  }
  return () => stops.run();
}

/** Builds the parts from the bottom up. Nothing is sent and nothing listens yet. */
async function build(options: AgentOptions, stops: Stops) {
  const { config, logger } = options;
  const problems = new Problems();
  const eventLoop = monitorEventLoop();
  stops.add(() => eventLoop.stop());
  const icmp = await openIcmpEngine(config.icmpEngine, eventLoop);
  const thresholds = { icmp: thresholdsOf(config, 'icmp'), http: thresholdsOf(config, 'http') };
  const store = new ResultStore({
    thresholds,
    answerHoldsMs: (plan) => answerHoldsMs(plan, config.cadence),
    viewsKeptMs: unreadKeptMs,
  });
  store.onTransition(createTransitionLogger(logger, systemClock));
  const health = new Health(systemClock);
  let notices: AgentNotices | undefined = undefined;
  const own = { isReady: () => health.ready().ok, isStarved: () => isStarved(eventLoop) };
  const keys = createMeshKeys({ config, logger, problems }, stops);
  const sources = options.targets;
  const targets =
    sources && createTargets({ config, logger, problems, eventLoop, icmp, keys, sources }, stops);
  const flows = createFlowTests({ config, logger, store });
  const { localName, probePort } = config;
  const large = createLargePackets({
    localName,
    probePort,
    logger,
    primaryPath: (node, plane) => peers.directory.primaryPath(node, plane),
  });
  stops.add(() => large.stop());
  const peerClocks = new PeerClocks(systemClock, (peer) => peers.directory.get(peer) !== undefined);
  const connects = new OwnConnects(systemClock, '/proc');
  const host = createHostMonitor({
    config,
    peerClocks,
    connects,
    hostIps: () => peers.directory.hostIps(localName),
    pods:
      targets &&
      (() => (targets.asksEndpoint() ? podNetworkOf(targets.endpointHost()) : undefined)),
    onNews: () => cluster.onHost(host?.changes() ?? []),
  });
  if (host) stops.add(() => host.stop());
  const noticesOf = (): AgentNotices | undefined => notices;
  const peers = createPeers({
    config,
    store,
    targets: targets?.view,
    flows,
    large,
    host,
    notices: noticesOf,
    ...own,
  });
  stops.add(() => peers.stop());
  const losesLarge = (node: string): boolean => large.isLostTo(node);
  const onNews = (node: string): void => large.suspect(node);
  const onStamps = host && peerClocks.note.bind(peerClocks);
  const mesh = createMesh(
    { config, logger, problems, store, peers, keys, targets, losesLarge, onNews, onStamps, ...own },
    stops,
  );
  const reading = { config, logger, problems, eventLoop, icmp, thresholds, store };
  const traces = createTraces({ config, store, peers, flows }, stops);
  const { directory } = peers;
  const throughput = createThroughput({ config, logger, keys, directory, store }, stops);
  const base = { ...reading, peers, mesh, targets, flows, traces, host, throughput, connects };
  const scheduler = await createScheduler(base);
  stops.add(() => scheduler.stop());
  mesh.start(scheduler);
  flows.start(peers, stops);
  const udp = config.udpPort ? createUdp({ config, port: config.udpPort, keys }) : undefined;
  // It rejects where the agent stops meanwhile.
  const sweep = (): void => void scheduler.sweep().catch(() => undefined);
  const standstill = new Standstill({
    clock: systemClock,
    isStarved: own.isStarved,
    onGoesOn(stoodStillMs) {
      logger.info({ stoodStillMs }, 'this process stood still: all paths are probed again');
      sweep();
    },
  });
  stops.add(() => standstill.stop());
  const readers = { ...base, scheduler, large, udp, standstill, notices: noticesOf };
  const cluster = createCluster(readers);
  const v1 = createV1Bodies(readers, cluster);
  stops.add(() => cluster.stop());
  large.onChange(() => cluster.onLargePackets());
  host?.start();
  if (host) cluster.onHost(host.changes());
  const noteSuspended = (suspendedMs: number): void => {
    logger.info({ suspendedMs }, 'the host was suspended: all paths are probed again');
    store.noteSuspended(suspendedMs);
    peers.observers.noteSuspended(suspendedMs);
    standstill.settle();
    sweep();
  };
  stops.add(watchSuspension({ clock: systemClock, onSuspended: noteSuspended }));
  const refreshPlan = startPlan(store, scheduler, mesh, stops);
  notices = createNotices({ ...readers, cluster, v1, isReady: own.isReady }, stops);
  const source = createAdminSource(readers, cluster, v1);
  return { ...readers, health, cluster, v1, refreshPlan, source, notices };
}

/** Keeps the plan of the results up to date. Returns how to renew it now. */
function startPlan(store: ResultStore, scheduler: Scheduler, mesh: Mesh, stops: Stops): () => void {
  let known = '';
  const refresh = (): void => {
    const plan = mesh.plan(scheduler.plan());
    const text = JSON.stringify(plan);
    if (text === known) return;
    known = text;
    store.setPlan(plan);
  };
  let cancel = (): void => undefined;
  const beat = (): void => {
    refresh();
    cancel = systemClock.after(untilBeatMs(planEveryMs, systemClock.nowMs()), beat);
  };
  beat();
  stops.add(() => cancel());
  return refresh;
}

/** Starts whoever listens: the unix socket, the health port, the responder, the API over TCP, the metrics. */
async function listen(
  { config, logger, pageFolder, onFailure }: AgentOptions,
  parts: Awaited<ReturnType<typeof build>>,
  stops: Stops,
): Promise<Selfcheck> {
  const { source, problems, icmp } = parts;
  stops.add(await startAdminSocket({ config, source, logger, onFailure }));
  logger.info({ node: config.localName, socket: config.socketPath }, 'socket is answering');
  const selfcheck = await startSelfcheck({ ...parts, onFailure });
  stops.add(() => selfcheck.stop());
  noteIcmp(icmp, config, problems, logger);
  await startListeners({ ...parts, selfcheck, pageFolder, onFailure }, stops);
  await parts.udp?.start(stops, onFailure);
  // Requests that wait for a sweep or for events end first: their listeners wait for them.
  stops.add(() => parts.scheduler.stop());
  stops.add(() => parts.cluster.events.end());
  return selfcheck;
}

function noteIcmp(icmp: IcmpEngine, config: Config, problems: Problems, logger: Logger): void {
  if ('prober' in icmp) {
    logger.info({ engine: icmp.name, fallbackReason: icmp.fallbackReason }, 'ICMP engine is open');
  } else if (config.icmpEngine !== 'off') {
    problems.set('icmp-unavailable', icmp.unavailable);
    logger.warn({ reason: icmp.unavailable }, 'ICMP stays unknown, HTTP goes on');
  }
}

function thresholdsOf({ cadence }: Config, protocol: Protocol): Thresholds {
  const { failureThreshold, recoveryThreshold } = cadence[protocol];
  return { failures: failureThreshold, recovery: recoveryThreshold };
}
