import type { Exchange } from '../exchange/exchange.js';
import type { TargetProbing } from '../exchange/hints/target-rumours.js';
import type { Path } from '../model/path.js';
import type { Target } from '../model/target.js';
import type { Peers } from '../peers/peers.js';
import type { Clock } from '../platform/clock.js';
import type { Piggyback } from '../probing/http/piggyback.js';
import type { Scheduler } from '../probing/schedule/scheduler.js';
import { AgentTargets } from '../targets/agent-targets.js';
import type { Signer } from '../targets/endpoint/endpoint-message.js';
import { EndpointPlane } from '../targets/endpoint/endpoint-plane.js';
import { maxNameservers } from '../targets/probers/resolv-conf.js';
import type { TargetProber } from '../targets/probers/target-prober.js';
import { TargetMonitor } from '../targets/target-monitor.js';
import { areFew, besideDelaysMs, hintSpreadMs } from '../targets/target-plan.js';
import type { ServerTransition, TargetTransition } from '../targets/target-results.js';
import { failingServers, type TargetPlaneView, type TargetsView } from '../targets/views.js';

export interface TargetPlanesOptions {
  readonly localName: string;
  readonly clock: Clock;
  readonly keys: Signer;
  readonly budgetPerSecond: number;
  /** Makes the prober of a target from the node. It does not fail. */
  readonly createProber: (target: Target) => Promise<TargetProber>;
  /** Called when probes of a target cannot be sent, and with undefined when that is over. */
  readonly onNotSent?: (target: string, reason: string | undefined) => void;
  /** A number from 0 to below 1. */
  readonly random?: () => number;
}

/** The parts of the agent that the targets need once they are there. */
export interface TargetSurroundings {
  readonly peers: Pick<Peers, 'directory'>;
  readonly scheduler: Pick<Scheduler, 'probeNow'>;
  readonly mesh: Pick<Exchange, 'noteTarget' | 'noteTargetServer' | 'isTargetSeenByOthers'>;
  readonly cluster: {
    onTarget(transition: TargetTransition): void;
    /** A DNS server began to fail or answers again. */
    onTargetServer(): void;
  };
}

/**
 * The targets from both planes of one node: from the node by this agent's own probes, from the pod network by what
 * the endpoint of the node tells.
 */
export class TargetPlanes {
  /** The probes from the node. */
  readonly monitor: TargetMonitor;
  readonly view: TargetsView;
  /** What hints do here. */
  readonly probing: TargetProbing;
  readonly #localName: string;
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #timers = new Set<() => void>();
  readonly #endpoint: EndpointPlane;
  #around: TargetSurroundings | undefined;

