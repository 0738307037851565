import { Cluster } from '../../../agent/cluster/cluster.js';
import type { Finding } from '../../../agent/diagnosis/nouns/finding.js';
import { Exchange } from '../../../agent/exchange/exchange.js';
import { MeshKeys } from '../../../agent/exchange/messages/mesh-keys.js';
import type { Node } from '../../../agent/model/node.js';
import type { Path } from '../../../agent/model/path.js';
import type { Protocol } from '../../../agent/model/sample.js';
import { Peers } from '../../../agent/peers/peers.js';
import { intervalsOf } from '../../../agent/peers/row/sweeps.js';
import type { Clock } from '../../../agent/platform/clock.js';
import { groupings } from '../../../agent/probing/schedule/group-period.js';
import type { Cadence } from '../../../agent/probing/schedule/plan.js';
import { ProtocolScheduler } from '../../../agent/probing/schedule/protocol-scheduler.js';
import { Scheduler } from '../../../agent/probing/schedule/scheduler.js';
import { answerHoldsMs } from '../../../agent/results/answer-age.js';
import { ResultStore, type Transition } from '../../../agent/results/result-store.js';
import { TargetPlanes } from '../../../agent/targets/target-planes.js';
import type { Random } from '../../fuzz/random.js';
import { AgentProbers } from './agent-probers.js';
import type { SimNetwork } from './network.js';
import { targetBudget } from './default-cadence.js';
import { PausableClock } from './pausable-clock.js';
import { simTargets } from './target-network.js';
import { createSimTargetProber } from './target-prober.js';
import type { SimEndpoint } from './sim-endpoint.js';

export interface SimAgentOptions {
  readonly node: number;
  /** Tells this process from others, also from earlier ones of the node. */
  readonly processId: string;
  readonly clock: Clock;
  readonly network: SimNetwork;
  readonly random: Random;
  readonly cadence: Readonly<Record<Protocol, Cadence>>;
  readonly agentOf: (node: number) => SimAgent | undefined;
  /** The endpoint of a node that probes the targets; undefined while none does. */
  readonly endpointOf: (node: number) => SimEndpoint | undefined;
  /** Whether it probes targets. */
  readonly hasTargets: boolean;
  /** Whether it makes findings. Others only probe and exchange rows and hints. */
  readonly diagnoses: boolean;
  /** Left out, agents exchange rows and hints. */
  readonly isMeshOn?: boolean;
  /** Left out, its GETs carry rows and hints from the start. */
  readonly exchanges?: () => boolean;
  readonly onTransition?: (transition: Transition) => void;
}

/** The time of day does not matter, but all agents must have the same. */
const epochMs = Date.parse('2026-11-21T12:00:00Z');

/** Beats of different processes are at most this far apart. */
const longestBeatMs = 500;

/** A process that was frozen calls itself starved for this long. */
const starvedForMs = 10_000;

/**
 * One agent process with the real scheduling, state rules, exchange and diagnosis. Its clock and
 * its network are simulated.
 */
export class SimAgent {
  readonly node: number;
  readonly startedMs: number;
  readonly exchange: Exchange;
  /** How many states changed without a sample. Only a sample may change one. */
  transitionsWithoutSample = 0;
  /** It gets no processor, and says so. */
  isStarved = false;
  readonly #self: Node;
  readonly #clock: PausableClock;
  readonly store: ResultStore;
  readonly #peers: Peers;
  readonly #scheduler: Scheduler;
  readonly #cluster: Cluster | undefined;
  readonly #targets: TargetPlanes | undefined;

