import type { Socket } from 'node:net';
import type { buildConnector, Dispatcher } from 'undici';
import type { FailureKind } from '../model/failure.js';

/** Puts TLS on a connection. It calls back once, with the socket to use from then on. */
export type Secure = (socket: Socket, callback: buildConnector.Callback) => void;

/** One request, and where to send it. */
export interface HttpRequest {
  readonly ip: string;
  readonly port: number;
  /** The address of this host to send from; undefined: the kernel's choice. */
  readonly localAddress?: string | undefined;
  /** Undefined: no TLS. */
  readonly secure?: Secure | undefined;
  /** What the Host header is made of: scheme, name and port. */
  readonly origin: string;
  readonly method: 'GET' | 'HEAD';
  readonly path: string;
  /** Names and values in turns. */
  readonly headers: readonly string[];
  readonly limits: AnswerLimits;
}

/** So much of an answer is read. */
export interface AnswerLimits {
  readonly headerBytes: number;
  readonly bodyBytes: number;
}

export type AnswerHeaders = Parameters<
  NonNullable<Dispatcher.DispatchHandler['onResponseStart']>
>[2];

/** Why an answer is none. */
export interface AnswerFault {
  readonly kind: FailureKind;
  readonly detail: string;
}

/**
 * The events of one exchange, in this order. An end, a fault or an error comes once and is the last; the socket
 * is still open at an end, and destroyed after it.
 */
export interface HttpEvents {
  /** The TCP connection is made, TLS is not. */
  onConnect?(socket: Socket): void;
  /** Something of the answer has arrived, complete or not. */
  onFirstByte?(): void;
  /** The head of the final answer. */
  onHead(status: number, headers: AnswerHeaders): void;
  onBody?(chunk: Buffer): void;
  onEnd(): void;
  /** What came is no complete answer, or a larger one than was wanted. */
  onFault(fault: AnswerFault): void;
  /**
   * A connection that failed, or that broke.
   * @param wasAtOnce the connect call itself failed, so that nothing was sent
   */
  onError(error: Error, wasAtOnce: boolean): void;
}