  constructor(options: TargetPlanesOptions) {
    const { localName, clock, keys, budgetPerSecond, createProber, onNotSent, random } = options;
    this.#random = random ?? Math.random;
    this.#localName = localName;
    this.#clock = clock;
    this.monitor = new TargetMonitor({
      plane: 'host',
      clock,
      budgetPerSecond,
      createProber,
      ...(onNotSent && { onNotSent }),
      ...(random && { random }),
    });
    this.#endpoint = new EndpointPlane({
      localName,
      clock,
      keys,
      nodes: () => this.monitor.load.nodes,
      askNow: () => this.#askNow(),
    });
    this.view = new AgentTargets(clock, this.monitor, this.#endpoint);
    this.probing = createTargetProbing(this.monitor, this.#endpoint, clock);
  }

  /** What a GET to the endpoint of this node carries; undefined for any other path. */
  ask(path: Path): Piggyback | undefined {
    if (path.node !== this.#localName || path.plane !== 'endpoint' || !this.#isAsked)
      return undefined;
    return path === this.#ownEndpoint ? this.#endpoint.ask() : undefined;
  }

  /** How many nodes are listed. */
  setNodes(nodes: number): void {
    this.monitor.setNodes(nodes, this.#localName);
  }

  /** Tells the other parts of each change from now on, and asks the endpoint of this node. */
  start(around: TargetSurroundings): void {
    this.#around = around;
    for (const plane of [this.monitor, this.#endpoint]) {
      plane.onTransition((transition) => {
        around.cluster.onTarget(transition);
        this.#lookBeside(transition, around);
        around.mesh.noteTarget(transition, transition.before, transition.after);
      });
      plane.onServer((transition) => {
        around.cluster.onTargetServer();
        this.#lookBesideServer(transition);
        around.mesh.noteTargetServer(transition);
      });
    }
    this.#endpoint.start();
  }

  /** Calls the listener with each target that changes its state on one of the planes. */
  onTransition(listener: (transition: TargetTransition) => void): void {
    for (const plane of [this.monitor, this.#endpoint]) plane.onTransition(listener);
  }

  stop(): void {
    for (const cancel of this.#timers) cancel();
    this.#endpoint.stop();
    this.monitor.stop();
  }

  /** A target changed on one plane, so this node looks from the other one too, if others do not tell enough. */
  #lookBeside(transition: TargetTransition, { mesh }: TargetSurroundings): void {
    const { target: name, digest, plane, before, after } = transition;
    if (before.state === 'unknown' && after.state === 'reachable') return;
    const target = this.monitor.targets.find((one) => one.name === name && one.digest === digest);
    if (!target || target.from.length < 2) return;
    const look = (): void => {
      const isSeen = mesh.isTargetSeenByOthers(transition, before, after);
      if (isSeen && !areFew(this.monitor.load)) return;
      if (plane === 'endpoint') {
        const watched = this.monitor.get(name);
        if (watched?.results.state.state !== after.state) watched?.look();
      } else if (this.#endpoint.view(target).state.state !== after.state)
        this.#endpoint.lookNow(name);
    };
    for (const delayMs of besideDelaysMs(this.monitor.load, this.#random)) {
      if (delayMs === 0) look();
      else this.#after(delayMs, look);
    }
  }

  /** The same of one DNS server. Where many nodes look, none does so: what all of them see tells enough. */
  #lookBesideServer({ target: name, plane, server, change }: ServerTransition): void {
    const target = this.monitor.targets.find((one) => one.name === name);
    if (!target || target.from.length < 2 || !areFew(this.monitor.load)) return;
    const watched = this.monitor.get(name);
    const { servers } =
      plane === 'endpoint'
        ? { servers: watched?.view().servers ?? [] }
        : this.#endpoint.view(target);
    if (failingServers(servers).includes(server) === (change === 'failure')) return;
    if (plane === 'endpoint') watched?.look();
    else this.#endpoint.lookNow(name);
  }

  #after(delayMs: number, action: () => void): void {
    const cancel = this.#clock.after(delayMs, () => {
      this.#timers.delete(cancel);
      action();
    });
    this.#timers.add(cancel);
  }

  /** Whether the endpoint of this node has anything to tell. */
  get #isAsked(): boolean {
    return this.monitor.targets.some(({ from }) => from.includes('endpoint'));
  }

  get #ownEndpoint(): Path | undefined {
    return this.#around?.peers.directory.primaryPath(this.#localName, 'endpoint');
  }

  #askNow(): string | undefined {
    if (!this.#isAsked) return undefined;
    const path = this.#ownEndpoint;
    if (!path) return 'no endpoint of this node is listed';
    this.#around?.scheduler.probeNow(path, 'http');
    return undefined;
  }
}

/** How many DNS servers a target may have, on any node. */
function serversOf({ probe }: Target): number {
  if (probe.kind !== 'dns') return 0;
  return probe.dns.servers.length > 0 ? probe.dns.servers.length : maxNameservers;
}

/**
 * Hints make this agent look from its node. Where few look at the target, they also make it ask its endpoint to look; else
 * what the endpoint sees, and that one of several DNS servers fails, it finds out by itself.
 */
function createTargetProbing(
  monitor: TargetMonitor,
  endpoint: EndpointPlane,
  clock: Clock,
): TargetProbing {
  const find = ({ target, digest }: { readonly target: string; readonly digest: number }) =>
    monitor.targets.find((one) => one.name === target && one.digest === digest);
  return {
    isKnown(subject) {
      const target = find(subject);
      if (!target?.from.includes(subject.plane)) return false;
      return subject.server === undefined || subject.server < serversOf(target);
    },
    activity(subject) {
      const { plane, server } = subject;
      const target = find(subject);
      if (!target?.from.includes(plane)) return undefined;
      if (!areFew(monitor.load) && (plane === 'endpoint' || server !== undefined)) return undefined;
      const stateOf = ({ state: { state }, servers }: TargetPlaneView) =>
        server === undefined ? state : (servers[server]?.state.state ?? 'unknown');
      if (plane === 'host') {
        const watched = monitor.get(target.name);
        return watched && { state: stateOf(watched.view()), sentMs: watched.sentMs };
      }
      const row = endpoint.row(target);
      if (!row) return undefined;
      const sentMs = clock.nowMs() - 1000 * row.probedSeconds;
      return { state: stateOf(endpoint.view(target)), sentMs };
    },
    look({ target, plane }) {
      if (plane === 'host') monitor.get(target)?.look();
      else endpoint.lookNow(target);
    },
    spreadMs(subject, change) {
      const target = find(subject);
      if (!target) return Infinity;
      // Both planes see a server change at the same time, so the looks at their hints fall together.
      const spreadMs = hintSpreadMs(target, monitor.load, change);
      return subject.server === undefined ? spreadMs : 2 * spreadMs;
    },
  };
}