  constructor(options: SimAgentOptions) {
    const { node, clock, network, random, cadence, agentOf, endpointOf, hasTargets } = options;
    const { isMeshOn = true, exchanges = () => true, onTransition } = options;
    this.node = node;
    this.startedMs = clock.nowMs();
    this.#clock = new PausableClock(clock, random.next() * longestBeatMs);
    const self = network.nodes[node];
    if (!self) throw new RangeError(`expected a node below ${network.nodes.length}, got ${node}`);
    this.#self = self;
    const localName = self.name;
    const now = (): number => epochMs + clock.nowMs();
    const thresholds = ({ failureThreshold: failures, recoveryThreshold: recovery }: Cadence) => ({
      failures,
      recovery,
    });
    this.store = new ResultStore({
      thresholds: { icmp: thresholds(cadence.icmp), http: thresholds(cadence.http) },
      clock: this.#clock,
      answerHoldsMs: (plan) => answerHoldsMs(plan, cadence),
    });
    const place = { node, plane: 'host', clock: this.#clock, network } as const;
    const targets = hasTargets
      ? new TargetPlanes({
          localName,
          clock: this.#clock,
          keys: new MeshKeys(),
          budgetPerSecond: targetBudget,
          createProber: (target) => Promise.resolve(createSimTargetProber(target, place)),
          random: () => random.next(),
        })
      : undefined;
    this.#targets = targets;
    const probers = new AgentProbers({
      node,
      clock: this.#clock,
      network,
      now,
      exchange: () => (exchanges() ? this.exchange : undefined),
      exchangeOf: (peer) => agentOf(peer)?.exchange,
      askEndpoint: (path) => targets?.ask(path),
      endpointOf,
    });
    let recording: Path | undefined;
    const scheduler = (protocol: Protocol) =>
      new ProtocolScheduler({
        prober: probers[protocol],
        cadence: cadence[protocol],
        grouping: protocol === 'icmp' ? groupings.kernel : groupings.http,
        clock: this.#clock,
        random: () => random.next(),
        zoneOf: (node) => this.#peers.directory.zoneOf(node),
        record: (path, sample) => {
          recording = path;
          this.#peers.noteSample(protocol, sample);
          if (isMeshOn) this.exchange.witness.noteSample(path, protocol, sample);
          const state = this.store.record(path, protocol, sample);
          recording = undefined;
          return state;
        },
      });
    // The scheduler asks the peers which answers are expected, so it comes after them.
    let made: Scheduler | undefined;
    const planNow = () => made?.plan() ?? {};
    const isStarved = () => this.isStarved || this.#clock.wasPaused(starvedForMs);
    this.#peers = new Peers({
      localName,
      clock: this.#clock,
      isMeshOn,
      paths: this.store.paths,
      ...(targets && { targets: () => targets.view.rowTargets() }),
      head: () => ({
        version: '0.0.0',
        httpIntervalMs: planNow().http?.intervalMs ?? cadence.http.intervalMs,
        httpTimeoutMs: cadence.http.timeoutMs,
        intervalsMs: intervalsOf(planNow()),
        ready: true,
        starved: isStarved(),
      }),
    });
    this.#scheduler = made = new Scheduler(
      { icmp: scheduler('icmp'), http: scheduler('http') },
      { clock: this.#clock, expected: this.#peers.expected },
      (path, protocol, change) => {
        if (isMeshOn) this.exchange.witness.noteSuspicion(path, protocol, change);
      },
    );
    this.exchange = new Exchange({
      peers: this.#peers,
      clock: this.#clock,
      keys: new MeshKeys(),
      isStarved,
      random: () => random.next(),
      createNonce: () => 'simulated-nonce_',
      ...(targets && { targets: targets.probing }),
      processId: options.processId,
    });
    this.exchange.start(this.#scheduler);
    this.store.onTransition((transition) => {
      const { path, protocol, before, after } = transition;
      if (recording !== path) this.transitionsWithoutSample++;
      if (isMeshOn) this.exchange.witness.noteTransition(path, protocol, before, after);
      onTransition?.(transition);
    });
    this.#cluster = options.diagnoses
      ? new Cluster({
          localName,
          clusterName: 'c',
          probePort: 4240,
          namespace: undefined,
          clock: this.#clock,
          store: this.store,
          observers: this.#peers,
          isSwept: () => true,
          ...(targets && { targets: targets.view }),
          askForRows: () => this.exchange.askForRows(),
          askForRowOf: (node) => this.exchange.askForRowOf(node),
        })
      : undefined;
    const changes = this.store.setNodes(network.nodes);
    this.#peers.update(network.nodes, changes);
    this.exchange.update();
    this.#scheduler.update(changes);
    this.store.setPlan(this.#scheduler.plan());
    void this.#cluster?.onNodeList(network.nodes);
    targets?.monitor.setTargets(simTargets);
    targets?.start({
      peers: this.#peers,
      scheduler: this.#scheduler,
      mesh: this.exchange,
      cluster: {
        onTarget: (transition) => this.#cluster?.onTarget(transition),
        onTargetServer: () => this.#cluster?.onTargetServer(),
      },
    });
    targets?.setNodes(network.nodes.length);
  }

  /** The findings that it says now. */
  get findings(): readonly Finding[] {
    return this.#cluster?.overview().findings ?? [];
  }

  /** Exchanges rows with a peer at once, as one GET would. */
  introduceTo(peer: SimAgent): void {
    const path = this.#peers.directory.primaryPath(peer.#self.name, 'host');
    const asked = path && this.exchange.ask(path);
    const reply = asked && peer.exchange.answer(asked.header, this.#self.host[0] ?? '');
    asked?.onAnswer(reply?.header, reply?.body ?? '');
  }

  /** Freezes the process. */
  pause(): void {
    this.#clock.pause();
  }

  resume(): void {
    this.#clock.resume();
  }

  stop(): void {
    this.#targets?.stop();
    this.#cluster?.stop();
    this.exchange.stop();
    this.#peers.stop();
    this.#scheduler.stop();
  }
}
