import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { HTTPException } from 'hono/http-exception';
import type * as z from 'zod';

const maxBodyBytes = 4096;

/** Refuses a request whose body is larger than any that asks for a test. */
export const smallBody = bodyLimit({
  maxSize: maxBodyBytes,
  onError: (context: Context) =>
    context.json(`expected a body of at most ${maxBodyBytes} bytes`, 413),
});

/**
 * Reads what a test is asked for.
 * @throws HTTPException with status 400 that says what was expected
 */
export async function readTestRequest<Request>(
  context: Context,
  schema: z.ZodType<Request>,
): Promise<Request> {
  const bad = (message: string): HTTPException => new HTTPException(400, { message });
  let body: unknown;
  try {
    body = JSON.parse(await context.req.text());
  } catch {
    throw bad('expected a JSON object such as {"node": "c/n2", "plane": "host"}, got no JSON');
  }
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const at = issue && issue.path.length > 0 ? issue.path.join('.') : 'the body';
  throw bad(`${at}: ${issue?.message ?? ''}`);
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
