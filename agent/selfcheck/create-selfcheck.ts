import type { Logger } from 'pino';
import { systemClock, type Clock } from '../platform/clock.js';
import type { KubeletSource } from '../../api/routes/kubelet.js';
import type { Config } from '../config/config.js';
import { StartError } from '../platform/errors.js';
import type { Node } from '../model/node.js';
import type { EventLoop } from '../platform/event-loop.js';
import { openResidentMemory } from '../platform/resident-memory.js';
import { runInSlices } from '../platform/time-slices.js';
import type { Problems } from '../platform/problems.js';
import type { Standstill } from '../platform/standstill.js';
import { createHttpProber } from '../probing/http/http-prober.js';
import type { IcmpEngine } from '../probing/icmp/engine.js';
import type { Scheduler } from '../probing/schedule/scheduler.js';
import type { ResultStore } from '../results/result-store.js';
import { startHealthListener, type HealthListener } from '../serving/health-listener.js';
import { createAddressConflictReporter } from './address-conflicts.js';
import { Checks } from './checks.js';
import type { Health } from './health.js';
import { createLocalNetworkReporter } from './local-network.js';
import { createLocalNodeReporter } from './local-node-health.js';
import { firstSweepCheck, peersCheck } from './mesh-checks.js';
import { NodeSourceHealth } from './node-source-health.js';
import { countPeers } from './peers.js';
import { httpCheck, icmpCheck } from './probing-checks.js';
import { eventLoopCheck, memoryCheck, schedulerCheck } from './process-checks.js';
import { responderCheck, socketCheck } from './serving-checks.js';
import { createHealthReporter } from './health-reporter.js';

export interface SelfcheckOptions {
  readonly config: Config;
  readonly logger: Logger;
  readonly problems: Problems;
  readonly icmp: IcmpEngine;
  readonly scheduler: Pick<Scheduler, 'stats' | 'isSwept' | 'extendDeadlines'>;
  readonly store: Pick<ResultStore, 'paths' | 'localFailures'>;
  readonly eventLoop: EventLoop;
  readonly standstill: Pick<Standstill, 'isSettling'>;
  /** Where the parts report how they are. */
  readonly health: Health;
  readonly onFailure: (reason: Error) => void;
  readonly clock?: Clock;
}

export interface Selfcheck {
  /** The node source reports here what it waits for. */
  readonly nodeSource: NodeSourceHealth;
  /** A whole node list came. */
  onNodeList(nodes: readonly Node[]): void;
  /** Whether the agent is ready, as the kubelet sees it. */
  isReady(): boolean;
  stop(): Promise<void>;
}

/** A little more than the time between two checks, so that no stall is missed. */
const stallWindowMs = 1500;

/**
 * Starts the checks of all parts of the agent, and serves the results on the health port.
 * @throws StartError where the health port cannot be had
 */
export async function startSelfcheck(options: SelfcheckOptions): Promise<Selfcheck> {
  const { config, logger, problems, icmp, scheduler, store, eventLoop, standstill, health } =
    options;
  const { clock = systemClock } = options;
  const stats = () => scheduler.stats();
  const report = health.register({
    name: 'config',
    timeoutMs: Infinity,
    allowedFailures: 0,
    live: false,
    ready: true,
  });
  report({ ok: true, message: 'loaded' });
  const nodeSource = new NodeSourceHealth({ health, clock, logger, problems });
  const { localName } = config;
  const reportLocalNode = createLocalNodeReporter({ localName, health, logger, problems });
  const reportConflicts = createAddressConflictReporter({ logger, problems });
  const firstSweep = firstSweepCheck({
    isListed: () => nodeSource.isListed,
    stats,
    isSwept: () => scheduler.isSwept,
  });
  const readTcpInfo = () => undefined;
  const prober = createHttpProber({ port: config.probePort, eventLoop, readTcpInfo });
  const reportChanges = createHealthReporter({ health, logger, problems });
  const reportLocalNetwork = createLocalNetworkReporter({
    localFailures: (protocol) => store.localFailures(protocol),
    logger,
    problems,
  });
  const checks = new Checks(
    [
      icmpCheck(icmp, stats),
      httpCheck(stats),
      responderCheck(prober, config.listenAddresses, localName),
      socketCheck(config.socketPath),
      schedulerCheck(stats),
      firstSweep,
      peersCheck({
        clock,
        readinessWindowMs: config.readinessWindowMs,
        isSwept: () => scheduler.isSwept,
        isSettling: () => standstill.isSettling(),
        peersReached: () => runInSlices(countPeers(store.paths.nodeSummaries(), localName)),
      }),
      eventLoopCheck(() => eventLoop.longestWorkMs(stallWindowMs)),
      memoryCheck(config.maxMemoryMib, openResidentMemory()),
    ],
    {
      clock,
      health,
      onTick() {
        nodeSource.tick();
        reportChanges();
        reportLocalNetwork();
      },
      onProcessStall: (ms) => scheduler.extendDeadlines(ms),
    },
  );
  const listener = await startListener(options, {
    live: () => health.live(),
    ready: () => health.ready(),
    status: () => health.status(),
    checkup: () => checks.checkup(),
  });
  if (listener) logger.info(listener.address, 'health port is listening');
  checks.start();
  return {
    nodeSource,
    onNodeList(nodes) {
      nodeSource.onNodeList(nodes);
      reportLocalNode(nodes);
      reportConflicts(nodes);
    },
    isReady: () => health.ready().ok,
    async stop() {
      checks.stop();
      prober.close();
      await listener?.stop();
    },
  };
}

/**
 * Starts the health port unless it is off. If it is only the default and cannot be had, the agent
 * runs without it and says so: a second agent of a host still does its work.
 */
async function startListener(
  { config, logger, problems, onFailure }: SelfcheckOptions,
  source: KubeletSource,
): Promise<HealthListener | undefined> {
  const { healthListen: at, healthListenIsDefault } = config;
  if (!at) return undefined;
  try {
    return await startHealthListener({ at, source, onFailure });
  } catch (error) {
    if (!healthListenIsDefault || !(error instanceof StartError)) throw error;
    problems.set('health-port', `there is no health port: ${error.message}`);
    logger.warn({ reason: error.message }, 'there is no health port; probing goes on');
    return undefined;
  }
}
