import { setImmediate } from 'node:timers/promises';
import type { HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { noQuerySchema } from '../schema/v1/queries.js';
import { allowOnly } from './allow-methods.js';
import { readQuery } from './read-query.js';

/** The JSON of a report in pieces. Each is made when it is asked for. */
export type ReportPieces = Iterable<string | Uint8Array>;

export interface ReportOptions {
  /** A reader that takes nothing for this long is disconnected. */
  readonly stallMs?: number;
}

/** How many reports are written at once. */
const maxAtOnce = 2;
/** A report is written for this long at a stretch, in milliseconds. */
const sliceMs = 2;
/** About as much is sent at once. */
const chunkChars = 65_536;

/**
 * `GET /v1/report`: all that the agent knows. It may have hundreds of megabytes, so it is written
 * while it is read, and must not pass through a middleware that holds whole bodies.
 */
export function createReportRoute(
  report: () => Promise<ReportPieces>,
  { stallMs = 30_000 }: ReportOptions = {},
): Hono {
  const app = new Hono();
  let atOnce = 0;
  app.get('/v1/report', async (context) => {
    readQuery(context, noQuerySchema);
    const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' };
    if (context.req.method === 'HEAD') return context.body(null, 200, headers);
    if (atOnce >= maxAtOnce) {
      throw new HTTPException(503, {
        message: `${atOnce} reports are being read, expected at most ${maxAtOnce}; try again later`,
      });
    }
    atOnce++;
    const onEnd = (): void => {
      atOnce--;
    };
    try {
      const pieces = await report();
      const { outgoing } = (context.env ?? {}) as Partial<HttpBindings>;
      const onStall = (): void => void outgoing?.destroy();
      const stream = new ReportStream(pieces, { stallMs, onStall, onEnd });
      // With this mark, pull is called only when the reader wants more, so nothing is made ahead.
      return context.body(new ReadableStream(stream, { highWaterMark: 0 }), 200, headers);
    } catch (error) {
      onEnd();
      throw error;
    }
  });
  allowOnly(app, '/v1/report', 'GET');
  return app;
}

interface StreamOptions {
  readonly stallMs: number;
  /** Called when the reader has taken nothing for too long. */
  readonly onStall: () => void;
  /** Called once, however the stream ends. */
  readonly onEnd: () => void;
}

/** Makes the pieces while the reader takes them, some milliseconds at a time. */
class ReportStream {
  readonly #pieces: Iterator<string | Uint8Array>;
  readonly #encoder = new TextEncoder();
  readonly #onEnd: () => void;
  readonly #stallTimer: NodeJS.Timeout;
  #untilMs = -Infinity;
  #isOver = false;

  constructor(pieces: ReportPieces, { stallMs, onStall, onEnd }: StreamOptions) {
    this.#pieces = pieces[Symbol.iterator]();
    this.#onEnd = onEnd;
    this.#stallTimer = setTimeout(() => {
      this.cancel();
      onStall();
    }, stallMs);
  }

  async pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    this.#stallTimer.refresh();
    let text = '';
    while (text.length < chunkChars) {
      await this.#takeTurns();
      if (this.#isOver) return;
      const piece = this.#next();
      if (typeof piece === 'string') {
        text += piece;
        continue;
      }
      if (text !== '') controller.enqueue(this.#encoder.encode(text));
      if (piece) controller.enqueue(piece);
      else controller.close();
      return;
    }
    controller.enqueue(this.#encoder.encode(text));
  }

  cancel(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#stallTimer);
    this.#pieces.return?.();
    this.#onEnd();
  }

  /** Lets everything else in this process have its turn, if a slice is over. */
  async #takeTurns(): Promise<void> {
    if (performance.now() < this.#untilMs) return;
    await setImmediate();
    this.#untilMs = performance.now() + sliceMs;
  }

  #next(): string | Uint8Array | undefined {
    try {
      const piece = this.#pieces.next();
      if (piece.done !== true) return piece.value;
    } catch (error) {
      this.cancel();
      throw error;
    }
    this.cancel();
    return undefined;
  }
}
