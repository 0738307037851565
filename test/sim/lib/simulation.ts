import type { Node } from '../../../agent/model/node.js';
import type { Plane } from '../../../agent/model/path.js';
import type { Protocol } from '../../../agent/model/sample.js';
import type { Transition } from '../../../agent/results/result-store.js';
import { Random } from '../../fuzz/random.js';
import { SimNetwork, type Arrival, type SimHost } from './network.js';
import { SimAgent, type Cadences } from './sim-agent.js';
import { VirtualClock } from './virtual-clock.js';

export interface SimulationOptions {
  readonly seed: number;
  readonly agents: number;
  readonly mesh: boolean;
  readonly cadences?: Cadences;
  /** The share of packets that are lost, from 0 to 1. */
  readonly loss?: number;
}

/** A change of one path's state at one agent. */
export interface Change {
  readonly atMs: number;
  readonly agent: string;
  readonly node: string;
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

/** A whole cluster on one virtual clock. The same seed gives the same run. */
export class Simulation {
  readonly random: Random;
  readonly clock = new VirtualClock();
  readonly network: SimNetwork;
  readonly agents: readonly SimAgent[];
  readonly changes: Change[] = [];
  readonly arrivals: Arrival[] = [];

  constructor({ seed, agents, mesh, cadences = cadencesOf5000, loss = 0.001 }: SimulationOptions) {
    this.random = new Random(seed);
    this.network = new SimNetwork({ hosts: agents, random: this.random, loss });
    this.agents = this.network.hosts.map(
      (host) =>
        new SimAgent({
          host,
          clock: this.clock,
          network: this.network,
          random: this.random,
          cadences,
          mesh,
          agentOf: ({ index }) => this.agent(index),
          onTransition: (agent, transition) => this.#onTransition(agent, transition),
        }),
    );
    const nodes = this.network.hosts.map(nodeOf);
    for (const agent of this.agents) agent.start(nodes);
    this.clock.runUntil(warmUpMs);
    if (mesh) this.#introduceAll();
    this.clock.runUntil(warmUpMs + 1000 * this.random.next());
    this.changes.length = 0;
    this.network.onArrival = (arrival) => this.arrivals.push(arrival);
  }

  agent(index: number): SimAgent {
    const agent = this.agents[index];
    if (!agent) throw new RangeError(`expected an agent below ${this.agents.length}, got ${index}`);
    return agent;
  }

  get living(): SimAgent[] {
    return this.agents.filter(({ host }) => host.isAlive);
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

  kill(host: SimHost): void {
    host.isAlive = false;
    this.agent(host.index).stop();
  }

  /** The largest number of probes that arrived at one address by a protocol in any second. */
  busiestSecond(node: string, plane: Plane, protocol: Protocol): number {
    const times = this.arrivals
      .filter((one) => one.to === node && one.plane === plane && one.protocol === protocol)
      .map(({ atMs }) => atMs);
    let most = 0;
    let first = 0;
    times.forEach((atMs, index) => {
      while ((times[first] ?? 0) <= atMs - 1000) first++;
      most = Math.max(most, index - first + 1);
    });
    return most;
  }

  stop(): void {
    for (const agent of this.living) agent.stop();
  }

  /** All agents exchange rows once, as in the first round of GETs. */
  #introduceAll(): void {
    for (const agent of this.agents) {
      for (const peer of this.agents) if (peer !== agent) agent.introduceTo(peer);
      agent.exchanges = true;
    }
  }

  #onTransition({ host }: SimAgent, { path, protocol, after }: Transition): void {
    const { node, plane } = path;
    const { state } = after;
    this.changes.push({ atMs: this.clock.nowMs(), agent: host.name, node, plane, protocol, state });
  }
}

function nodeOf({ name, hostIp, endpointIp, index }: SimHost): Node {
  return { name, host: [hostIp], endpoint: [endpointIp], zone: `zone-${index % 3}` };
}
