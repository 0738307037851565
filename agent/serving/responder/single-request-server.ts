import { createServer, type Server, type Socket } from 'node:net';
import { noteSocketEvent } from '../../platform/loop-turns.js';
import { formatAnswerHead, formatRefusal, type Answer, type RemoteRequest } from './answer.js';
import { HeldBySource } from './held-by-source.js';
import {
  beginsPadding,
  maxHeadBytes,
  maxPaddedHeadBytes,
  parseRequestHead,
} from './request-head.js';

const headEnd = '\r\n\r\n';
const requestTimeoutMs = 3000;
const checkEveryMs = 500;
/**
 * The largest head fits in seven Ethernet frames. A client that sends it byte by byte is refused.
 */
const maxChunks = 16;
/** A head with padding may come in small segments: what is tested is whether large ones pass. */
const maxPaddedChunks = 64;
/** Above it, one of them is refused like any other head that is too large. */
const maxPaddedAtOnce = 64;
const maxConnections = 1024;

export interface SingleRequestServer {
  /** It does not listen yet. */
  readonly server: Server;
  /** Closes it and all its connections. */
  stop(): Promise<void>;
}

/**
 * A server that handles one request per connection: it reads one head, answers, closes, and reads
 * nothing more. Node's own HTTP server parses and answers all that a client sends at once, up to
 * 1,600 requests in one turn of the event loop. libuv (1.45 and later) accepts one connection a
 * turn, so a flood of connections waits in the kernel while everything else in this process has its
 * turn.
 *
 * No client can hold it: a request that is not complete after three seconds or some segments is
 * refused, and above a number of connections one is closed: the oldest of the client that has most of them.
 */
export function createSingleRequestServer(
  answer: (request: RemoteRequest) => Answer,
): SingleRequestServer {
  /** The oldest first. */
  const connections = new Set<Connection>();
  const bySource = new HeldBySource<Connection>();
  const padded = new HeldBySource<Connection>();
  const onPadded = (connection: Connection): void => {
    padded.add(connection.source, connection);
    if (padded.size > maxPaddedAtOnce) padded.oldestOfMost()?.refuse(431);
  };
  const server = createServer({ noDelay: true }, (socket) => {
    noteSocketEvent();
    const connection = new Connection(socket, answer, onPadded);
    const { source } = connection;
    connections.add(connection);
    bySource.add(source, connection);
    checkSoon();
    socket.once('close', () => {
      connections.delete(connection);
      bySource.delete(source, connection);
      padded.delete(source, connection);
    });
    if (bySource.size > maxConnections) bySource.oldestOfMost()?.destroy();
  });
  let timer: NodeJS.Timeout | undefined;
  /** Without a connection nothing wakes the process. */
  const checkSoon = (): void => {
    timer ??= setTimeout(() => {
      timer = undefined;
      const nowMs = performance.now();
      for (const connection of connections) {
        if (connection.deadlineMs > nowMs) break;
        connection.endOverdue();
      }
      if (connections.size > 0) checkSoon();
    }, checkEveryMs).unref();
  };
  return {
    server,
    stop: () =>
      new Promise((resolve) => {
        clearTimeout(timer);
        server.close(() => resolve());
        for (const connection of connections) connection.destroy();
      }),
  };
}

/** One accepted connection. */
class Connection {
  readonly deadlineMs = performance.now() + requestTimeoutMs;
  /** The address of the client. */
  readonly source: string;
  readonly #socket: Socket;
  readonly #answer: (request: RemoteRequest) => Answer;
  #head = '';
  #receivedBytes = 0;
  #chunks = 0;
  #maxBytes = maxHeadBytes;
  #maxChunks = maxChunks;
  #isAnswered = false;
  #isTakenOver = false;
  readonly #onPadded: (connection: Connection) => void;

