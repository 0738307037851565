import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export interface SlowReaderLimits {
  /** What all clients together may leave unread; past it, those that have taken longest go. */
  readonly maxUnreadBytes: number;
  /** A client that reads nothing at all of its answer for that long goes. */
  readonly stallMs: number;
  /** For so long no one is called slow, however much is unread: an answer is read in milliseconds. */
  readonly graceMs?: number;
}

interface OpenAnswer {
  readonly socket: Socket;
  /** Since when something of it is unread; undefined where nothing was yet. */
  unreadSinceMs: number | undefined;
}

/**
 * Bounds what a server holds for clients that ask and do not read: each has answers of its own
 * age waiting for it, and with thousands of nodes that is megabytes. A client that asks again before it has
 * read has several answers waiting, and each counts.
 */
export function disconnectSlowReaders(server: Server, limits: SlowReaderLimits): void {
  const { maxUnreadBytes, stallMs, graceMs: graceMs = 1000 } = limits;
  // In the order in which they were asked for.
  const answers = new Map<ServerResponse, OpenAnswer>();
  const makeRoom = (): void => {
    const nowMs = performance.now();
    let unreadBytes = 0;
    for (const [answer, open] of answers) {
      // An answer behind another one is not told that its connection is gone.
      if (open.socket.destroyed) answers.delete(answer);
      else if (answer.writableLength > 0) open.unreadSinceMs ??= nowMs;
      unreadBytes += answer.writableLength;
    }
    for (const [answer, { socket, unreadSinceMs = Infinity }] of answers) {
      if (unreadBytes <= maxUnreadBytes) return;
      if (unreadSinceMs > nowMs - graceMs) continue;
      unreadBytes -= answer.writableLength;
      answers.delete(answer);
      socket.destroy();
    }
  };
  server.prependListener('request', ({ socket }: IncomingMessage, answer: ServerResponse) => {
    answers.set(answer, { socket, unreadSinceMs: undefined });
    // It is complete, and what the client does not take at once begins to wait.
    answer.once('prefinish', () => {
      makeRoom();
      // Node starts this clock anew whenever some of it was taken, and sets its own once all was.
      socket.setTimeout(stallMs);
    });
    answer.once('close', () => answers.delete(answer));
  });
  // An answer behind another one has no such event, and who has had time to read may be many by now.
  const timer = setInterval(makeRoom, Math.max(graceMs, 100)).unref();
  server.once('close', () => clearInterval(timer));
}
