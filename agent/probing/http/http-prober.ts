import { isIPv6 } from 'node:net';
import errors from 'undici/lib/core/errors.js';
import type { FailureKind } from '../../model/failure.js';
import { codeOf, messageOf } from '../../platform/errors.js';
import type { EventLoop } from '../../platform/event-loop.js';
import type { Prober } from '../prober.js';
import { timeout, type HttpTimings, type Outcome } from '../../model/sample.js';
import { outcomeOfError } from '../../model/system-error.js';
import { HelloClient, maxBodyBytes, maxHeaderBytes, type Exchange } from './hello-client.js';
import type { ReadTcpInfo, TcpInfo } from './tcp-info.js';

export interface HttpProberOptions {
  readonly port: number;
  readonly eventLoop: EventLoop;
  readonly readTcpInfo: ReadTcpInfo;
}

/** Clients kept for their next probe; more are made when more probes are under way. */
const maxIdleClients = 64;

/**
 * Probes with `GET /hello` on a fresh connection under one total deadline; the RTT is the whole
 * exchange, from the connect call to the end of the answer. Only 200 counts, a redirect is not
 * followed, and headers and body are bounded. Its times are taken in this process, so a sample for
 * which the process was kept from running is tainted.
 */
export function createHttpProber({ port, eventLoop, readTcpInfo }: HttpProberOptions): Prober {
  const open = new Set<() => void>();
  const idle: HelloClient[] = [];
  let closed = false;

  const release = (client: HelloClient): void => {
    if (closed || idle.length >= maxIdleClients) client.destroy();
    else idle.push(client);
  };

  return {
    probe({ ip }, timeoutMs, settle) {
      if (closed) return () => undefined;
      const sentMs = performance.now();
      const watch = eventLoop.startMeasurement();
      const startedNs = process.hrtime.bigint();
      const sinceStartNs = (): number => Number(process.hrtime.bigint() - startedNs);
      let connectNs = 0;
      let firstByteNs = 0;
      let tcp: TcpInfo | undefined;

      const end = (outcome: Outcome): void => {
        clearTimeout(timer);
        open.delete(cancel);
        settle({ sentMs, at: Date.now(), ...outcome });
      };
      const fail = (outcome: Outcome): void => {
        const doubtful = outcome.outcome === 'failure' && watch.stalledMs() > timeoutMs / 2;
        end(doubtful ? { ...outcome, tainted: true } : outcome);
      };
      const exchange: Exchange = {
        onConnect: (socket) => {
          connectNs = sinceStartNs();
          tcp = readTcpInfo(socket);
        },
        onFirstByte: () => (firstByteNs = sinceStartNs()),
        onEnd: (statusCode) => {
          const rttNs = sinceStartNs();
          if (statusCode !== 200) {
            fail({ outcome: 'failure', kind: 'status', detail: `unexpected status ${statusCode}` });
            return;
          }
          const http: HttpTimings = {
            connectNs,
            firstByteNs,
            ...(tcp && { tcpRttNs: tcp.rttNs, synRetransmissions: tcp.retransmissions }),
          };
          end({
            outcome: 'reply',
            rttNs,
            http,
            ...(watch.isUnreliable(rttNs) && { tainted: true }),
          });
        },
        onError: (error) => fail(explain(error)),
        onIdle: () => release(client),
      };
      const abandon = (): void => {
        client.destroy();
        fail(timeout);
      };
      // After a stall the timer comes before what has been received meanwhile: let that be read.
      const timer = setTimeout(() => {
        const turn = setImmediate(() => open.has(cancel) && abandon());
        turn.unref();
      }, timeoutMs);
      const cancel = (): void => {
        clearTimeout(timer);
        open.delete(cancel);
        client.destroy();
      };
      open.add(cancel);
      const client = idle.pop() ?? new HelloClient();
      client.ask({ ip, port, host: hostOf(ip, port) }, exchange);
      return cancel;
    },
    close() {
      closed = true;
      for (const cancel of open) cancel();
      for (const client of idle.splice(0)) client.destroy();
    },
  };
}

function hostOf(ip: string, port: number): string {
  return isIPv6(ip) ? `[${ip}]:${port}` : `${ip}:${port}`;
}

function explain(error: unknown): Outcome {
  const failure = (kind: FailureKind, detail: string): Outcome => ({
    outcome: 'failure',
    kind,
    detail,
  });
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
      return outcomeOfError(code, messageOf(error));
  }
}
