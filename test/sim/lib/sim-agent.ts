import { Exchange } from '../../../agent/exchange/exchange.js';
import { MeshKeys } from '../../../agent/exchange/messages/mesh-keys.js';
import { Peers } from '../../../agent/peers/peers.js';
import { intervalsOf } from '../../../agent/peers/row/sweeps.js';
import type { Node } from '../../../agent/model/node.js';
import type { Path } from '../../../agent/model/path.js';
import type { Outcome, Protocol, Sample } from '../../../agent/model/sample.js';
import type { Prober } from '../../../agent/probing/prober.js';
import { ProtocolScheduler } from '../../../agent/probing/schedule/protocol-scheduler.js';
import { Scheduler } from '../../../agent/probing/schedule/scheduler.js';
import type { Cadence } from '../../../agent/probing/schedule/plan.js';
import { answerHoldsMs } from '../../../agent/results/answer-age.js';
import { ResultStore, type Transition } from '../../../agent/results/result-store.js';
import type { Random } from '../../fuzz/random.js';
import type { SimHost, SimNetwork } from './network.js';
import type { VirtualClock } from './virtual-clock.js';

export type Cadences = Readonly<Record<Protocol, Cadence>>;

export interface SimAgentOptions {
  readonly host: SimHost;
  readonly clock: VirtualClock;
  readonly network: SimNetwork;
  readonly random: Random;
  readonly cadences: Cadences;
  /** Whether agents exchange rows and hints. */
  readonly mesh: boolean;
  readonly agentOf: (host: SimHost) => SimAgent;
  readonly onTransition: (agent: SimAgent, transition: Transition) => void;
}

/**
 * One agent with the real scheduling, state rules, hints and rows. Its clock and network are
 * simulated.
 */
export class SimAgent {
  readonly host: SimHost;
  readonly store: ResultStore;
  readonly scheduler: Scheduler;
  readonly peers: Peers;
  readonly exchange: Exchange;
  /** All probes of a starved agent fail, because it gets no CPU time. */
  isStarved = false;
  /** Whether its GETs carry rows and hints. */
  exchanges = false;
  /** The number of transitions that no sample caused. Only a sample may change a state. */
  transitionsWithoutSample = 0;
  readonly #options: SimAgentOptions;
  #recording: Path | undefined;

