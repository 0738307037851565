import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export interface SlowReaderLimits {
  /**
   * How much all clients together may leave unread. Above it, the answers that have taken longest
   * are cut.
   */
  readonly maxUnreadBytes: number;
  /** A client that reads nothing of its answer for this long is cut. */
  readonly stallMs: number;
  /**
   * An answer younger than this is never called slow, because answers are read in milliseconds.
   */
  readonly graceMs?: number;
}

interface OpenAnswer {
  readonly socket: Socket;
  /** Since when a part of it is unread; undefined if nothing was unread yet. */
  unreadSinceMs: number | undefined;
}

/**
 * Bounds what a server holds for clients that ask and do not read: with thousands of nodes one
 * answer is megabytes. A client that asks again before it has read has several answers waiting, and
 * each counts.
 */
export function disconnectSlowReaders(server: Server, limits: SlowReaderLimits): void {
  const { maxUnreadBytes, stallMs, graceMs: graceMs = 1000 } = limits;
  // In the order in which they were asked for.
  const answers = new Map<ServerResponse, OpenAnswer>();
  const makeRoom = (): void => {
    const nowMs = performance.now();
    let unreadBytes = 0;
    for (const [answer, open] of answers) {
      // A pipelined answer behind another one gets no event when its connection is gone.
      if (open.socket.destroyed) {
        answers.delete(answer);
        continue;
      }
      if (answer.writableLength > 0) open.unreadSinceMs ??= nowMs;
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
    checkSoon();
    // The answer is complete. What the client does not read at once begins to wait.
    answer.once('prefinish', () => {
      makeRoom();
      // Node restarts this timer whenever a part was taken, and sets its own once all was.
      socket.setTimeout(stallMs);
    });
    answer.once('close', () => answers.delete(answer));
  });
  // A pipelined answer has no such event, and many may have become slow since the last check.
  let timer: NodeJS.Timeout | undefined;
  const checkSoon = (): void => {
    timer ??= setTimeout(
      () => {
        timer = undefined;
        makeRoom();
        if (answers.size > 0) checkSoon();
      },
      Math.max(graceMs, 100),
    ).unref();
  };
  server.once('close', () => clearTimeout(timer));
}
