import type { Socket } from 'node:net';
import { hostAndPort } from '../../model/host-and-port.js';
import { timeout, type HttpTimings, type Outcome, type Sample } from '../../model/sample.js';
import { outcomeOfConnectError } from '../../model/system-error.js';
import { codeOf, messageOf } from '../../platform/errors.js';
import { lacksFamilyOf } from '../host-families.js';
import type { EventLoop, Measurement } from '../../platform/event-loop.js';
import type { AnswerFault } from '../../platform/http-request.js';
import { askHello, type Exchange, type HelloAnswer } from './hello-client.js';
import type { Piggyback } from './piggyback.js';
import type { ReadTcpInfo, TcpInfo } from './tcp-info.js';

/** If this process was busy for less than this, the events of an exchange were seen in time. */
const tolerableBusyNs = 4e6;
/** This process may see a connection this much later than the kernel made it. */
const tolerableConnectLagNs = 1e6;

export interface HttpProbeOptions {
  readonly ip: string;
  readonly port: number;
  readonly timeoutMs: number;
  readonly piggyback: Piggyback | undefined;
  readonly eventLoop: EventLoop;
  readonly readTcpInfo: ReadTcpInfo;
  /** Called once, unless the probe is cancelled. */
  readonly onSettled: (sample: Sample) => void;
}

/** One `GET /hello` under one total deadline. */
export class HttpProbe implements Exchange {
  readonly #options: HttpProbeOptions;
  readonly #measurement: Measurement;
  readonly #sentMs = performance.now();
  readonly #startedNs = process.hrtime.bigint();
  readonly #timer: NodeJS.Timeout;
  readonly #endExchange: () => void;
  #hasEnded = false;
  #connectNs = 0;
  #firstByteNs = 0;
  #socket: Socket | undefined;
  #tcp: TcpInfo | undefined;

  /** Starts the probe. */
  constructor(options: HttpProbeOptions) {
    this.#options = options;
    this.#measurement = options.eventLoop.startMeasurement();
    const { ip, port, timeoutMs, piggyback } = options;
    // After a stall the timer fires before received data is read, so that is read first.
    this.#timer = setTimeout(() => setImmediate(() => this.#abandon()).unref(), timeoutMs);
    const host = hostAndPort(ip, port);
    const carried = piggyback && { name: piggyback.name, value: piggyback.header };
    const { localAddress } = piggyback ?? {};
    this.#endExchange = askHello({ ip, port, host, piggyback: carried, localAddress }, this);
  }

  /** Cancels the probe. It never settles then. */
  cancel(): void {
    this.#hasEnded = true;
    clearTimeout(this.#timer);
    this.#measurement.end();
    this.#endExchange();
  }

  onConnect(socket: Socket): void {
    this.#connectNs = this.#elapsedNs();
    this.#socket = socket;
    this.#tcp = this.#options.readTcpInfo(socket);
  }

  onFirstByte(): void {
    this.#firstByteNs = this.#elapsedNs();
  }

  onEnd({ status, headers, body }: HelloAnswer): void {
    const rttNs = this.#elapsedNs();
    if (status !== 200) {
      this.onFault({ kind: 'status', detail: `unexpected status ${status}` });
      return;
    }
    const wasBusy = this.#measurement.busyNs() > tolerableBusyNs;
    const tainted = this.#measurement.isUnreliable(rttNs) || (wasBusy && !this.#wasSeenInTime());
    const http = this.#timings();
    this.#end({ outcome: 'reply', rttNs, http, ...(tainted && { tainted }) });
    const { piggyback } = this.#options;
    const header = piggyback && headers[piggyback.name];
    piggyback?.onAnswer(Array.isArray(header) ? header.join(', ') : header, body, {
      // The request goes out as soon as there is a connection.
      sentMs: this.#sentMs + this.#connectNs / 1e6,
      receivedMs: this.#sentMs + this.#firstByteNs / 1e6,
    });
  }

  onFault({ kind, detail }: AnswerFault): void {
    this.#fail({ outcome: 'failure', kind, detail });
  }

  onError(error: Error, wasAtOnce: boolean): void {
    const lacksFamily = (): boolean => lacksFamilyOf(this.#options.ip);
    this.#fail(outcomeOfConnectError(codeOf(error), messageOf(error), wasAtOnce, lacksFamily));
  }

  /**
   * Whether the kernel says that this process saw the connection and the answer when they came.
   * During a long exchange the process may work for some milliseconds without a delay to it.
   */
  #wasSeenInTime(): boolean {
    const atConnect = this.#tcp;
    const atEnd = this.#socket && this.#options.readTcpInfo(this.#socket);
    if (!atConnect || !atEnd) return false;
    const connectLagNs = this.#connectNs - atConnect.rttNs;
    return connectLagNs <= tolerableConnectLagNs && atEnd.sinceReceivedMs === 0;
  }

  #abandon(): void {
    if (this.#hasEnded) return;
    this.#endExchange();
    this.#fail(timeout);
  }

  #timings(): HttpTimings {
    const tcp = this.#tcp;
    return {
      connectNs: this.#connectNs,
      firstByteNs: this.#firstByteNs,
      ...(tcp && { tcpRttNs: tcp.rttNs, synRetransmissions: tcp.retransmissions }),
    };
  }

  /** A failure may be the fault of this process if it stood still for half of the timeout. */
  #fail(outcome: Outcome): void {
    const isTainted =
      outcome.outcome === 'failure' && this.#measurement.stalledMs() > this.#options.timeoutMs / 2;
    this.#end(isTainted ? { ...outcome, tainted: true } : outcome);
  }

  #end(outcome: Outcome): void {
    this.#hasEnded = true;
    clearTimeout(this.#timer);
    this.#measurement.end();
    this.#options.onSettled({ sentMs: this.#sentMs, at: Date.now(), ...outcome });
  }

  #elapsedNs(): number {
    return Number(process.hrtime.bigint() - this.#startedNs);
  }
}
