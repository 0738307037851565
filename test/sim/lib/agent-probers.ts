import type { Exchange } from '../../../agent/exchange/exchange.js';
import type { FailureKind } from '../../../agent/model/failure.js';
import type { ExchangeTimes } from '../../../agent/model/clock-stamps.js';
import type { Path } from '../../../agent/model/path.js';
import type { Outcome, Sample } from '../../../agent/model/sample.js';
import type { Prober } from '../../../agent/probing/prober.js';
import type { Piggyback } from '../../../agent/probing/http/piggyback.js';
import type { SimNetwork } from './network.js';
import type { PausableClock } from './pausable-clock.js';
import type { SimEndpoint } from './sim-endpoint.js';

export interface AgentProbersOptions {
  readonly node: number;
  readonly clock: PausableClock;
  readonly network: SimNetwork;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Undefined while its GETs carry nothing. */
  readonly exchange: () => Exchange | undefined;
  /** The exchange of the agent on a node; undefined while none runs. */
  readonly exchangeOf: (node: number) => Exchange | undefined;
  /** What a GET to the endpoint of the own node carries. */
  readonly askEndpoint: (path: Path) => Piggyback | undefined;
  /** The endpoint of a node; undefined while none runs. */
  readonly endpointOf: (node: number) => SimEndpoint | undefined;
}

type TakeAnswer = (times: ExchangeTimes) => void;

/** Sends the probes of one agent through the simulated network. */
export class AgentProbers {
  readonly #options: AgentProbersOptions;

  constructor(options: AgentProbersOptions) {
    this.#options = options;
  }

  readonly icmp: Prober = {
    probe: (path, timeoutMs, settle) => {
      const { network, node } = this.#options;
      const { failure } = network.send(node, network.numberOf(path), path.plane, 'icmp');
      if (failure !== undefined) return this.#fail(failure, timeoutMs, settle);
      return this.#reply(network.delayMs() + network.delayMs(), settle);
    },
    close: () => undefined,
  };

  readonly http: Prober = {
    probe: (path, timeoutMs, settle) => {
      const { network, node } = this.#options;
      const to = network.numberOf(path);
      const asked = this.#options.askEndpoint(path);
      const { failure, arrives } = network.send(node, to, path.plane, 'http');
      const deliver = () =>
        path.plane === 'host' ? this.#exchange(path, to) : this.#askTargets(asked, to);
      if (failure !== undefined) {
        // The other agent gets the request, and the answer is lost.
        if (arrives && failure === 'timeout') deliver();
        return this.#fail(failure, timeoutMs, settle);
      }
      // SYN, SYN-ACK, the request, its answer.
      const rttMs = network.delayMs() + network.delayMs() + network.delayMs() + network.delayMs();
      return this.#reply(rttMs, settle, deliver());
    },
    close: () => undefined,
  };

  /** Exchanges rows and hints, as the GET of a host path does. Returns how to take the answer. */
  #exchange(path: Path, to: number): TakeAnswer | undefined {
    const { network, node, exchange, exchangeOf } = this.#options;
    const asked = exchange()?.ask(path);
    if (!asked) return undefined;
    const ip = network.nodes[node]?.host[0] ?? '';
    const reply = exchangeOf(to)?.answer(asked.header, ip);
    return (times) => asked.onAnswer(reply?.header, reply?.body ?? '', times);
  }

  #askTargets(asked: Piggyback | undefined, to: number): TakeAnswer | undefined {
    const { network, node, endpointOf } = this.#options;
    if (!asked) return undefined;
    const reply = endpointOf(to)?.answer(asked.header, network.nodes[node]?.host[0] ?? '');
    return (times) => asked.onAnswer(reply?.header, reply?.body ?? '', times);
  }

  #fail(kind: FailureKind, timeoutMs: number, settle: (sample: Sample) => void): () => void {
    const delayMs = kind === 'timeout' ? timeoutMs : this.#options.network.delayMs();
    return this.#settle(delayMs, { outcome: 'failure', kind, detail: kind }, settle);
  }

  #reply(rttMs: number, settle: (sample: Sample) => void, onAnswer?: TakeAnswer): () => void {
    return this.#settle(rttMs, { outcome: 'reply', rttNs: rttMs * 1e6 }, settle, onAnswer);
  }

  #settle(
    delayMs: number,
    outcome: Outcome,
    settle: (sample: Sample) => void,
    onAnswer?: TakeAnswer,
  ): () => void {
    const { clock, now } = this.#options;
    const sentMs = clock.nowMs();
    return clock.after(delayMs, () => {
      onAnswer?.({ sentMs, receivedMs: clock.nowMs() });
      const tainted = clock.wasPaused(clock.nowMs() - sentMs);
      settle({ sentMs, at: now(), ...outcome, ...(tainted && { tainted }) });
    });
  }
}
