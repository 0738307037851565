import type { HttpBindings } from '@hono/node-server';
import { Hono, type Context } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { HTTPException } from 'hono/http-exception';
import {
  pathTestNames,
  pathTestRequestSchema,
  type PathTestLine,
  type PathTestName,
  type PathTestRequest,
} from '../../schema/v1/path-tests.js';
import { noQuerySchema } from '../../schema/v1/queries.js';
import { allowOnly } from '../allow-methods.js';
import { readQuery } from '../read-query.js';

/** What a test says as it goes, or why there is none. */
export type PathTestAnswer =
  | { readonly lines: AsyncIterable<PathTestLine> }
  | { readonly refused: 'unknown-node' | 'bad-request'; readonly text: string };

/** Starts a test of one path. It ends at once when the signal is aborted. */
export type PathTestSource = (
  test: PathTestName,
  request: PathTestRequest,
  signal: AbortSignal,
) => PathTestAnswer;

export interface PathTestOptions {
  /** A test that takes longer is cut. */
  readonly timeoutMs?: number;
}

/** How many tests are made at once. */
export const maxAtOnce = 4;
const maxBodyBytes = 4096;
const statusOf = { 'unknown-node': 404, 'bad-request': 400 } as const;

/**
 * `POST /v1/trace`, `/v1/mtu` and `/v1/flows`: tests one path and sends what is found as NDJSON, line by
 * line. The unix socket alone serves them, because they send packets.
 */
export function createPathTestRoutes(
  source: PathTestSource,
  { timeoutMs = 30_000 }: PathTestOptions = {},
): Hono {
  const app = new Hono();
  let atOnce = 0;
  const onError = (context: Context): Response =>
    context.json(`expected a body of at most ${maxBodyBytes} bytes`, 413);
  for (const test of pathTestNames) {
    const path = `/v1/${test}`;
    app.post(path, bodyLimit({ maxSize: maxBodyBytes, onError }), async (context) => {
      readQuery(context, noQuerySchema);
      const request = await readRequest(context);
      if (atOnce >= maxAtOnce) {
        throw new HTTPException(429, {
          message: `${atOnce} tests are under way, expected at most ${maxAtOnce}; try again later`,
        });
      }
      const stopping = new AbortController();
      const answer = source(test, request, stopping.signal);
      if ('refused' in answer) {
        throw new HTTPException(statusOf[answer.refused], { message: answer.text });
      }
      atOnce++;
      const { outgoing } = (context.env ?? {}) as Partial<HttpBindings>;
      const stop = (): void => stopping.abort();
      // A client that goes while nothing is being written is seen by this alone.
      outgoing?.once('close', stop);
      const onEnd = (): void => {
        outgoing?.off('close', stop);
        atOnce--;
      };
      const stream = streamOf(answer.lines, { stopping, timeoutMs, onEnd });
      return context.body(stream, 200, {
        'content-type': 'application/x-ndjson',
        'cache-control': 'no-store',
      });
    });
    allowOnly(app, path, 'POST');
  }
  return app;
}

async function readRequest(context: Context): Promise<PathTestRequest> {
  const bad = (message: string): HTTPException => new HTTPException(400, { message });
  let body: unknown;
  try {
    body = JSON.parse(await context.req.text());
  } catch {
    throw bad('expected a JSON object such as {"node": "c/n2", "plane": "host"}, got no JSON');
  }
  const parsed = pathTestRequestSchema.safeParse(body);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const at = issue && issue.path.length > 0 ? issue.path.join('.') : 'the body';
  throw bad(`${at}: ${issue?.message ?? ''}`);
}

interface StreamOptions {
  readonly stopping: AbortController;
  readonly timeoutMs: number;
  /** Called once, however the stream ends. */
  readonly onEnd: () => void;
}

/** The lines as NDJSON. A test that is cut says so in its last line. */
function streamOf(
  lines: AsyncIterable<PathTestLine>,
  { stopping, timeoutMs, onEnd }: StreamOptions,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const iterator = lines[Symbol.asyncIterator]();
  let isTooLong = false;
  let isOver = false;
  const timer = setTimeout(() => {
    isTooLong = true;
    stopping.abort();
  }, timeoutMs);
  const finish = (): void => {
    if (isOver) return;
    isOver = true;
    clearTimeout(timer);
    onEnd();
  };
  const write = (line: PathTestLine): Uint8Array => encoder.encode(`${JSON.stringify(line)}\n`);
  return new ReadableStream(
    {
      async pull(controller) {
        try {
          const next = await iterator.next();
          if (next.done !== true) {
            controller.enqueue(write(next.value));
            return;
          }
        } catch (error) {
          finish();
          if (stopping.signal.aborted && !isTooLong) return;
          const text = isTooLong
            ? `the test took longer than ${timeoutMs / 1000} s`
            : `the test failed: ${String(error)}`;
          controller.enqueue(write({ type: 'error', text }));
        }
        finish();
        controller.close();
      },
      async cancel() {
        stopping.abort();
        // What the test holds is let go before the next one may start.
        await iterator.return?.().then(
          () => undefined,
          () => undefined,
        );
        finish();
      },
    },
    { highWaterMark: 0 },
  );
}
