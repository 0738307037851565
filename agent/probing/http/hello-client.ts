import { connect as connectSocket, type Socket } from 'node:net';
import { AnswerReader, type AnswerFault } from './answer-reader.js';

export interface Target {
  readonly ip: string;
  readonly port: number;
  /** The Host header. */
  readonly host: string;
  /** What else the request carries; undefined for nothing. */
  readonly piggyback: { readonly name: string; readonly value: string } | undefined;
  /** The address of this host to send from; undefined: the kernel's choice. */
  readonly localAddress: string | undefined;
}

/** The events of one exchange, in this order. An end, a fault or an error comes once and is the last. */
export interface Exchange {
  onConnect(socket: Socket): void;
  onFirstByte(): void;
  onEnd(answer: Pick<AnswerReader, 'status' | 'headers' | 'body'>): void;
  /** What came is no complete answer. */
  onFault(fault: AnswerFault): void;
  /** `wasAtOnce`: the connect call itself failed, so that nothing was sent. */
  onError(error: Error, wasAtOnce: boolean): void;
}

/** What a socket has read is used before the next one reads, so all share one buffer. */
const readBuffer = Buffer.alloc(16 * 1024);

/**
 * Sends `GET /hello` on a connection of its own. The result ends it: no more events follow. It is by hand on
 * `node:net`, because an HTTP client that may reuse connections costs half as much again for one GET
 * (`npm run bench -- --only http-strategies`).
 */
export function askHello(target: Target, exchange: Exchange): () => void {
  const { ip, port, host, piggyback, localAddress } = target;
  const reader = new AnswerReader();
  let hasEnded = false;
  let failedAtOnce = false;
  const end = (tell: () => void): void => {
    if (hasEnded) return;
    hasEnded = true;
    socket.destroy();
    tell();
  };
  const take = (bytes: number): boolean => {
    if (hasEnded) return false;
    if (reader.isUnused) exchange.onFirstByte();
    const found = reader.take(readBuffer.toString('latin1', 0, bytes));
    if (typeof found === 'object') end(() => exchange.onFault(found));
    else if (found) end(() => exchange.onEnd(reader));
    return !hasEnded;
  };
  const socket = connectSocket({
    host: ip,
    port,
    autoSelectFamily: false,
    ...(localAddress !== undefined && { localAddress }),
    onread: { buffer: readBuffer, callback: take },
  });
  // Node makes the connect call in the next tick, and only a call that fails destroys the socket in it.
  process.nextTick(() => (failedAtOnce = socket.destroyed && !hasEnded));
  socket.once('connect', () => {
    exchange.onConnect(socket);
    const carried = piggyback === undefined ? '' : `${piggyback.name}: ${piggyback.value}\r\n`;
    socket.write(
      `GET /hello HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n${carried}\r\n`,
      'latin1',
    );
  });
  socket.once('end', () => {
    const fault = reader.close();
    end(() => (fault ? exchange.onFault(fault) : exchange.onEnd(reader)));
  });
  // Later errors have no receiver and must not end the process.
  socket.on('error', (error) => end(() => exchange.onError(error, failedAtOnce)));
  return () => end(() => undefined);
}
