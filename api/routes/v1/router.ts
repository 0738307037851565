import type { HttpBindings } from '@hono/node-server';
import { Hono, type Context } from 'hono';
import { accepts } from 'hono/accepts';
import { HTTPException } from 'hono/http-exception';
import {
  eventsQuerySchema,
  matrixQuerySchema,
  nodesQuerySchema,
  noQuerySchema,
  targetMatrixQuerySchema,
  type EventsQuery,
} from '../../schema/v1/queries.js';
import { allowOnly } from '../allow-methods.js';
import { createEventStream, type EventStreamTimings } from './event-stream.js';
import { nodePage } from './node-pages.js';
import { readQuery } from '../read-query.js';
import type { TooManyValues, UnknownLabel, UnknownName, UnknownZone, V1Source } from './source.js';
import { isUnknownName, unknownNameText } from './unknown-name.js';

export interface V1Options {
  /** Further readers of events get 503, so that other clients can still connect. */
  readonly maxEventReaders?: number;
  readonly eventTimings?: Partial<EventStreamTimings>;
}

/** A full name has a slash. Clients write it as it is or as %2F. */
const nodePath = '/v1/nodes/:name{[\\s\\S]+}';

const targetPath = '/v1/targets/:name{[\\s\\S]+}';

const noCache = { 'cache-control': 'no-cache' };

/**
 * The routes of `/v1`, about the whole cluster. The unix socket and the TCP listener serve the
 * same.
 */
export function createV1Routes(source: V1Source, options: V1Options = {}): Hono {
  const app = new Hono();
  app.get('/v1/summary', async (context) => {
    readQuery(context, noQuerySchema);
    return context.json(await source.summary(), 200, noCache);
  });
  allowOnly(app, '/v1/summary', 'GET');
  app.get('/v1/findings', async (context) => {
    readQuery(context, noQuerySchema);
    return context.json(await source.findings(), 200, noCache);
  });
  allowOnly(app, '/v1/findings', 'GET');
  app.get('/v1/matrix', async (context) => {
    if (context.req.query('target') !== undefined) {
      const query = readQuery(context, targetMatrixQuerySchema);
      const matrix = known('target', query.target, inZone(await source.targetMatrix(query)));
      return context.json({ ...matrix, target: query.target }, 200, noCache);
    }
    const query = readQuery(context, matrixQuerySchema);
    const { plane, protocol } = query;
    const body = {
      ...inZone(await source.matrix(query)),
      ...(plane !== 'worst' && { plane }),
      ...(protocol !== 'worst' && { protocol }),
    };
    return context.json(body, 200, noCache);
  });
  allowOnly(app, '/v1/matrix', 'GET');
  app.get('/v1/nodes', async (context) => {
    const query = readQuery(context, nodesQuerySchema);
    const page = await nodePage(source, query, new Date().toISOString());
    return context.json(inZone(page), 200, noCache);
  });
  allowOnly(app, '/v1/nodes', 'GET');
  app.get(nodePath, async (context) => {
    readQuery(context, noQuerySchema);
    const name = context.req.param('name');
    return context.json(known('node', name, await source.node(name)), 200, noCache);
  });
  allowOnly(app, nodePath, 'GET');
  app.get('/v1/targets', async (context) => {
    readQuery(context, noQuerySchema);
    return context.json(await source.targets(), 200, noCache);
  });
  allowOnly(app, '/v1/targets', 'GET');
  app.get(targetPath, async (context) => {
    readQuery(context, noQuerySchema);
    const name = context.req.param('name');
    return context.json(known('target', name, await source.target(name)), 200, noCache);
  });
  allowOnly(app, targetPath, 'GET');
  app.get('/v1/notices', async (context) => {
    readQuery(context, noQuerySchema);
    const none = { at: new Date().toISOString(), receivers: [], notices: [] };
    return context.json((await source.notices?.()) ?? none, 200, noCache);
  });
  allowOnly(app, '/v1/notices', 'GET');
  app.get('/v1/events', createEventsHandler(source, options));
  allowOnly(app, '/v1/events', 'GET');
  return app;
}

/**
 * The body about a node or target.
 * @throws HTTPException with status 404 if there is none of that name
 */
function known<Body extends object>(
  what: 'node' | 'target' | 'zone',
  name: string,
  body: Body | UnknownName,
): Body {
  if (!isUnknownName(body)) return body;
  throw new HTTPException(404, { message: unknownNameText(what, name, body) });
}

/**
 * The matrix, or the page of nodes.
 * @throws HTTPException with status 404 if there is no such zone, 400 if there is no such label or it has too many values
 */
function inZone<Body extends object>(
  body: Body | UnknownZone | UnknownLabel | TooManyValues,
): Body {
  if ('mostValues' in body) {
    const { values, mostValues } = body;
    const message = `by: expected a label of which nodes have at most ${mostValues} values, got one with ${values}`;
    throw new HTTPException(400, { message });
  }
  if ('label' in body) {
    const said = unknownNameText('label', body.label, body);
    const message = `by: expected zone, node, or a label that nodes are grouped by: ${said}`;
    throw new HTTPException(400, { message });
  }
  return 'zone' in body ? known<Body>('zone', body.zone, body) : body;
}

const contentTypes = { sse: 'text/event-stream', ndjson: 'application/x-ndjson' } as const;

function createEventsHandler(source: V1Source, options: V1Options) {
  const { maxEventReaders = 224, eventTimings = {} } = options;
  let readers = 0;
  return (context: Context): Response => {
    const query = readQuery(context, eventsQuerySchema);
    const after = resumeAfter(context, query);
    const accepted = accepts(context, {
      header: 'Accept',
      supports: Object.values(contentTypes),
      default: contentTypes.sse,
    });
    const format = accepted === contentTypes.ndjson ? 'ndjson' : 'sse';
    const headers = {
      'content-type': contentTypes[format],
      'cache-control': 'no-store',
      vary: 'accept',
      // By default nginx holds events back until its buffer is full.
      'x-accel-buffering': 'no',
    };
    if (context.req.method === 'HEAD') return context.body(null, 200, headers);
    if (readers >= maxEventReaders) {
      throw new HTTPException(503, {
        message: `${readers} readers of events are connected, expected at most ${maxEventReaders}; try again later`,
      });
    }
    readers++;
    const { outgoing } = (context.env ?? {}) as Partial<HttpBindings>;
    const stream = createEventStream({
      events: source.events,
      format,
      after,
      follow: query.follow === 'true',
      keepAlive: query.keepAlive === 'true',
      types: query.type,
      timings: eventTimings,
      onEnd: () => readers--,
      ...(outgoing && { onStall: () => outgoing.destroy() }),
    });
    return context.body(stream, 200, headers);
  };
}

/** A browser reconnects with the same URL. Only its header has the last id. */
function resumeAfter(context: Context, query: EventsQuery): number | undefined {
  const lastEventId = context.req.header('last-event-id');
  if (lastEventId === undefined || lastEventId === '') return query.after;
  const parsed = eventsQuerySchema.safeParse({ after: lastEventId });
  if (parsed.success) return parsed.data.after;
  const got = JSON.stringify(lastEventId.slice(0, 100));
  throw new HTTPException(400, {
    message: `Last-Event-ID: expected the id of an event, got ${got}`,
  });
}
