import { isDeepStrictEqual } from 'node:util';
import type { Plane } from '../model/path.js';
import type { Target } from '../model/target.js';
import type { Clock } from '../platform/clock.js';
import { ProbeHistory } from '../results/probe-history.js';
import type { TargetProber } from './probers/target-prober.js';
import type { TargetLoad } from './target-plan.js';
import type { ServerTransition, TargetTransition } from './target-results.js';
import { WatchedTarget } from './watched-target.js';

export interface TargetMonitorOptions {
  /** The plane from which this process probes. */
  readonly plane: Plane;
  readonly clock: Clock;
  /** All agents together send a target at most so many probes a second. */
  readonly budgetPerSecond: number;
  /** Makes the prober of a target. It does not fail. */
  readonly createProber: (target: Target) => Promise<TargetProber>;
  /**
   * Called with the reason when a probe of a target cannot be sent, again with each other reason, and with undefined
   * when they are sent or given up.
   */
  readonly onNotSent?: (target: string, reason: string | undefined) => void;
  /** A number from 0 to below 1. */
  readonly random?: () => number;
}

/**
 * Probes all targets from the plane of this process. Nothing is probed before the number of nodes is known,
 * because the intervals follow from it.
 */
export class TargetMonitor {
  readonly #options: Required<TargetMonitorOptions>;
  readonly #history = new ProbeHistory();
  readonly #listeners = new Set<(transition: TargetTransition) => void>();
  readonly #serverListeners = new Set<(transition: ServerTransition) => void>();
  /** By name, in the order of the definition. */
  #watched = new Map<string, WatchedTarget>();
  #targets: readonly Target[] = [];
  #nodes = 0;
  #node = '';
  #isStopped = false;

  constructor(options: TargetMonitorOptions) {
    this.#options = { random: Math.random, onNotSent: () => undefined, ...options };
  }

  /** What the intervals follow from now. */
  get load(): TargetLoad {
    return { nodes: this.#nodes, budgetPerSecond: this.#options.budgetPerSecond };
  }

  /** All targets, also those that are not probed from this plane. */
  get targets(): readonly Target[] {
    return this.#targets;
  }

  /**
   * Takes a whole new list. Targets that are defined as before go on as they are, and the others begin anew. The digest
   * does not tell: a file of headers or certificates is not in it.
   */
  setTargets(targets: readonly Target[]): void {
    this.#targets = targets;
    const before = this.#watched;
    this.#watched = new Map();
    for (const target of targets) {
      if (!target.from.includes(this.#options.plane)) continue;
      const known = before.get(target.name);
      if (known && isDeepStrictEqual(known.target, target)) {
        before.delete(target.name);
        this.#watched.set(target.name, known);
      } else this.#watched.set(target.name, this.#watch(target));
    }
    for (const gone of before.values()) gone.stop();
  }

  /**
   * How many nodes are listed, each with an agent that may probe the same targets.
   * @param node the name of this one
   */
  setNodes(nodes: number, node: string): void {
    this.#node = node;
    const before = this.#nodes;
    // An empty list tells nothing of how many agents probe the same targets: the rate stays.
    if (nodes === 0 || nodes === before) return;
    this.#nodes = nodes;
    for (const watched of this.#watched.values()) {
      if (watched.isBegun) watched.replan();
      else this.#begin(watched);
    }
  }

  /** The target of that name, as it is probed here. */
  get(name: string): WatchedTarget | undefined {
    return this.#watched.get(name);
  }

  /** Every target that is probed here, in the order of the definition. */
  watched(): Iterable<WatchedTarget> {
    return this.#watched.values();
  }

  /** Calls the listener with each target that changes its state. */
  onTransition(listener: (transition: TargetTransition) => void): void {
    this.#listeners.add(listener);
  }

  /** Calls the listener with each DNS server that begins to fail or answers again, beside others that answer. */
  onServer(listener: (transition: ServerTransition) => void): void {
    this.#serverListeners.add(listener);
  }

  stop(): void {
    this.#isStopped = true;
    for (const watched of this.#watched.values()) watched.stop();
    this.#watched.clear();
  }

  #watch(target: Target): WatchedTarget {
    const { plane, clock, random, onNotSent } = this.#options;
    const watched = new WatchedTarget({
      target,
      plane,
      node: () => this.#node,
      clock,
      random,
      history: this.#history,
      load: () => this.load,
      onNotSent,
      onTransition: (transition) => {
        for (const listener of this.#listeners) listener(transition);
      },
      onServer: (transition) => {
        for (const listener of this.#serverListeners) listener(transition);
      },
    });
    if (this.#nodes > 0) this.#begin(watched);
    return watched;
  }

  #begin(watched: WatchedTarget): void {
    if (!this.#isStopped) watched.begin(this.#options.createProber);
  }
}
