import type { Logger } from 'pino';
import type { Config } from '../config/config.js';
import type { TargetProbing } from '../exchange/hints/target-rumours.js';
import type { MeshKeys } from '../exchange/messages/mesh-keys.js';
import type { EndpointHost } from '../model/endpoint-host.js';
import type { Path } from '../model/path.js';
import { systemClock } from '../platform/clock.js';
import type { EventLoop } from '../platform/event-loop.js';
import { untilDiskAnswers } from '../platform/slow-disk.js';
import type { Problems } from '../platform/problems.js';
import type { Piggyback } from '../probing/http/piggyback.js';
import type { IcmpEngine } from '../probing/icmp/engine.js';
import type { TargetsConfig, WatchTargets } from '../targets/definition/targets-config.js';
import type { CreateTargetProber } from '../targets/probers/target-prober.js';
import type { TargetMonitor } from '../targets/target-monitor.js';
import { targetThresholds } from '../targets/target-plan.js';
import { createTargetLogger } from '../targets/target-logger.js';
import { TargetPlanes, type TargetSurroundings } from '../targets/target-planes.js';
import type { TargetsView } from '../targets/views.js';
import type { Stops } from './stops.js';

/** Where the targets come from, and how they are probed. */
export interface TargetSources {
  readonly config: TargetsConfig;
  readonly watch: WatchTargets;
  readonly createProber: CreateTargetProber;
}

export interface CreateTargetsOptions {
  readonly config: Config;
  readonly logger: Logger;
  readonly problems: Problems;
  readonly eventLoop: EventLoop;
  readonly icmp: IcmpEngine;
  readonly keys: MeshKeys;
  readonly sources: TargetSources;
}

/** The targets of this agent, as its other parts see them. */
export interface Targets {
  readonly view: TargetsView;
  /** What hints do here. */
  readonly probing: TargetProbing;
  /** What a GET to the endpoint of this node carries; undefined for any other path. */
  ask(path: Path): Piggyback | undefined;
  /** Whether there is an endpoint of this node, and a target that it is to probe. */
  asksEndpoint(): boolean;
  /** What the endpoint of this node tells of its network; undefined where it lately told nothing of it. */
  endpointHost(): EndpointHost | undefined;
  /** How many nodes are listed. */
  setNodes(nodes: number): void;
  /**
   * Reads the targets, and begins to probe them once the nodes are known.
   * @throws ConfigError where the first reading fails
   */
  start(surroundings: TargetSurroundings): Promise<void>;
}

/** Creates what is known of the targets. Nothing is probed yet. */
export function createTargets(options: CreateTargetsOptions, stops: Stops): Targets {
  const { config, logger, problems, eventLoop, icmp, keys, sources } = options;
  const planes = new TargetPlanes({
    localName: config.localName,
    clock: systemClock,
    keys,
    budgetPerSecond: sources.config.budgetPerSecond,
    wantsSigns: config.hostSigns,
    onNotSent(target, reason) {
      const cause = `not-sent:target ${target}` as const;
      if (reason === undefined) problems.clear(cause);
      else if (problems.set(cause, `probes of the target ${target} could not be sent: ${reason}`))
        logger.warn({ target, reason }, 'probes of a target could not be sent');
    },
    createProber: (target) =>
      sources.createProber(target, {
        eventLoop,
        openIcmp: () => Promise.resolve(icmp),
        thresholds: targetThresholds,
      }),
  });
  stops.add(() => planes.stop());
  return {
    view: planes.view,
    probing: planes.probing,
    ask: (path) => planes.ask(path),
    asksEndpoint: () => planes.asksEndpoint(),
    endpointHost: () => planes.endpointHost(),
    setNodes: (nodes) => planes.setNodes(nodes),
    async start(surroundings) {
      planes.onTransition(createTargetLogger(logger));
      await untilFileAnswers(options);
      stops.add(await watch(options, planes.monitor));
      planes.start(surroundings);
    },
  };
}

/** The node list waits for the first reading too, so a disk that hangs must have a name. */
async function untilFileAnswers({
  logger,
  problems,
  sources,
}: CreateTargetsOptions): Promise<void> {
  const { file } = sources.config;
  if (file === undefined) return;
  await untilDiskAnswers(file, (words) => {
    if (problems.set('targets-file', words)) logger.warn({ path: file }, words);
  });
  problems.clear('targets-file');
}

function watch(
  { logger, problems, sources }: CreateTargetsOptions,
  monitor: TargetMonitor,
): Promise<() => void> {
  return sources.watch({
    config: sources.config,
    onTargets(targets) {
      monitor.setTargets(targets);
      logger.info({ targets: targets.map(({ name }) => name) }, 'targets received');
    },
    report({ path, lastError }) {
      if (lastError === undefined) problems.clear('targets-file');
      else if (problems.set('targets-file', `${path}: ${lastError}; the last good targets stay`)) {
        logger.warn(
          { path, reason: lastError },
          'the targets file is bad; the last good one stays',
        );
      }
    },
  });
}
