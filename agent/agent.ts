import type { Logger } from 'pino';
import { systemClock } from './platform/clock.js';
import type { Config } from './config/config.js';
import { createNodeSource } from './discovery/create-node-source.js';
import type { Exchange } from './exchange/exchange.js';
import type { Node } from './model/node.js';
import { monitorEventLoop, type EventLoop } from './platform/event-loop.js';
import { latestOnly } from './platform/latest-only.js';
import { daemonHealthBody } from './reports/daemon-health-body.js';
import { createHttpProber } from './probing/http/http-prober.js';
import { openTcpInfo } from './probing/http/tcp-info.js';
import { openIcmpEngine, type IcmpEngine } from './probing/icmp/engine.js';
import { ProtocolScheduler } from './probing/schedule/protocol-scheduler.js';
import type { Prober } from './probing/prober.js';
import type { Protocol } from './model/sample.js';
import { Scheduler } from './probing/schedule/scheduler.js';
import { Problems } from './platform/problems.js';
import { createAgentMetrics } from './create-agent-metrics.js';
import { startCluster } from './start-cluster.js';
import { startExchange } from './start-exchange.js';
import { createAnswer } from './serving/responder/answer.js';
import { startResponder } from './serving/responder/responder.js';
import { startSelfcheck } from './selfcheck/create-selfcheck.js';
import { createHistorySource } from './reports/history-body.js';
import type { Thresholds } from './model/path-state.js';
import { ResultStore } from './results/result-store.js';
import { createTransitionLogger } from './results/transition-logger.js';
import type { StatusOptions } from '../api/routes/read-handlers.js';
import { createStatusWriter } from './reports/status-body.js';
import { startAdminSocket } from './serving/admin-socket.js';
import { startApiListener } from './serving/api-listener.js';
import { startMetricsListener } from './serving/metrics-listener.js';
import { createStatusSource } from './reports/status-source.js';

export interface AgentOptions {
  readonly config: Config;
  readonly logger: Logger;
  /** The script that reads a nodes file on a thread of its own. */
  readonly nodesFileWorker: URL;
  /** Where the build has put the dashboard page. */
  readonly pageFolder: URL;
  /** Called when a running part fails: the process then ends with that reason. */
  readonly onFailure: (reason: Error) => void;
}

/**
 * Probes that are due within this time go out together, because each wake-up costs as much as a
 * probe. HTTP probes are timed in this process, so those of one group wait for each other: the
 * group is short.
 */
const groupMs = { kernel: 60, 'net-ping': 5, http: 75 } as const;

/** How often the plan is checked for changes: it gets better as more peers are heard. */
const planEveryMs = 1000;

/** How long local trouble stays among the problems after it was last met. */
const notSentShownMs = 60_000;

/**
 * Builds one agent out of its parts and starts them. The socket comes first, so that it answers
 * whatever comes after; then the responder; then the node list and the probing. Resolves with a
 * function that stops them all.
 * @throws ConfigError where the node list is bad, StartError where the machine refuses a part
 */
