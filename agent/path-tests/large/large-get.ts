import { isIPv6 } from 'node:net';
import { paddingHeader } from '../../model/hello-headers.js';
import { sendRequest } from '../../platform/http-exchange.js';

/** What a large GET carries each way: eleven full segments of Ethernet. */
export const paddingBytes = 16_000;
/** What sends more than was asked for is no responder of ours. A head of an answer is some hundred bytes. */
const limits = { headerBytes: 4096, bodyBytes: paddingBytes } as const;
/** The responder says within 3.5 s that a request did not come, a busy one somewhat later. */
const timeoutMs = 6000;

/**
 * What became of one GET: answered, the request did not come, or its answer did not. `unknown` says nothing of
 * the size.
 */
export type GetOutcome = 'answered' | 'lost-there' | 'lost-back' | 'unknown';

export interface GetTarget {
  readonly ip: string;
  readonly port: number;
}

/**
 * Sends one `GET /hello` with so many bytes of padding, and expects as many back. It is lost if the
 * connection was made and nothing of the answer came in time: where its first packet came, a large one passed.
 */
export function getPadded(
  { ip, port }: GetTarget,
  padding: number,
  signal: AbortSignal,
): Promise<GetOutcome> {
  return new Promise((resolve) => {
    const authority = isIPv6(ip) ? `[${ip}]:${port}` : `${ip}:${port}`;
    let isConnected = false;
    let hasFirstByte = false;
    let status = 0;
    let bodyBytes = 0;
    const end = (outcome: GetOutcome): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', cancel);
      resolve(outcome);
    };
    const endRequest = sendRequest(
      {
        ip,
        port,
        origin: `http://${authority}`,
        method: 'GET',
        path: '/hello',
        headers: padding > 0 ? [paddingHeader, 'x'.repeat(padding)] : [],
        limits,
      },
      {
        onConnect: () => (isConnected = true),
        onFirstByte: () => (hasFirstByte = true),
        onHead: (statusCode) => (status = statusCode),
        onBody: (chunk) => (bodyBytes += chunk.length),
        onEnd: () => end(outcomeOf(status, bodyBytes, padding)),
        onFault: () => end('unknown'),
        onError: () => end('unknown'),
      },
    );
    const cancel = (): void => {
      endRequest();
      end('unknown');
    };
    const timer = setTimeout(() => {
      endRequest();
      end(isConnected && !hasFirstByte ? 'lost-back' : 'unknown');
    }, timeoutMs);
    signal.addEventListener('abort', cancel, { once: true });
    if (signal.aborted) cancel();
  });
}

/** An older agent answers 431, or 200 without a body: it cannot be asked. */
function outcomeOf(status: number, bodyBytes: number, padding: number): GetOutcome {
  // The responder did not get all of the request in time.
  if (status === 408) return 'lost-there';
  return status === 200 && bodyBytes === padding ? 'answered' : 'unknown';
}
