import { request } from 'node:http';
import type { Socket } from 'node:net';
import { throughputHeader } from '../../model/hello-headers.js';
import { outcomeOfConnectError } from '../../model/system-error.js';
import { codeOf } from '../../platform/errors.js';
import { openingMs } from './agreement.js';
import { decodeRefused, throughputPath, throughputProtocol } from './opening.js';
import { refusalText, ThroughputError, type ThroughputErrorOptions } from './throughput-error.js';

/** Where the other end listens. */
export interface ThroughputAddress {
  readonly ip: string;
  readonly port: number;
  /** The own address to connect from; undefined: the kernel chooses. */
  readonly localAddress?: string | undefined;
}

/**
 * Opens one connection of a test: a GET on the probe port that asks for another protocol (RFC 9110, section 7.8).
 * Resolves with what was answered and the connection, of which nothing was read yet.
 * @throws ThroughputError where the other end does not take part
 */
export function upgrade(
  { ip, port, localAddress }: ThroughputAddress,
  header: string,
  signal: AbortSignal,
): Promise<{ readonly socket: Socket; readonly header: string }> {
  return new Promise((resolve, reject) => {
    const asked = request({
      host: ip,
      port,
      path: throughputPath,
      agent: false,
      headers: { connection: 'Upgrade', upgrade: throughputProtocol, [throughputHeader]: header },
      ...(localAddress !== undefined && { localAddress }),
    });
    const timer = setTimeout(() => {
      fail(`cannot be reached within ${openingMs / 1000} s`, { isUnreachable: true });
    }, openingMs);
    const cancel = (): void => fail('was not waited for');
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', cancel);
    };
    const fail = (text: string, options?: ThroughputErrorOptions): void => {
      end();
      asked.destroy();
      reject(new ThroughputError(text, options));
    };
    asked.on('error', (error) => fail(...failureOf(error)));
    asked.on('upgrade', (answer, socket: Socket, rest: Buffer) => {
      end();
      // Whoever reads the connection next comes later than what may fail on it.
      socket.on('error', () => undefined);
      if (rest.length > 0) socket.unshift(rest);
      socket.setNoDelay(true);
      resolve({ socket, header: headerOf(answer.headers) });
    });
    asked.on('response', ({ statusCode = 0, headers }) => {
      const header = headerOf(headers);
      if (header !== '') fail(refusalText(decodeRefused(header)));
      else if (statusCode === 404)
        fail('knows no throughput tests: it is older, or not of meshprobe');
      else fail(`answers HTTP ${statusCode}: it is not of meshprobe`);
    });
    signal.addEventListener('abort', cancel, { once: true });
    if (signal.aborted) cancel();
    else asked.end();
  });
}

function headerOf(headers: NodeJS.Dict<string | string[]>): string {
  const value = headers[throughputHeader];
  return typeof value === 'string' ? value : '';
}

function failureOf(error: Error): [text: string, options?: ThroughputErrorOptions] {
  const code = codeOf(error) ?? '';
  if (code.startsWith('HPE_')) return ['does not answer in HTTP: it is not of meshprobe'];
  if (code === 'ECONNRESET') return ['closed the connection before it had answered'];
  const { detail } = outcomeOfConnectError(codeOf(error), error.message, false, () => false);
  return [`cannot be reached (${detail})`, { isUnreachable: true }];
}
