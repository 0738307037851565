import { Hono } from 'hono';
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
import { readTestRequest, sendTest } from './test-stream.js';

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
  for (const test of pathTestNames) {
    const path = `/v1/${test}`;
    app.post(path, async (context) => {
      readQuery(context, noQuerySchema);
      const request = await readTestRequest(context, pathTestRequestSchema);
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
      return sendTest(context, answer.lines, { stopping, timeoutMs, onEnd: () => atOnce-- });
    });
    allowOnly(app, path, 'POST');
  }
  return app;
}
