import { MeshKeys } from '../../../agent/exchange/messages/mesh-keys.js';
import type { Clock } from '../../../agent/platform/clock.js';
import { createEndpointAnswer } from '../../../agent/targets/endpoint/endpoint-answer.js';
import { TargetMonitor } from '../../../agent/targets/target-monitor.js';
import type { Random } from '../../fuzz/random.js';
import type { SimNetwork } from './network.js';
import { PausableClock } from './pausable-clock.js';
import { createSimTargetProber } from './target-prober.js';
import { simTargets } from './target-network.js';
import { targetBudget } from './default-cadence.js';

export interface SimEndpointOptions {
  readonly node: number;
  readonly clock: Clock;
  readonly network: SimNetwork;
  readonly random: Random;
}

/** The responder in the endpoint of a node: it probes the targets from the pod network. */
export class SimEndpoint {
  /** Answers a GET of the agent of the same node. */
  readonly answer: ReturnType<typeof createEndpointAnswer>;
  readonly #clock: PausableClock;
  readonly #monitor: TargetMonitor;

  constructor({ node, clock, network, random }: SimEndpointOptions) {
    this.#clock = new PausableClock(clock);
    const place = { node, plane: 'endpoint', clock: this.#clock, network } as const;
    this.#monitor = new TargetMonitor({
      plane: 'endpoint',
      clock: this.#clock,
      budgetPerSecond: targetBudget,
      createProber: (target) => Promise.resolve(createSimTargetProber(target, place)),
      random: () => random.next(),
    });
    this.#monitor.setTargets(simTargets);
    this.answer = createEndpointAnswer({
      nodeName: network.nodes[node]?.name,
      clock: this.#clock,
      keys: new MeshKeys(),
      monitor: this.#monitor,
      isOwnAgent: () => true,
    });
  }

  /** Freezes the process. */
  pause(): void {
    this.#clock.pause();
  }

  resume(): void {
    this.#clock.resume();
  }

  stop(): void {
    this.#monitor.stop();
  }
}
