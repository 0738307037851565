import { isIPv6, type Socket } from 'node:net';
import errors from 'undici/lib/core/errors.js';
import type { FailureKind } from '../../model/failure.js';
import { timeout, type HttpTimings, type Outcome, type Sample } from '../../model/sample.js';
import { outcomeOfConnectError } from '../../model/system-error.js';
import { codeOf, messageOf } from '../../platform/errors.js';
import { lacksFamilyOf } from '../host-families.js';
import type { Measurement } from '../../platform/event-loop.js';
import {
  maxBodyBytes,
  maxHeaderBytes,
  type Exchange,
  type HelloClient,
  type PiggybackAnswer,
} from './hello-client.js';
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
  readonly client: HelloClient;
  readonly piggyback: Piggyback | undefined;
  readonly measurement: Measurement;
  readonly readTcpInfo: ReadTcpInfo;
  /** Called once, unless the probe is cancelled. */
  readonly onSettled: (probe: HttpProbe, sample: Sample) => void;
  /** The client may be used again. It is not called if the exchange failed. */
  readonly onClientIdle: (client: HelloClient) => void;
}

/** One `GET /hello` under one total deadline. */
export class HttpProbe implements Exchange {
  readonly #options: HttpProbeOptions;
  readonly #sentMs = performance.now();
  readonly #startedNs = process.hrtime.bigint();
  readonly #timer: NodeJS.Timeout;
  #hasEnded = false;
  #connectNs = 0;
  #firstByteNs = 0;
  #socket: Socket | undefined;
  #tcp: TcpInfo | undefined;

  /** Starts the probe. */
  constructor(options: HttpProbeOptions) {
    this.#options = options;
    const { ip, port, timeoutMs, client, piggyback } = options;
    // After a stall the timer fires before received data is read, so that is read first.
    this.#timer = setTimeout(() => setImmediate(() => this.#abandon()).unref(), timeoutMs);
    const host = isIPv6(ip) ? `[${ip}]:${port}` : `${ip}:${port}`;
    const carried = piggyback && { name: piggyback.name, value: piggyback.header };
    const { localAddress } = piggyback ?? {};
    client.ask({ ip, port, host, piggyback: carried, localAddress }, this);
  }

  /** Cancels the probe. It never settles then. */
  cancel(): void {
    this.#hasEnded = true;
    clearTimeout(this.#timer);
    this.#options.measurement.end();
    this.#options.client.destroy();
  }

  onConnect(socket: Socket): void {
    this.#connectNs = this.#elapsedNs();
    this.#socket = socket;
    this.#tcp = this.#options.readTcpInfo(socket);
  }

  onFirstByte(): void {
    this.#firstByteNs = this.#elapsedNs();
  }

  onEnd(statusCode: number, { header, body }: PiggybackAnswer): void {
    const rttNs = this.#elapsedNs();
    if (statusCode !== 200) {
      this.#fail(failure('status', `unexpected status ${statusCode}`));
      return;
    }
    const { measurement } = this.#options;
    const wasBusy = measurement.busyNs() > tolerableBusyNs;
    const tainted = measurement.isUnreliable(rttNs) || (wasBusy && !this.#wasSeenInTime());
    const http = this.#timings();
    this.#end({ outcome: 'reply', rttNs, http, ...(tainted && { tainted }) });
    this.#options.piggyback?.onAnswer(header, body);
  }

  onError(error: unknown, wasAtOnce: boolean): void {
    this.#fail(outcomeOf(error, wasAtOnce, this.#options.ip));
  }

  onIdle(): void {
    this.#options.onClientIdle(this.#options.client);
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
    this.#options.client.destroy();
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
    const { measurement, timeoutMs } = this.#options;
    const isDoubtful = outcome.outcome === 'failure' && measurement.stalledMs() > timeoutMs / 2;
    this.#end(isDoubtful ? { ...outcome, tainted: true } : outcome);
  }

  #end(outcome: Outcome): void {
    this.#hasEnded = true;
    clearTimeout(this.#timer);
    this.#options.measurement.end();
    this.#options.onSettled(this, { sentMs: this.#sentMs, at: Date.now(), ...outcome });
  }

  #elapsedNs(): number {
    return Number(process.hrtime.bigint() - this.#startedNs);
  }
}

function outcomeOf(error: unknown, wasAtOnce: boolean, ip: string): Outcome {
  const code = codeOf(error) ?? '';
  switch (code) {
    case 'UND_ERR_HEADERS_OVERFLOW':
      return failure('too-large', `answer headers larger than ${maxHeaderBytes} bytes`);
    case 'UND_ERR_RES_EXCEEDED_MAX_SIZE':
      return failure('too-large', `answer larger than ${maxBodyBytes} bytes`);
    case 'UND_ERR_SOCKET':
      return failure('reset', 'connection closed by peer before the answer was complete');
    default:
      if (error instanceof errors.HTTPParserError)
        return failure('protocol', 'the answer is not HTTP');
      return outcomeOfConnectError(codeOf(error), messageOf(error), wasAtOnce, () =>
        lacksFamilyOf(ip),
      );
  }
}

function failure(kind: FailureKind, detail: string): Outcome {
  return { outcome: 'failure', kind, detail };
}
