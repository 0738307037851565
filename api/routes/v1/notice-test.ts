import type { HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import { HTTPException } from 'hono/http-exception';
import type { NoticeTest } from '../../schema/v1/notices.js';
import { noQuerySchema } from '../../schema/v1/queries.js';
import { allowOnly } from '../allow-methods.js';
import { readQuery } from '../read-query.js';

/** Sends a test to each receiver; undefined where the agent has none. It ends at once when the signal is aborted. */
export type NoticeTestSource = (signal: AbortSignal) => Promise<NoticeTest | undefined>;

const path = '/v1/notices/test';

/**
 * `POST /v1/notices/test`: sends a test to each receiver of notices, and tells what it answered. The unix socket alone
 * serves it, and one at a time: it sends to other hosts.
 */
export function createNoticeTestRoute(source: NoticeTestSource): Hono {
  const app = new Hono();
  let isUnderWay = false;
  app.post(path, async (context) => {
    readQuery(context, noQuerySchema);
    if (isUnderWay) {
      throw new HTTPException(429, { message: 'a test is under way, expected one at a time' });
    }
    isUnderWay = true;
    const stopping = new AbortController();
    const { outgoing } = (context.env ?? {}) as Partial<HttpBindings>;
    const stop = (): void => stopping.abort();
    outgoing?.once('close', stop);
    try {
      const tested = await source(stopping.signal);
      if (tested) return context.json(tested);
      throw new HTTPException(404, {
        message: 'there is no receiver: this agent runs without --notify-file',
      });
    } finally {
      outgoing?.off('close', stop);
      isUnderWay = false;
    }
  });
  allowOnly(app, path, 'POST');
  return app;
}
