import { AssertionError } from 'node:assert';
import { connect as connectSocket, type Socket } from 'node:net';
import { Client, errors, type buildConnector, type Dispatcher } from 'undici';
import type {
  AnswerFault,
  AnswerHeaders,
  AnswerLimits,
  HttpEvents,
  HttpRequest,
} from './http-request.js';

const notHttp: AnswerFault = { kind: 'protocol', detail: 'the answer is not HTTP' };
const cutShort: AnswerFault = {
  kind: 'reset',
  detail: 'connection closed by peer before the answer was complete',
};
const wasClosed = 'the connection was closed';

/**
 * Sends one request on a connection of its own, by an undici client of its own: clients that are kept cost as
 * much (`npm run bench -- --only http-strategies`). It has no deadline: the caller ends it.
 *
 * The socket is made here for its stamps, its address and its end: undici's abort does not reach a connection
 * that is still being made, and its timeouts are coarse.
 * @returns how to end it; no more events follow
 * @throws Error where a header or the path cannot be sent
 */
export function sendRequest(request: HttpRequest, events: HttpEvents): () => void {
  return new HttpExchange(request, events).end;
}

/** One request under way, and what undici says of its answer. */
class HttpExchange implements Dispatcher.DispatchHandler {
  readonly #request: HttpRequest;
  readonly #events: HttpEvents;
  #socket: Socket | undefined;
  #hasEnded = false;
  #failedAtOnce = false;
  #hasHead = false;
  /** How many have come of the answer. */
  #bytes = 0;
  #hasPeerEnded = false;

  constructor(request: HttpRequest, events: HttpEvents) {
    this.#request = request;
    this.#events = events;
    const { origin, limits, method, path, headers } = request;
    const client = new Client(origin, {
      connect: (_, callback) => this.#connect(callback),
      // It is bounded below: undici makes an error of each header after its bound, which stalls for a second.
      maxHeaderSize: mostBytes(limits) + 1,
      maxResponseSize: limits.bodyBytes,
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    client.dispatch({ path, method, headers: [...headers], reset: true }, this);
  }

  readonly end = (): void => this.#end(() => undefined);

  /** undici recognises the kind of handler by this method. */
  onRequestStart(): void {
    // The connection is what is stamped.
  }

  onResponseStart(
    { rawHeaders }: Dispatcher.DispatchController,
    status: number,
    headers: AnswerHeaders,
  ): void {
    // An interim answer: the final one follows (RFC 9110, section 15.2).
    if (this.#hasEnded || status < 200) return;
    if (lengthOf(rawHeaders) > this.#request.limits.headerBytes) {
      this.#end(() => this.#events.onFault(this.#largeHead));
      return;
    }
    this.#hasHead = true;
    this.#events.onHead(status, headers);
  }

  onResponseData(_: unknown, chunk: Buffer): void {
    if (!this.#hasEnded) this.#events.onBody?.(chunk);
  }

  onResponseEnd(): void {
    this.#end(() => this.#events.onEnd());
  }

  onResponseError(_: unknown, error: Error): void {
    // A header that cannot be sent: nothing was opened.
    if (!this.#socket) throw error;
    this.#end(() => {
      const fault = this.#faultOf(error);
      if (fault) this.#events.onFault(fault);
      else this.#events.onError(error, this.#failedAtOnce);
    });
  }

  /** undici would destroy the socket too, with an error whose stack nobody reads. */
  #end(tell: () => void): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    try {
      tell();
    } finally {
      this.#socket?.destroy();
    }
  }

  #connect(callback: buildConnector.Callback): void {
    // undici connects again where the socket that it was given is closed already.
    if (this.#socket) {
      callback(new Error(wasClosed), null);
      return;
    }
    const { ip: host, port, localAddress, secure } = this.#request;
    const socket = connectSocket({
      host,
      port,
      autoSelectFamily: false,
      noDelay: true,
      ...(localAddress !== undefined && { localAddress }),
    });
    this.#socket = socket;
    let isSettled = false;
    const settle: buildConnector.Callback = (...args) => {
      if (isSettled) return;
      isSettled = true;
      const [error, connected] = args;
      // Later errors have no receiver and must not end the process.
      socket.on('error', () => undefined);
      if (error === null) this.#watch(connected);
      callback(...args);
    };
    // Node makes the connect call in the next tick, and only a call that fails destroys the socket in it.
    process.nextTick(() => (this.#failedAtOnce = socket.destroyed && !this.#hasEnded));
    socket.once('error', (error) => settle(error, null));
    // Who ends it closes the socket without an error, and undici waits for an answer.
    socket.once('close', () => settle(new Error(wasClosed), null));
    socket.once('connect', () => {
      if (this.#hasEnded) return;
      this.#events.onConnect?.(socket);
      if (secure) secure(socket, settle);
      else settle(null, socket);
    });
  }

  /** Sees what arrives before undici reads it. What undici does not bound is bounded here, such as a status line. */
  #watch(socket: Socket): void {
    this.#socket = socket;
    const { limits } = this.#request;
    const most = mostBytes(limits);
    const bytesBefore = socket.bytesRead;
    socket.on('readable', () => {
      const bytes = socket.bytesRead - bytesBefore;
      if (this.#hasEnded || bytes === 0) return;
      if (this.#bytes === 0) this.#events.onFirstByte?.();
      // What was read before is parsed.
      const isLargeHead = !this.#hasHead && this.#bytes > limits.headerBytes;
      this.#bytes = bytes;
      if (bytes <= most && !isLargeHead) return;
      // undici would read it, though the socket is destroyed.
      socket.read();
      this.#end(() => this.#events.onFault(this.#hasHead ? this.#largeBody : this.#largeHead));
    });
    socket.once('end', () => (this.#hasPeerEnded = true));
  }

  /** Undefined: the connection failed, and its error says why. */
  #faultOf(error: Error): AnswerFault | undefined {
    if (error instanceof errors.ResponseExceededMaxSizeError) return this.#largeBody;
    const isOfAnswer =
      error instanceof errors.UndiciError ||
      error instanceof errors.HTTPParserError ||
      error instanceof AssertionError;
    if (!isOfAnswer) return undefined;
    if (!this.#hasHead && this.#bytes > this.#request.limits.headerBytes) return this.#largeHead;
    return this.#hasPeerEnded ? cutShort : notHttp;
  }

  get #largeHead(): AnswerFault {
    const { headerBytes } = this.#request.limits;
    return { kind: 'too-large', detail: `answer headers larger than ${headerBytes} bytes` };
  }

  get #largeBody(): AnswerFault {
    const { bodyBytes } = this.#request.limits;
    return { kind: 'too-large', detail: `answer larger than ${bodyBytes} bytes` };
  }
}

function mostBytes({ headerBytes, bodyBytes }: AnswerLimits): number {
  return headerBytes + bodyBytes;
}

function lengthOf(rawHeaders: Dispatcher.DispatchController['rawHeaders']): number {
  if (!Array.isArray(rawHeaders)) return 0;
  return rawHeaders.reduce((sum: number, { length }) => sum + length, 0);
}
