import { isIPv6, connect as connectSocket } from 'node:net';
import { paddingHeader } from '../../model/hello-headers.js';

/** What a large GET carries each way: eleven full segments of Ethernet. */
export const paddingBytes = 16_000;
/** A head of an answer is some hundred bytes. */
const maxAnswerBytes = paddingBytes + 4096;
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
    const socket = connectSocket({ host: ip, port, autoSelectFamily: false });
    const chunks: Buffer[] = [];
    let bytes = 0;
    let isConnected = false;
    const end = (outcome: GetOutcome): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', cancel);
      socket.destroy();
      resolve(outcome);
    };
    const cancel = (): void => end('unknown');
    const timer = setTimeout(
      () => end(isConnected && bytes === 0 ? 'lost-back' : 'unknown'),
      timeoutMs,
    );
    signal.addEventListener('abort', cancel, { once: true });
    socket.on('connect', () => {
      isConnected = true;
      const host = isIPv6(ip) ? `[${ip}]:${port}` : `${ip}:${port}`;
      const more = padding > 0 ? `${paddingHeader}: ${'x'.repeat(padding)}\r\n` : '';
      socket.write(`GET /hello HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n${more}\r\n`);
    });
    socket.on('data', (chunk) => {
      bytes += chunk.length;
      // What sends more than was asked for is no responder of ours.
      if (bytes > maxAnswerBytes) end('unknown');
      else chunks.push(chunk);
    });
    socket.on('end', () => end(outcomeOf(Buffer.concat(chunks).toString('latin1'), padding)));
    socket.on('error', () => end('unknown'));
    if (signal.aborted) cancel();
  });
}

/** An older agent answers 431, or 200 without a body: it cannot be asked. */
function outcomeOf(answer: string, padding: number): GetOutcome {
  const [, status] = /^HTTP\/1\.[01] (\d{3}) /.exec(answer) ?? [];
  // The responder did not get all of the request in time.
  if (status === '408') return 'lost-there';
  const headEnd = answer.indexOf('\r\n\r\n');
  if (status !== '200' || headEnd === -1) return 'unknown';
  return answer.length - headEnd - 4 === padding ? 'answered' : 'unknown';
}
