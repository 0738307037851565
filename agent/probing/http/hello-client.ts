import { connect as connectSocket, type Socket } from 'node:net';
import type { buildConnector } from 'undici';
// An inner file, because the whole package takes 5 MB more (`npm run bench -- --only http-strategies`).
import Client from 'undici/lib/dispatcher/client.js';

export const maxHeaderBytes = 8 * 1024;
export const maxBodyBytes = 64 * 1024;

export interface Target {
  readonly ip: string;
  readonly port: number;
  /** The Host header. */
  readonly host: string;
  /** What else the request carries. Undefined for nothing; then nothing of the answer is read. */
  readonly piggyback: { readonly name: string; readonly value: string } | undefined;
  /** The address of this host to send from; undefined: the kernel's choice. */
  readonly localAddress: string | undefined;
}

/** The answer to what the request carried. */
export interface PiggybackAnswer {
  readonly header: string | undefined;
  readonly body: string;
}

/** The events of one exchange, in this order. An end or an error comes once and is the last. */
export interface Exchange {
  onConnect(socket: Socket): void;
  onFirstByte(): void;
  onEnd(statusCode: number, answer: PiggybackAnswer): void;
  /** `wasAtOnce`: the connect call itself failed, so that nothing was sent. */
  onError(error: unknown, wasAtOnce: boolean): void;
  /** The client may ask again. It is not called after an error: that client is not used again. */
  onIdle(): void;
}

/**
 * Sends `GET /hello`, one request after the other, each on its own connection and to any address. A
 * new undici client for each probe would cost as much as the probe.
 *
 * The socket is made here, because undici's timeouts are coarse and its abort does not reach a
 * connection that is still being made.
 */
export class HelloClient {
  readonly #client: Client;
  #target: Target | undefined;
  #exchange: Exchange | undefined;
  #socket: Socket | undefined;
  #failedAtOnce = false;

  constructor() {
    this.#client = new Client('http://hello', {
      connect: (_, callback) => this.#connect(callback),
      maxHeaderSize: maxHeaderBytes,
      maxResponseSize: maxBodyBytes,
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  ask(target: Target, exchange: Exchange): void {
    this.#target = target;
    this.#exchange = exchange;
    const { host, piggyback } = target;
    const headers = ['host', host];
    if (piggyback !== undefined) headers.push(piggyback.name, piggyback.value);
    let status = 0;
    let header: string | undefined;
    let body = '';
    this.#client.dispatch(
      { path: '/hello', method: 'GET', headers, reset: true },
      {
        // undici recognises the kind of handler by this method.
        onRequestStart: () => undefined,
        onResponseStart: (_, statusCode, answered) => {
          status = statusCode;
          const value = piggyback === undefined ? undefined : answered[piggyback.name];
          if (typeof value === 'string') header = value;
          this.#exchange?.onFirstByte();
        },
        // An exchange is ASCII. Other bodies are not kept.
        onResponseData: (_, chunk) => {
          if (header !== undefined) body += chunk.toString('latin1');
        },
        onResponseEnd: () => {
          this.#exchange?.onEnd(status, { header, body });
          disableStackTracesThisTurn();
        },
        onResponseError: (_, error) => {
          const failed = this.#exchange;
          this.destroy();
          failed?.onError(error, this.#failedAtOnce);
        },
      },
    );
  }

  /** Ends the client and the exchange under way. No more events follow. */
  destroy(): void {
    this.#exchange = undefined;
    // Destroying the client alone would wait for a connection that is still being made.
    this.#socket?.destroy();
    void this.#client.destroy();
  }

  #connect(callback: buildConnector.Callback): void {
    const { ip: host, port, localAddress } = this.#target as Target;
    const socket = connectSocket({
      host,
      port,
      autoSelectFamily: false,
      ...(localAddress !== undefined && { localAddress }),
    });
    this.#socket = socket;
    // Node makes the connect call in the next tick, and only a call that fails destroys the socket in it.
    process.nextTick(() => (this.#failedAtOnce = socket.destroyed));
    const refused = (error: Error): void => {
      // Later errors have no receiver and must not end the process.
      socket.on('error', () => undefined);
      callback(error, null);
    };
    socket.once('error', refused);
    socket.once('connect', () => {
      socket.off('error', refused);
      this.#exchange?.onConnect(socket);
      callback(null, socket);
    });
    // This runs after undici has seen the close: an incomplete exchange is an error by then.
    socket.once('close', () => setImmediate(() => this.#closed(socket)));
  }

  #closed(socket: Socket): void {
    const ended = this.#exchange;
    if (this.#socket !== socket || ended === undefined) return;
    this.#socket = undefined;
    this.#exchange = undefined;
    ended.onIdle();
  }
}

/**
 * undici ends each connection with an error that it creates right after this callback. Node then
 * writes out the stack, and nobody reads it. That would cost a quarter to two fifths more for each GET
 * (`npm run bench -- --only http-strategies`: HelloClient against undici reused dispatch).
 */
function disableStackTracesThisTurn(): void {
  if (Error.stackTraceLimit === 0) return;
  const usual = Error.stackTraceLimit;
  Error.stackTraceLimit = 0;
  process.nextTick(() => (Error.stackTraceLimit = usual));
}
