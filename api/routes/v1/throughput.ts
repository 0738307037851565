import { Hono } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { noQuerySchema } from '../../schema/v1/queries.js';
import {
  throughputRequestSchema,
  type ThroughputLine,
  type ThroughputRequest,
  type ThroughputTests,
} from '../../schema/v1/throughput.js';
import { allowOnly, refuseOther } from '../allow-methods.js';
import { readQuery } from '../read-query.js';
import { readTestRequest, sendTest } from './test-stream.js';

/** What a throughput test says as it goes, or why there is none. */
export type ThroughputAnswer =
  | { readonly lines: AsyncIterable<ThroughputLine> }
  | { readonly refused: keyof typeof statusOf; readonly text: string };

/** Starts a throughput test. It ends at once when the signal is aborted. */
export type ThroughputSource = (
  request: ThroughputRequest,
  signal: AbortSignal,
) => ThroughputAnswer;

const path = '/v1/throughput';
const statusOf = { 'unknown-node': 404, 'bad-request': 400, forbidden: 403, busy: 409 } as const;
/** Four measurements, and what comes between them. The test has deadlines of its own for each step. */
const timeoutMs = ({ seconds }: ThroughputRequest): number => 4 * (seconds * 1000 + 20_000);

/**
 * `POST /v1/throughput`: measures what gets through to a node, and sends what is found as NDJSON, line by line. The unix
 * socket alone serves it, because it fills the network. Mount it before `createThroughputReads`.
 */
export function createThroughputTest(source: ThroughputSource): Hono {
  const app = new Hono();
  app.post(path, async (context) => {
    readQuery(context, noQuerySchema);
    const request = await readTestRequest(context, throughputRequestSchema);
    const stopping = new AbortController();
    const answer = source(request, stopping.signal);
    if ('refused' in answer) {
      throw new HTTPException(statusOf[answer.refused], { message: answer.text });
    }
    const onEnd = (): void => undefined;
    return sendTest(context, answer.lines, { stopping, timeoutMs: timeoutMs(request), onEnd });
  });
  // What is read comes later, and would otherwise say that nothing but GET is allowed.
  const refuse = refuseOther(['GET', 'POST']);
  app.all(path, (context, next) => (isRead(context.req.method) ? next() : refuse(context)));
  return app;
}

function isRead(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** `GET /v1/throughput`: the last tests of this agent. */
export function createThroughputReads(tests: () => ThroughputTests): Hono {
  const app = new Hono();
  app.get(path, (context) => {
    readQuery(context, noQuerySchema);
    return context.json(tests(), 200, { 'cache-control': 'no-cache' });
  });
  allowOnly(app, path, 'GET');
  return app;
}
