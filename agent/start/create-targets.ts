import type { Logger } from 'pino';
import type { Cluster } from '../cluster/cluster.js';
import type { Config } from '../config/config.js';
import type { TargetProbing } from '../exchange/hints/target-rumours.js';
import type { MeshKeys } from '../exchange/messages/mesh-keys.js';
import type { Path } from '../model/path.js';
import type { Peers } from '../peers/peers.js';
import { systemClock } from '../platform/clock.js';
import type { EventLoop } from '../platform/event-loop.js';
import type { Problems } from '../platform/problems.js';
import type { Piggyback } from '../probing/http/piggyback.js';
import type { IcmpEngine } from '../probing/icmp/engine.js';
import type { Scheduler } from '../probing/schedule/scheduler.js';
import { AgentTargets } from '../targets/agent-targets.js';
import type { TargetsConfig, WatchTargets } from '../targets/definition/targets-config.js';
import { EndpointPlane } from '../targets/endpoint/endpoint-plane.js';
import type { CreateTargetProber } from '../targets/probers/target-prober.js';
import { TargetMonitor } from '../targets/target-monitor.js';
import { hintSpreadMs, targetThresholds } from '../targets/target-plan.js';
import { createTargetLogger } from '../targets/target-logger.js';
import type { TargetsView } from '../targets/views.js';
import type { Mesh } from './create-mesh.js';
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

/** The parts of the agent that the targets need once they are there. */
export interface TargetSurroundings {
  readonly peers: Peers;
  readonly scheduler: Scheduler;
  readonly mesh: Mesh;
  readonly cluster: Cluster;
}

/** The targets of this agent, as its other parts see them. */
export interface Targets {
  readonly view: TargetsView;
  /** What hints do here. */
  readonly probing: TargetProbing;
  /** What a GET to the endpoint of this node carries; undefined for any other path. */
  ask(path: Path): Piggyback | undefined;
  /** How many active nodes there are. */
  setNodes(nodes: number): void;
  /**
   * Reads the targets, and begins to probe them once the nodes are known.
   * @throws ConfigError where the first reading fails
   */
  start(surroundings: TargetSurroundings): Promise<void>;
}

/** Creates what is known of the targets. Nothing is probed yet. */
export function createTargets(options: CreateTargetsOptions, stops: Stops): Targets {
  const { config, logger, eventLoop, icmp, keys, sources } = options;
  const { localName } = config;
  const clock = systemClock;
  const monitor = new TargetMonitor({
    plane: 'host',
    clock,
    budgetPerSecond: sources.config.budgetPerSecond,
    createProber: (target) =>
      sources.createProber(target, {
        eventLoop,
        openIcmp: () => Promise.resolve(icmp),
        thresholds: targetThresholds,
      }),
  });
  stops.add(() => monitor.stop());
  let around: TargetSurroundings | undefined;
  const isAsked = (): boolean => monitor.targets.some(({ from }) => from.includes('endpoint'));
  const ownEndpoint = (): Path | undefined =>
    around?.peers.directory.primaryPath(localName, 'endpoint');
  const endpoint = new EndpointPlane({
    localName,
    clock,
    keys,
    nodes: () => monitor.load.nodes,
    askNow: () => {
      if (!isAsked()) return undefined;
      const path = ownEndpoint();
      if (!path) return 'no endpoint of this node is listed';
      around?.scheduler.probeNow(path, 'http');
      return undefined;
    },
  });
  stops.add(() => endpoint.stop());
  const log = createTargetLogger(logger);
  return {
    view: new AgentTargets(clock, monitor, endpoint),
    probing: createTargetProbing(monitor),
    ask: (path) => {
      if (path.node !== localName || path.plane !== 'endpoint' || !isAsked()) return undefined;
      return path === ownEndpoint() ? endpoint.ask() : undefined;
    },
    setNodes: (nodes) => monitor.setNodes(nodes),
    async start(surroundings) {
      around = surroundings;
      for (const plane of [monitor, endpoint]) {
        plane.onTransition(log);
        plane.onTransition((transition) => {
          const { before, after } = transition;
          surroundings.cluster.onTarget(transition);
          surroundings.mesh.noteTarget(transition, before, after);
        });
      }
      stops.add(await watch(options, monitor));
      endpoint.start();
    },
  };
}

/** Hints make this agent look from its node. What the endpoint sees, it finds out by itself. */
function createTargetProbing(monitor: TargetMonitor): TargetProbing {
  const find = ({ target, digest }: { readonly target: string; readonly digest: number }) =>
    monitor.targets.find((one) => one.name === target && one.digest === digest);
  return {
    isKnown: (subject) => find(subject)?.from.includes(subject.plane) === true,
    activity(subject) {
      const watched = subject.plane === 'host' ? monitor.get(subject.target) : undefined;
      if (watched?.target.digest !== subject.digest) return undefined;
      return { state: watched.results.state.state, sentMs: watched.sentMs };
    },
    look: ({ target }) => monitor.get(target)?.look(),
    spreadMs(subject) {
      const target = find(subject);
      return target ? hintSpreadMs(target, monitor.load) : Infinity;
    },
  };
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
