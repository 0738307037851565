import type { Plane } from '../../../agent/model/path.js';
import type { Protocol } from '../../../agent/model/sample.js';
import type { Transition } from '../../../agent/results/result-store.js';
import type { Cadence } from '../../../agent/probing/schedule/plan.js';
import { Random } from '../../fuzz/random.js';
import type { Trouble } from '../../faults/trouble.js';
import { layoutOf } from '../diagnosis/scenarios/random-layout.js';
import { mostInASecond } from './most-in-a-second.js';
import { SimNetwork, type Arrival } from './network.js';
import { SimAgent } from './sim-agent.js';
import { VirtualClock } from './virtual-clock.js';

export type Cadences = Readonly<Record<Protocol, Cadence>>;

export interface SimulationOptions {
  readonly seed: number;
  readonly agents: number;
  readonly mesh: boolean;
  readonly cadences?: Cadences;
  /** The share of probes that are lost without a fault, from 0 to 1. */
  readonly loss?: number;
}

/** A change of one path's state at one agent. */
export interface Change {
  readonly atMs: number;
  readonly agent: number;
  readonly node: number;
  readonly plane: Plane;
  readonly protocol: Protocol;
  readonly state: string;
}

/** The intervals of an agent among 5,000 nodes with two addresses each, at the default budgets. */
export const cadencesOf5000: Cadences = {
  icmp: {
    intervalMs: 40_000,
    budgetPerSecond: 250,
    timeoutMs: 1000,
    failureThreshold: 3,
    recoveryThreshold: 2,
  },
  http: {
    intervalMs: 250_000,
    budgetPerSecond: 40,
    timeoutMs: 1000,
    failureThreshold: 3,
    recoveryThreshold: 2,
  },
};

/** The time in which every agent probes each path once. */
const warmUpMs = 4000;

const zones = 3;

/** A whole cluster on one virtual clock. The same seed gives the same run. */
export class Simulation {
  readonly random: Random;
  readonly clock = new VirtualClock();
  readonly network: SimNetwork;
  readonly agents: readonly SimAgent[];
  readonly changes: Change[] = [];
  readonly #arrivals: (Arrival & { readonly atMs: number })[] = [];
  readonly #gone = new Set<number>();

  constructor({ seed, agents, mesh, cadences = cadencesOf5000, loss = 0.002 }: SimulationOptions) {
    this.random = new Random(seed);
    const layout = layoutOf(agents, zones, (node) => node % zones);
    this.network = new SimNetwork(layout, this.random, { strayLoss: loss });
    let exchanges = false;
    this.agents = layout.names.map(
      (_, node) =>
        new SimAgent({
          node,
          processId: `p${node}`,
          clock: this.clock,
          network: this.network,
          random: this.random,
          cadence: cadences,
          agentOf: (peer) => (this.#gone.has(peer) ? undefined : this.agents[peer]),
          endpointOf: () => undefined,
          hasTargets: false,
          diagnoses: false,
          isMeshOn: mesh,
          exchanges: () => exchanges,
          onTransition: (transition) => this.#onTransition(node, transition),
        }),
    );
    this.clock.runUntil(warmUpMs);
    if (mesh) this.#introduceAll();
    exchanges = mesh;
    this.clock.runUntil(warmUpMs + 1000 * this.random.next());
    this.changes.length = 0;
    this.network.onArrival = (arrival) =>
      this.#arrivals.push({ ...arrival, atMs: this.clock.nowMs() });
  }

  /** @throws {@link RangeError} if there is no such node */
  agent(node: number): SimAgent {
    const agent = this.agents[node];
    if (!agent) throw new RangeError(`expected a node below ${this.agents.length}, got ${node}`);
    return agent;
  }

  nameOf(node: number): string {
    return this.network.nodes[node]?.name ?? '';
  }

  /** The agents that run. */
  get running(): SimAgent[] {
    return this.agents.filter(({ node }) => !this.#gone.has(node));
  }

  run(ms: number): void {
    this.clock.runUntil(this.clock.nowMs() + ms);
  }

  /**
   * Runs until a condition on the states holds or the time is over. It checks the condition after
   * each change of a state.
   */
  runUntil(holds: () => boolean, maxMs: number): void {
    const endMs = this.clock.nowMs() + maxMs;
    let seen = -1;
    while (this.clock.nowMs() < endMs) {
      if (seen !== this.changes.length && holds()) return;
      seen = this.changes.length;
      this.run(100);
    }
  }

  /** Begins a trouble that ends the agents of these nodes. */
  endAgents(nodes: readonly number[], trouble: Trouble): void {
    this.network.begin(trouble);
    for (const node of nodes) {
      this.#gone.add(node);
      this.agent(node).stop();
    }
  }

  /** The largest number of probes that arrived at one address by a protocol in any second. */
  busiestSecond(node: number, plane: Plane, protocol: Protocol): number {
    const times = this.#arrivals
      .filter((one) => one.node === node && one.plane === plane && one.protocol === protocol)
      .map(({ atMs }) => atMs);
    return mostInASecond(times);
  }

  stop(): void {
    for (const agent of this.running) agent.stop();
  }

  /** All agents exchange rows once, as in the first round of GETs. */
  #introduceAll(): void {
    for (const agent of this.agents) {
      for (const peer of this.agents) if (peer !== agent) agent.introduceTo(peer);
    }
  }

  #onTransition(agent: number, { path, protocol, after }: Transition): void {
    const [atMs, node] = [this.clock.nowMs(), this.network.numberOf(path)];
    this.changes.push({ atMs, agent, node, plane: path.plane, protocol, state: after.state });
  }
}
