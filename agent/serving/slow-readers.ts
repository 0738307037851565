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

/**
 * Bounds what a server holds for clients that ask and do not read: each has an answer of its own
 * age waiting for it, and with thousands of nodes that is megabytes.
 */
export function disconnectSlowReaders(server: Server, limits: SlowReaderLimits): void {
  const { maxUnreadBytes, stallMs, graceMs: graceMs = 1000 } = limits;
  // In the order in which their answers were written.
  const readers = new Map<Socket, number>();
  const makeRoom = (): void => {
    let unreadBytes = 0;
    for (const socket of readers.keys()) unreadBytes += socket.writableLength;
    for (const [socket, sinceMs] of readers) {
      if (unreadBytes <= maxUnreadBytes || sinceMs > performance.now() - graceMs) return;
      unreadBytes -= socket.writableLength;
      socket.destroy();
    }
  };
  server.prependListener('request', ({ socket }: IncomingMessage, answer: ServerResponse) => {
    // It is complete, and what the client does not take at once begins to wait.
    answer.once('prefinish', () => {
      makeRoom();
      readers.set(socket, performance.now());
      // Node starts this clock anew whenever some of it was taken, and sets its own once all was.
      socket.setTimeout(stallMs);
    });
    answer.once('close', () => readers.delete(socket));
  });
}
