import { Exchange } from '../../../agent/exchange/exchange.js';
import { MeshKeys } from '../../../agent/exchange/mesh-keys.js';
import { buildRow } from '../../../agent/exchange/row-builder.js';
import type { Node } from '../../../agent/model/node.js';
import type { Path } from '../../../agent/model/path.js';
import type { Outcome, Protocol, Sample } from '../../../agent/model/sample.js';
import type { Prober } from '../../../agent/probing/prober.js';
import { ProtocolScheduler } from '../../../agent/probing/schedule/protocol-scheduler.js';
import { Scheduler } from '../../../agent/probing/schedule/scheduler.js';
import type { Cadence } from '../../../agent/probing/schedule/plan.js';
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

/** The time of day does not matter, but all agents must have the same. */
const epochMs = 1_700_000_000_000;

/**
 * One agent with the real scheduling, state rules, hints and rows. Its clock and network are
 * simulated.
 */
export class SimAgent {
  readonly host: SimHost;
  readonly store: ResultStore;
  readonly scheduler: Scheduler;
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
    const nowMs = (): number => clock.nowMs();
    const now = (): number => epochMs + clock.nowMs();
    const thresholdsOf = ({ failureThreshold, recoveryThreshold }: Cadence) => ({
      failures: failureThreshold,
      recovery: recoveryThreshold,
    });
    this.store = new ResultStore({
      thresholds: { icmp: thresholdsOf(cadences.icmp), http: thresholdsOf(cadences.http) },
      now,
      nowMs,
    });
    const createScheduler = (protocol: Protocol, prober: Prober) =>
      new ProtocolScheduler({
        prober,
        cadence: cadences[protocol],
        groupMs: 75,
        clock,
        random: () => random.next(),
        record: (path, sample) => this.#record(path, protocol, sample),
      });
    this.scheduler = new Scheduler(
      {
        icmp: createScheduler('icmp', { probe: this.#echo, close: () => undefined }),
        http: createScheduler('http', { probe: this.#get, close: () => undefined }),
      },
      (path, protocol, change) => {
        if (options.mesh) this.exchange.noteSuspicion(path, protocol, change);
      },
    );
    this.exchange = new Exchange({
      localName: host.name,
      clock,
      keys: new MeshKeys(),
      probing: this.scheduler,
      isStarved: () => this.isStarved,
      random: () => random.next(),
      createNonce: () => 'simulated-nonce_',
      processId: `${host.index}`,
      visitPaths: (visit) => this.store.visitPrimaryPaths(visit),
      buildRow: () =>
        buildRow({
          head: {
            observer: host.name,
            version: '0.0.0',
            httpIntervalMs: cadences.http.intervalMs,
            httpTimeoutMs: cadences.http.timeoutMs,
            health: { ready: true, starved: this.isStarved, notSending: [] },
          },
          visitPaths: (visit) => this.store.visitPrimaryPaths(visit),
          now: now(),
          zoneOf: (node) => this.exchange.directory.zoneOf(node),
          isHeardSince: (node) => this.exchange.observers.getMs(node) !== undefined,
        }),
    });
    this.store.onTransition((transition) => this.#onTransition(transition));
  }

  start(nodes: readonly Node[]): void {
    const changes = this.store.setNodes(nodes);
    this.exchange.update(nodes, changes);
    this.scheduler.update(changes);
  }

  /** Exchanges rows with this peer at once, as one GET would. */
  introduceTo(peer: SimAgent): void {
    const path = this.exchange.directory.primaryPath(peer.host.name, 'host');
    const asked = path && this.exchange.ask(path);
    const reply = asked && peer.exchange.answer(asked.header, this.host.hostIp);
    asked?.onAnswer(reply?.header, reply?.body ?? '');
  }

  stop(): void {
    this.exchange.stop();
    this.scheduler.stop();
  }

  #record(path: Path, protocol: Protocol, sample: Sample) {
    if (!this.host.isAlive) return undefined;
    this.#recording = path;
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
        settle({ sentMs, at: epochMs + clock.nowMs(), outcome: 'reply', rttNs });
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
      if (this.host.isAlive) settle({ sentMs, at: epochMs + clock.nowMs(), ...outcome });
    });
  }

  #noteArrival(to: SimHost, { plane }: Path, protocol: Protocol): void {
    const { network, clock } = this.#options;
    network.onArrival({ atMs: clock.nowMs(), to: to.name, plane, protocol });
  }
}

const timeoutOutcome: Outcome = { outcome: 'failure', kind: 'timeout', detail: 'lost' };
const refusedOutcome: Outcome = { outcome: 'failure', kind: 'refused', detail: 'refused' };