  constructor(options: SimAgentOptions) {
    this.#options = options;
    this.host = options.host;
    const { clock, cadences, random, host } = options;
    const thresholdsOf = ({ failureThreshold, recoveryThreshold }: Cadence) => ({
      failures: failureThreshold,
      recovery: recoveryThreshold,
    });
    this.store = new ResultStore({
      thresholds: { icmp: thresholdsOf(cadences.icmp), http: thresholdsOf(cadences.http) },
      clock,
      answerHoldsMs: (plan) => answerHoldsMs(plan, cadences),
    });
    const createScheduler = (protocol: Protocol, prober: Prober) =>
      new ProtocolScheduler({
        prober,
        cadence: cadences[protocol],
        grouping: { shortestMs: 75 },
        clock,
        random: () => random.next(),
        record: (path, sample) => this.#record(path, protocol, sample),
      });
    this.scheduler = new Scheduler(
      {
        icmp: createScheduler('icmp', { probe: this.#echo, close: () => undefined }),
        http: createScheduler('http', { probe: this.#get, close: () => undefined }),
      },
      { clock, localName: host.name },
      (path, protocol, change) => {
        if (options.mesh) this.exchange.noteSuspicion(path, protocol, change);
      },
    );
    this.peers = new Peers({
      localName: host.name,
      clock,
      isMeshOn: options.mesh,
      paths: this.store,
      head: () => ({
        version: '0.0.0',
        httpIntervalMs: this.scheduler.plan().http?.intervalMs ?? cadences.http.intervalMs,
        httpTimeoutMs: cadences.http.timeoutMs,
        intervalsMs: intervalsOf(this.scheduler.plan()),
        ready: true,
        starved: this.isStarved,
      }),
    });
    this.exchange = new Exchange({
      peers: this.peers,
      clock,
      keys: new MeshKeys(),
      isStarved: () => this.isStarved,
      random: () => random.next(),
      createNonce: () => 'simulated-nonce_',
      processId: `${host.index}`,
    });
    this.exchange.start(this.scheduler);
    this.store.onTransition((transition) => this.#onTransition(transition));
  }

  start(nodes: readonly Node[]): void {
    const changes = this.store.setNodes(nodes);
    this.peers.update(nodes, changes);
    this.exchange.update(changes);
    this.scheduler.update(changes);
    this.store.setPlan(this.scheduler.plan());
  }

  /** Exchanges rows with this peer at once, as one GET would. */
  introduceTo(peer: SimAgent): void {
    const path = this.peers.directory.primaryPath(peer.host.name, 'host');
    const asked = path && this.exchange.ask(path);
    const reply = asked && peer.exchange.answer(asked.header, this.host.hostIp);
    asked?.onAnswer(reply?.header, reply?.body ?? '');
  }

  stop(): void {
    this.exchange.stop();
    this.peers.stop();
    this.scheduler.stop();
  }

  #record(path: Path, protocol: Protocol, sample: Sample) {
    if (!this.host.isAlive) return undefined;
    this.#recording = path;
    this.peers.noteSample(protocol, sample);
    if (this.#options.mesh) this.exchange.noteSample(path, protocol, sample);
    const state = this.store.record(path, protocol, sample);
    this.#recording = undefined;
    return state;
  }

  #onTransition(transition: Transition): void {
    const { path, protocol, before, after } = transition;
    if (this.#recording !== path) this.transitionsWithoutSample++;
    if (this.#options.mesh) this.exchange.noteTransition(path, protocol, before, after);
    this.#options.onTransition(this, transition);
  }

  readonly #echo: Prober['probe'] = (path, timeoutMs, settle) => {
    const { network, clock } = this.#options;
    const to = network.hostAt(path);
    const arrives = network.delivers(this.host, to, path.plane) && !this.isStarved;
    if (arrives) this.#noteArrival(to, path, 'icmp');
    if (!arrives || !network.delivers(to, this.host, path.plane)) {
      return this.#settleAfter(timeoutMs, timeoutOutcome, settle);
    }
    const rttMs = network.delayMs() + network.delayMs();
    return this.#settleAfter(
      rttMs,
      { outcome: 'reply', rttNs: rttMs * 1e6 },
      settle,
      clock.nowMs(),
    );
  };

  readonly #get: Prober['probe'] = (path, timeoutMs, settle) => {
    const { network, clock, agentOf } = this.#options;
    const to = network.hostAt(path);
    const sentMs = clock.nowMs();
    if (!network.delivers(this.host, to, path.plane) || this.isStarved) {
      return this.#settleAfter(timeoutMs, timeoutOutcome, settle);
    }
    const asked = this.exchanges ? this.exchange.ask(path) : undefined;
    // The request arrives after three packets: SYN, SYN-ACK and the request itself.
    const thereMs = 3 * network.delayMs();
    let cancel = clock.after(thereMs, () => {
      const backMs = network.delayMs();
      this.#noteArrival(to, path, 'http');
      if (!to.listens[path.plane]) {
        cancel = this.#settleAfter(backMs, refusedOutcome, settle, sentMs);
        return;
      }
      const reply =
        asked && path.plane === 'host' && to.isAlive
          ? agentOf(to).exchange.answer(asked.header, this.host.hostIp)
          : undefined;
      if (!network.delivers(to, this.host, path.plane)) {
        cancel = this.#settleAfter(timeoutMs - thereMs, timeoutOutcome, settle, sentMs);
        return;
      }
      cancel = clock.after(backMs, () => {
        if (!this.host.isAlive) return;
        asked?.onAnswer(reply?.header, reply?.body ?? '');
        const rttNs = (clock.nowMs() - sentMs) * 1e6;
        settle({ sentMs, at: clock.wallMs(), outcome: 'reply', rttNs });
      });
    });
    return () => cancel();
  };

  #settleAfter(
    delayMs: number,
    outcome: Outcome,
    settle: (sample: Sample) => void,
    sentMs = this.#options.clock.nowMs(),
  ): () => void {
    const { clock } = this.#options;
    return clock.after(delayMs, () => {
      if (this.host.isAlive) settle({ sentMs, at: clock.wallMs(), ...outcome });
    });
  }

  #noteArrival(to: SimHost, { plane }: Path, protocol: Protocol): void {
    const { network, clock } = this.#options;
    network.onArrival({ atMs: clock.nowMs(), to: to.name, plane, protocol });
  }
}

const timeoutOutcome: Outcome = { outcome: 'failure', kind: 'timeout', detail: 'lost' };
const refusedOutcome: Outcome = { outcome: 'failure', kind: 'refused', detail: 'refused' };