export async function startAgent(options: AgentOptions): Promise<() => Promise<void>> {
  const { config, logger, onFailure } = options;
  const problems = new Problems();
  const eventLoop = monitorEventLoop();
  const icmp = await openIcmpEngine(config.icmpEngine, eventLoop);
  const unavailable = 'unavailable' in icmp ? { icmp: icmp.unavailable } : {};
  const thresholds = { icmp: thresholdsOf(config, 'icmp'), http: thresholdsOf(config, 'http') };
  const store = new ResultStore({ thresholds });
  store.onTransition(createTransitionLogger(logger));
  let isReady = (): boolean => false;
  const mesh =
    config.mesh &&
    startExchange({
      config,
      mesh: config.mesh,
      logger,
      problems,
      store,
      eventLoop,
      scheduler: () => scheduler,
      isReady: () => isReady(),
    });
  const scheduler: Scheduler = new Scheduler(
    await createSchedulers(options, icmp, eventLoop, store, problems, mesh?.exchange),
    (path, protocol, change) => mesh?.exchange.noteSuspicion(path, protocol, change),
  );
  const { cluster, onNodeList } = startCluster({
    config,
    store,
    scheduler,
    exchange: mesh?.exchange,
    isReady: () => isReady(),
    isStarved: () => mesh?.isStarved() ?? false,
  });
  const currentPlan = () => mesh?.plan(scheduler.plan()) ?? scheduler.plan();
  const refreshPlan = (): void => {
    const plan = currentPlan();
    if (JSON.stringify(plan) !== JSON.stringify(store.plan)) store.setPlan(plan);
  };
  store.setPlan(currentPlan());
  const planTimer = setInterval(refreshPlan, planEveryMs).unref();
  const statusContext = {
    localName: config.localName,
    thresholds,
    unavailable,
    openFindings: () => cluster.openFindings,
  };
  const fullStatus = createStatusSource(store, createStatusWriter(statusContext));
  const briefStatus = createStatusSource(
    store,
    createStatusWriter({ ...statusContext, isBrief: true }),
  );
  const status = (options?: StatusOptions) =>
    options?.isBrief ? briefStatus(options) : fullStatus(options);
  const history = createHistorySource(store, config.clusterName);

  const stops: (() => void | Promise<void>)[] = [
    () => scheduler.stop(),
    () => eventLoop.stop(),
    () => mesh?.stop(),
    () => clearInterval(planTimer),
    () => cluster.stop(),
  ];
  const stop = async (): Promise<void> => {
    for (let part = stops.pop(); part; part = stops.pop()) await part();
  };
  try {
    const echoCounts = 'prober' in icmp ? icmp.prober.counts : undefined;
    const plan = () => store.plan;
    const exchange = mesh?.exchange;
    const healthz = () =>
      daemonHealthBody({
        problems,
        eventLoop,
        plan,
        echoCounts,
        ...(exchange && { exchange }),
      });
    const probe = () => scheduler.sweep();
    stops.unshift(
      await startAdminSocket({
        config,
        source: { status, history, v1: cluster, daemonHealth: healthz, probe },
        onFailure,
      }),
    );
    logger.info({ node: config.localName, socket: config.socketPath }, 'socket is answering');
    const selfcheck = await startSelfcheck({
      config,
      logger,
      problems,
      icmp,
      scheduler,
      store,
      eventLoop,
      onFailure,
    });
    stops.push(() => selfcheck.stop());
    isReady = () => selfcheck.isReady();
    if ('unavailable' in icmp && config.icmpEngine !== 'off') {
      problems.set('icmp-unavailable', icmp.unavailable, 'error');
      logger.warn({ reason: icmp.unavailable }, 'ICMP stays unknown, HTTP goes on');
    }
    if ('prober' in icmp) {
      logger.info(
        { engine: icmp.name, fallbackReason: icmp.fallbackReason },
        'ICMP engine is open',
      );
    }
    const { listenAddresses: addresses, probePort: port } = config;
    const responder = await startResponder({
      addresses,
      port,
      onFailure,
      ...(exchange && {
        answer: createAnswer((header, remoteAddress) => exchange.answer(header, remoteAddress)),
      }),
    });
    stops.unshift(() => responder.stop());
    if (config.apiListen || config.metricsListen) {
      const metrics = await createAgentMetrics({
        cluster,
        store,
        eventLoop,
        isReady,
        exchange: mesh?.exchange,
        nodeSource: selfcheck.nodeSource,
      });
      if (config.apiListen) {
        stops.unshift(
          await startApiListener({
            at: config.apiListen,
            tokenFile: config.apiTokenFile,
            allowedHosts: config.apiAllowedHosts,
            corsOrigins: config.apiCorsOrigins,
            pageFolder: options.pageFolder,
            source: { status, history, v1: cluster },
            metrics,
            logger,
            onFailure,
          }),
        );
      }
      if (config.metricsListen) {
        const at = config.metricsListen;
        stops.unshift(await startMetricsListener({ at, source: metrics, logger, onFailure }));
      }
    }
    const report = selfcheck.nodeSource.onSourceState.bind(selfcheck.nodeSource);
    const source = createNodeSource({ ...config, ...options, report });
    stops.push(() => source.stop());
    const takeNodes = latestOnly(async (nodes: readonly Node[]) => {
      const listed = config.probeEndpoints ? nodes : nodes.map(withoutEndpoint);
      const changes = await store.setNodesInSlices(listed);
      exchange?.update(listed, changes);
      await scheduler.updateInSlices(changes);
      store.setPlan(currentPlan());
      selfcheck.nodeSource.onNodeList(listed);
      onNodeList(listed, changes);
      noteLocalNode(listed, config.localName, problems, logger);
      logger.info(
        { nodes: listed.length, added: changes.added.length, removed: changes.removed.length },
        'node list received',
      );
    }, onFailure);
    await source.start(takeNodes);
  } catch (error) {
    await stop();
    throw error;
  }
  return stop;
}

async function createSchedulers(
  { config, logger }: AgentOptions,
  icmp: IcmpEngine,
  eventLoop: EventLoop,
  store: ResultStore,
  problems: Problems,
  exchange: Exchange | undefined,
): Promise<Partial<Record<Protocol, ProtocolScheduler>>> {
  const noteNotSent = (protocol: Protocol, reason: string): void => {
    const text = `${protocol} probes could not be sent: ${reason}`;
    if (problems.setFor(`not-sent:${protocol}`, text, notSentShownMs, 'error')) {
      logger.warn({ protocol, reason }, 'probes could not be sent');
    }
  };
  const createProtocolScheduler = (
    protocol: Protocol,
    prober: Prober,
    group: keyof typeof groupMs,
  ): ProtocolScheduler =>
    new ProtocolScheduler({
      prober,
      cadence: config.cadence[protocol],
      groupMs: groupMs[group],
      clock: systemClock,
      record: (path, sample) => {
        if (sample.outcome === 'not-sent') noteNotSent(protocol, sample.detail);
        exchange?.noteSample(path, protocol, sample);
        return store.record(path, protocol, sample);
      },
    });
  const readTcpInfo = await openTcpInfo();
  const http = createHttpProber({
    port: config.probePort,
    eventLoop,
    readTcpInfo,
    ...(exchange && { createPiggyback: (path) => exchange.ask(path) }),
  });
  return {
    ...('prober' in icmp && { icmp: createProtocolScheduler('icmp', icmp.prober, icmp.name) }),
    http: createProtocolScheduler('http', http, 'http'),
  };
}

function thresholdsOf({ cadence }: Config, protocol: Protocol): Thresholds {
  const { failureThreshold, recoveryThreshold } = cadence[protocol];
  return { failures: failureThreshold, recovery: recoveryThreshold };
}

function withoutEndpoint(node: Node): Node {
  return { ...node, endpoint: [] };
}

function noteLocalNode(
  nodes: readonly Node[],
  name: string,
  problems: Problems,
  logger: Logger,
): void {
  if (nodes.some((node) => node.name === name)) {
    problems.clear('local-node');
  } else if (
    problems.set('local-node', `this agent's node ${name} is not in the node list (--node-name)`)
  ) {
    logger.warn({ node: name }, 'this node is not in the node list; probing goes on');
  }
}
