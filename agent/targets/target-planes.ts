import type { EndpointHost } from '../model/endpoint-host.js';
import type { PathState } from '../model/path-state.js';
import type { Path, Plane } from '../model/path.js';
import type { Target } from '../model/target.js';
import type { Clock } from '../platform/clock.js';
import type { Piggyback } from '../probing/http/piggyback.js';
import type { Scheduler } from '../probing/schedule/scheduler.js';
import { AgentTargets } from './agent-targets.js';
import type { Signer } from '../model/signed-fields.js';
import { EndpointPlane } from './endpoint/endpoint-plane.js';
import { createHintedTargets, type HintedTargets, type HintedTarget } from './hinted-targets.js';
import type { TargetProber } from './probers/target-prober.js';
import { TargetMonitor } from './target-monitor.js';
import { areFew, besideDelaysMs } from './target-plan.js';
import type { ServerTransition, TargetTransition } from './target-results.js';
import { failingServers, type TargetsView } from './views.js';

export interface TargetPlanesOptions {
  readonly localName: string;
  readonly clock: Clock;
  readonly keys: Signer;
  readonly budgetPerSecond: number;
  /** Whether the endpoint is asked for the signs of its network; left out, it is not. */
  readonly wantsSigns?: boolean;
  /** Makes the prober of a target from the node. It does not fail. */
  readonly createProber: (target: Target) => Promise<TargetProber>;
  /** Called when probes of a target cannot be sent, and with undefined when that is over. */
  readonly onNotSent?: (target: string, reason: string | undefined) => void;
  /** A number from 0 to below 1. */
  readonly random?: () => number;
}

/** What tells other agents of changes. */
export interface TargetTeller {
  noteTarget(subject: HintedTarget, before: PathState, after: PathState): void;
  noteTargetServer(transition: ServerTransition): void;
  /** Whether another node lately told that a target changed in the same way. */
  isTargetSeenByOthers(subject: HintedTarget, before: PathState, after: PathState): boolean;
}

/** The parts of the agent that the targets need once they are there. */
export interface TargetSurroundings {
  readonly peers: {
    readonly directory: { primaryPath(node: string, plane: Plane): Path | undefined };
  };
  readonly scheduler: Pick<Scheduler, 'probeNow'>;
  readonly mesh: { readonly witness: TargetTeller };
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
  readonly probing: HintedTargets;
  readonly #localName: string;
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #timers = new Set<() => void>();
  readonly #endpoint: EndpointPlane;
  #around: TargetSurroundings | undefined;

  constructor(options: TargetPlanesOptions) {
    const { localName, clock, keys, budgetPerSecond, createProber, onNotSent, random } = options;
    const { wantsSigns = false } = options;
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
      wantsSigns,
      nodes: () => this.monitor.load.nodes,
      askNow: () => this.#askNow(),
    });
    this.view = new AgentTargets(clock, this.monitor, this.#endpoint);
    this.probing = createHintedTargets(this.monitor, this.#endpoint, clock);
  }

  /** Whether there is an endpoint of this node, and a target that it is to probe. */
  asksEndpoint(): boolean {
    return this.#isAsked && this.#ownEndpoint !== undefined;
  }

  /** What the endpoint of this node tells of its network; undefined where it lately told nothing of it. */
  endpointHost(): EndpointHost | undefined {
    return this.#endpoint.host();
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
        this.#probeBeside(transition, around);
        around.mesh.witness.noteTarget(transition, transition.before, transition.after);
      });
      plane.onServer((transition) => {
        around.cluster.onTargetServer();
        this.#probeBesideServer(transition);
        around.mesh.witness.noteTargetServer(transition);
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

  /** A target changed on one plane, so this node probes from the other one too, if others do not tell enough. */
  #probeBeside(transition: TargetTransition, { mesh }: TargetSurroundings): void {
    const { target: name, digest, plane, before, after } = transition;
    if (before.state === 'unknown' && after.state === 'reachable') return;
    const target = this.monitor.targets.find((one) => one.name === name && one.digest === digest);
    if (!target || target.from.length < 2) return;
    const probe = (): void => {
      const isSeen = mesh.witness.isTargetSeenByOthers(transition, before, after);
      if (isSeen && !areFew(this.monitor.load)) return;
      if (plane === 'endpoint') {
        const watched = this.monitor.get(name);
        if (watched?.results.state.state !== after.state) watched?.probeSoon();
      } else if (this.#endpoint.view(target).state.state !== after.state)
        this.#endpoint.probeNow(name);
    };
    for (const delayMs of besideDelaysMs(this.monitor.load, this.#random)) {
      if (delayMs === 0) probe();
      else this.#after(delayMs, probe);
    }
  }

  /** The same of one DNS server. Where many nodes probe it, none does so: what all of them see tells enough. */
  #probeBesideServer({ target: name, plane, server, change }: ServerTransition): void {
    const target = this.monitor.targets.find((one) => one.name === name);
    if (!target || target.from.length < 2 || !areFew(this.monitor.load)) return;
    const watched = this.monitor.get(name);
    const { servers } =
      plane === 'endpoint'
        ? { servers: watched?.view().servers ?? [] }
        : this.#endpoint.view(target);
    if (failingServers(servers).includes(server) === (change === 'failure')) return;
    if (plane === 'endpoint') watched?.probeSoon();
    else this.#endpoint.probeNow(name);
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
