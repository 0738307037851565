import { Random } from '../../fuzz/random.js';
import { isTargetFault } from '../../faults/target-kinds.js';
import { agentState } from '../../faults/trouble.js';
import { VirtualClock } from '../lib/virtual-clock.js';
import { defaultCadence } from '../lib/default-cadence.js';
import { SimNetwork } from '../lib/network.js';
import { bootMs, type PlannedFault, type RoundPlan } from './round-plan.js';
import { SimAgent } from '../lib/sim-agent.js';
import { SimEndpoint } from '../lib/sim-endpoint.js';
import type { WatchedCluster } from './watched-cluster.js';

/** A whole cluster on one virtual clock, in which the faults of a plan begin and end. */
export class TimelineCluster implements WatchedCluster {
  readonly clock = new VirtualClock();
  readonly network: SimNetwork;
  readonly agents: (SimAgent | undefined)[];
  /** Where there are targets, the endpoints that probe them. */
  readonly #endpoints: (SimEndpoint | undefined)[];
  readonly #plan: RoundPlan;
  readonly #random: Random;
  #processes = 0;

  constructor(plan: RoundPlan) {
    this.#plan = plan;
    this.#random = new Random(plan.seed ^ 0x5bd1e995);
    this.network = new SimNetwork(plan.layout, this.#random, {
      ...(plan.targetHosts && { targetHosts: plan.targetHosts }),
      ...(plan.labels && { labels: plan.labels.of }),
    });
    this.agents = plan.layout.names.map(() => undefined);
    this.#endpoints = plan.layout.names.map(() => undefined);
    for (const node of plan.layout.names.keys()) {
      this.#startEndpoint(node);
      this.#start(node);
    }
    for (const planned of plan.faults) this.#schedule(planned);
    for (const { node, atMs, awayMs } of plan.restarts) {
      this.clock.after(atMs, () => this.#stop(node));
      this.clock.after(atMs + awayMs, () => this.#start(node));
    }
  }

  nowMs(): number {
    return this.clock.nowMs();
  }

  stop(): void {
    for (const agent of this.agents) agent?.stop();
    for (const endpoint of this.#endpoints) endpoint?.stop();
  }

  #schedule({ fault, beginMs, endMs }: PlannedFault): void {
    const { trouble, nodes } = fault;
    const agentOn = (node: number) => agentState(trouble, node);
    this.clock.after(beginMs, () => {
      this.network.begin(trouble);
      if (isTargetFault(fault)) this.network.targets.begin(fault.targetTrouble);
      for (const node of nodes) {
        if (trouble.isOff?.(node) === true) this.#stopEndpoint(node);
        if (trouble.server?.(node, 'endpoint') === 'hangs') this.#endpoints[node]?.pause();
        if (agentOn(node) === 'gone') this.#stop(node);
        if (agentOn(node) === 'frozen') this.agents[node]?.pause();
      }
    });
    this.clock.after(endMs, () => {
      this.network.end(trouble);
      if (isTargetFault(fault)) this.network.targets.end(fault.targetTrouble);
      for (const node of nodes) {
        if (trouble.server?.(node, 'endpoint') === 'hangs') this.#endpoints[node]?.resume();
        if (agentOn(node) === 'frozen') this.agents[node]?.resume();
        if (agentOn(node) !== 'gone') continue;
        const boots = trouble.isOff?.(node) === true;
        this.clock.after(boots ? bootMs : 0, () => {
          if (boots) this.#startEndpoint(node);
          this.#start(node);
        });
      }
    });
  }

  #start(node: number): void {
    this.network.setAgent(node, true);
    this.agents[node] = new SimAgent({
      node,
      processId: `p${this.#processes++}`,
      clock: this.clock,
      network: this.network,
      random: this.#random,
      cadence: defaultCadence,
      agentOf: (peer) => this.agents[peer],
      endpointOf: (peer) => this.#endpoints[peer],
      hasTargets: this.#plan.targetHosts !== undefined,
      diagnoses: this.#plan.watched.includes(node),
    });
  }

  #startEndpoint(node: number): void {
    if (!this.#plan.targetHosts) return;
    const { clock, network } = this;
    this.#endpoints[node] = new SimEndpoint({ node, clock, network, random: this.#random });
  }

  #stopEndpoint(node: number): void {
    this.#endpoints[node]?.stop();
    this.#endpoints[node] = undefined;
  }

  #stop(node: number): void {
    this.network.setAgent(node, false);
    this.agents[node]?.stop();
    this.agents[node] = undefined;
  }
}
