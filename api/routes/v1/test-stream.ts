import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';
import type * as z from 'zod';
import { issueText } from '../issue-text.js';

const maxBodyBytes = 4096;

/**
 * Reads what a test is asked for.
 * @throws HTTPException with status 400 that says what was expected, or 413 for a body larger than any that asks for a test
 */
export async function readTestRequest<Request>(
  context: Context,
  schema: z.ZodType<Request>,
): Promise<Request> {
  const bad = (message: string): HTTPException => new HTTPException(400, { message });
  const text = await readSmallBody(context);
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    const got = text === '' ? 'no body' : 'no JSON';
    throw bad(`expected a JSON object such as {"node": "c/n2", "plane": "host"}, got ${got}`);
  }
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw bad(issue ? issueText(issue, body, schema, 'field') : parsed.error.message);
}

/**
 * Hono's own limit puts a new Request made of the old one in its place where the length is not told before. What Node's
 * adapter gives is a Request by its prototype alone, of which none can be made.
 */
async function readSmallBody({ req }: Context): Promise<string> {
  const refuseAbove = (bytes: number): void => {
    if (bytes <= maxBodyBytes) return;
    throw new HTTPException(413, { message: `expected a body of at most ${maxBodyBytes} bytes` });
  };
  refuseAbove(Number(req.header('content-length') ?? 0));
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  // What is left of a body that is too large is not cancelled: that would close the connection before it is answered.
  const body: ReadableStream<Uint8Array> | null = req.raw.body;
  const reader = body?.getReader();
  for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) {
    chunks.push(read.value);
    bytes += read.value.length;
    refuseAbove(bytes);
  }
  return Buffer.concat(chunks).toString('utf8');
}

export interface TestStreamOptions {
  /** Aborted when the client goes, or the test takes too long. */
  readonly stopping: AbortController;
  readonly timeoutMs: number;
  /** Called once, however the stream ends. */
  readonly onEnd: () => void;
}

/** Answers with the lines of a test as NDJSON, while it goes on. */
export function sendTest(
  context: Context,
  lines: AsyncIterable<object>,
  { stopping, timeoutMs, onEnd }: TestStreamOptions,
): Response {
  const { outgoing } = (context.env ?? {}) as Partial<HttpBindings>;
  const stop = (): void => stopping.abort();
  // A client that goes while nothing is being written is seen by this alone.
  outgoing?.once('close', stop);
  const stream = streamOf(lines, {
    stopping,
    timeoutMs,
    onEnd() {
      outgoing?.off('close', stop);
      onEnd();
    },
  });
  return context.body(stream, 200, {
    'content-type': 'application/x-ndjson',
    'cache-control': 'no-store',
  });
}

/** The lines as NDJSON. A test that is cut says so in its last line. */
function streamOf(
  lines: AsyncIterable<object>,
  { stopping, timeoutMs, onEnd }: TestStreamOptions,
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
  const write = (line: object): Uint8Array => encoder.encode(`${JSON.stringify(line)}\n`);
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