  constructor(
    socket: Socket,
    answer: (request: RemoteRequest) => Answer,
    onPadded: (connection: Connection) => void,
  ) {
    this.#socket = socket;
    this.#answer = answer;
    this.#onPadded = onPadded;
    this.source = socket.remoteAddress ?? '';
    // The close event that follows says all that matters.
    socket.on('error', () => undefined).on('data', this.#onData);
  }

  /** Refuses an incomplete request, and cuts a client that does not read its answer. */
  endOverdue(): void {
    if (this.#isTakenOver) return;
    if (this.#isAnswered) this.destroy();
    else this.refuse(408);
  }

  refuse(status: Parameters<typeof formatRefusal>[0]): void {
    this.#finish(formatRefusal(status));
  }

  destroy(): void {
    this.#socket.destroy();
  }

  readonly #onData = (chunk: Buffer): void => {
    noteSocketEvent();
    if (this.#isAnswered) return;
    const searchFrom = Math.max(this.#head.length - headEnd.length, 0);
    const room = maxPaddedHeadBytes - this.#receivedBytes;
    this.#head += chunk.toString('latin1', 0, Math.max(room, 0));
    this.#receivedBytes += chunk.length;
    this.#chunks++;
    // A client may send empty lines before its request (RFC 9112, section 2.2).
    if (searchFrom === 0) this.#head = this.#head.replace(/^(?:\r\n)+/, '');
    const end = this.#head.indexOf(headEnd, searchFrom);
    if (end === -1) {
      if (!this.#allowPadding()) return;
      if (this.#receivedBytes >= this.#maxBytes) this.refuse(431);
      else if (this.#chunks >= this.#maxChunks) this.refuse(400);
      return;
    }
    if (end > maxHeadBytes - headEnd.length && !this.#allowPadding()) return;
    if (end > this.#maxBytes - headEnd.length) {
      this.refuse(431);
      return;
    }
    const request = parseRequestHead(this.#head.slice(0, end));
    if (!request) {
      this.refuse(400);
      return;
    }
    const answer = this.#answer({ ...request, remoteAddress: this.source });
    if (answer.takeOver) this.#giveAway(answer, answer.takeOver, this.#head.length - end);
    else
      this.#finish(formatAnswerHead(answer), request.method === 'HEAD' ? undefined : answer.body);
  };

  /** The connection is no longer of HTTP. It is closed with the server, and nothing else is done to it here. */
  #giveAway(answer: Answer, takeOver: (socket: Socket) => void, length: number): void {
    // Who asks for another protocol waits for the answer before it speaks it.
    if (length > headEnd.length) {
      this.refuse(400);
      return;
    }
    this.#isTakenOver = true;
    this.#socket.off('data', this.#onData).pause();
    this.#socket.write(formatAnswerHead(answer), 'latin1');
    takeOver(this.#socket);
  }

  /**
   * A head that says early that it carries padding may be larger. Where too many do, this one or another is refused.
   * Returns false if it was this one.
   */
  #allowPadding(): boolean {
    if (this.#maxBytes !== maxHeadBytes || !beginsPadding(this.#head.slice(0, maxHeadBytes)))
      return true;
    this.#maxBytes = maxPaddedHeadBytes;
    this.#maxChunks = maxPaddedChunks;
    this.#onPadded(this);
    return !this.#isAnswered;
  }

  /** Writes the last bytes of a connection, and closes it as soon as the kernel has taken them. */
  #finish(head: string, body?: Uint8Array): void {
    this.#isAnswered = true;
    const socket = this.#socket.pause();
    // To a peer that has this agent's row, the body is empty. Two writes cost more than one.
    const hasBody = body !== undefined && body.length > 0;
    if (hasBody) socket.cork();
    socket.write(head, 'latin1');
    if (hasBody) {
      socket.write(body);
      socket.uncork();
    }
    // The kernel sends what it has taken. A shutdown before the close would cost one more system
    // call per request.
    if (socket.writableLength === 0) socket.destroy();
    else socket.destroySoon();
  }
}
