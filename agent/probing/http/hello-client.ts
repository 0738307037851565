import type { Socket } from 'node:net';
import { sendRequest } from '../../platform/http-exchange.js';
import type { AnswerFault, AnswerHeaders } from '../../platform/http-request.js';

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

/** A complete answer. Its body is latin1. */
export interface HelloAnswer {
  readonly status: number;
  readonly headers: AnswerHeaders;
  readonly body: string;
}

/** The events of one exchange, in this order. An end, a fault or an error comes once and is the last. */
export interface Exchange {
  onConnect(socket: Socket): void;
  onFirstByte(): void;
  /** The socket is still open. */
  onEnd(answer: HelloAnswer): void;
  /** What came is no complete answer. */
  onFault(fault: AnswerFault): void;
  /** `wasAtOnce`: the connect call itself failed, so that nothing was sent. */
  onError(error: Error, wasAtOnce: boolean): void;
}

const limits = { headerBytes: 8 * 1024, bodyBytes: 64 * 1024 } as const;

/** Sends `GET /hello` on a connection of its own. The result ends it: no more events follow. */
export function askHello(target: Target, exchange: Exchange): () => void {
  const { ip, port, host, piggyback, localAddress } = target;
  let status = 0;
  let headers: AnswerHeaders = {};
  let body = '';
  return sendRequest(
    {
      ip,
      port,
      localAddress,
      origin: `http://${host}`,
      method: 'GET',
      path: '/hello',
      headers: piggyback === undefined ? [] : [piggyback.name, piggyback.value],
      limits,
    },
    {
      onConnect: (socket) => exchange.onConnect(socket),
      onFirstByte: () => exchange.onFirstByte(),
      onHead(statusCode, answered) {
        status = statusCode;
        headers = answered;
      },
      onBody: (chunk) => void (body += chunk.toString('latin1')),
      onEnd: () => exchange.onEnd({ status, headers, body }),
      onFault: (fault) => exchange.onFault(fault),
      onError: (error, wasAtOnce) => exchange.onError(error, wasAtOnce),
    },
  );
}
