import { connect as connectSocket, isIPv6, type Socket } from 'node:net';
import { Client, errors, type buildConnector } from 'undici';
import { codeOf, messageOf } from '../../errors.js';
import type { Prober } from '../prober.js';
import { failureOf, timedOut, type Outcome, type Sample } from '../sample.js';

const maxHeaderBytes = 8 * 1024;
const maxBodyBytes = 64 * 1024;

/**
 * Probes with `GET /hello` on a fresh connection under one total deadline; the RTT is the whole
 * exchange, from the connect call to the end of the answer. Only 200 counts, a redirect is not
 * followed, and headers and body are bounded.
 *
 * The socket is ours, because undici's own timeouts are coarse and its abort does not reach a
 * connection that is still being made.
 */
export function createHttpProber(port: number): Prober {
  const open = new Set<() => void>();
  return {
    async probe(ip, timeoutMs, signal) {
      const sentMs = performance.now();
      const started = process.hrtime.bigint();
      let failure: string | undefined;
      let socket: Socket | undefined;
      const connect: buildConnector.connector = (_, callback) => {
        socket = openSocket(ip, port, callback);
      };
      const client = new Client(originOf(ip, port), {
        connect,
        maxHeaderSize: maxHeaderBytes,
        maxResponseSize: maxBodyBytes,
        headersTimeout: 0,
        bodyTimeout: 0,
      });
      const abandon = (why: string) => (): void => {
        failure ??= why;
        const reason = new Error(failure);
        // Destroying the client alone would wait for a connection that is still being made.
        socket?.destroy(reason);
        void client.destroy(reason);
      };
      const timer = setTimeout(abandon(timedOut), timeoutMs);
      const cancel = abandon('cancelled');
      signal.addEventListener('abort', cancel, { once: true });
      open.add(cancel);
      const sample = (outcome: Outcome): Sample => ({ sentMs, at: Date.now(), ...outcome });
      try {
        const { statusCode, body } = await client.request({
          path: '/hello',
          method: 'GET',
          reset: true,
        });
        // Not body.dump(): that takes a broken or endless body for a good one.
        await body.bytes();
        const rttNs = Number(process.hrtime.bigint() - started);
        if (failure !== undefined) return sample({ outcome: 'failure', detail: failure });
        if (statusCode === 200) return sample({ outcome: 'reply', rttNs });
        return sample({ outcome: 'failure', detail: `unexpected status ${statusCode}` });
      } catch (error) {
        if (failure !== undefined) return sample({ outcome: 'failure', detail: failure });
        return sample(explain(error));
      } finally {
        clearTimeout(timer);
        signal.removeEventListener('abort', cancel);
        open.delete(cancel);
        abandon('done')();
      }
    },
    close() {
      for (const cancel of open) cancel();
    },
  };
}

function originOf(ip: string, port: number): string {
  return isIPv6(ip) ? `http://[${ip}]:${port}` : `http://${ip}:${port}`;
}

function openSocket(host: string, port: number, callback: buildConnector.Callback): Socket {
  const socket = connectSocket({ host, port, noDelay: true, autoSelectFamily: false });
  const refused = (error: Error): void => {
    // What comes after the first error has no one to go to, and must not end the process.
    socket.on('error', () => undefined);
    callback(error, null);
  };
  socket.once('error', refused);
  socket.once('connect', () => {
    socket.off('error', refused);
    callback(null, socket);
  });
  return socket;
}

function explain(error: unknown): Outcome {
  const code = codeOf(error) ?? '';
  switch (code) {
    case 'UND_ERR_HEADERS_OVERFLOW':
      return { outcome: 'failure', detail: `answer headers larger than ${maxHeaderBytes} bytes` };
    case 'UND_ERR_RES_EXCEEDED_MAX_SIZE':
      return { outcome: 'failure', detail: `answer larger than ${maxBodyBytes} bytes` };
    case 'UND_ERR_SOCKET':
      return {
        outcome: 'failure',
        detail: 'connection closed by peer before the answer was complete',
      };
    default:
      if (error instanceof errors.HTTPParserError)
        return { outcome: 'failure', detail: 'the answer is not HTTP' };
      return failureOf(code, messageOf(error));
  }
}
