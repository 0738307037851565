import type { MiddlewareHandler } from 'hono';
import { cors } from 'hono/cors';

/** How many seconds a browser remembers the answer to a preflight request. */
const preflightMaxAgeSeconds = 600;

/**
 * Lets pages of other origins read the answers. It answers a preflight request before a token is
 * asked for, because such a request carries none (Fetch standard, CORS protocol). The route answers
 * any other OPTIONS.
 * @param origins exact origins, as a browser writes them
 */
export function allowOrigins(origins: readonly string[]): MiddlewareHandler {
  const handle = cors({
    origin: [...origins],
    allowMethods: ['GET', 'HEAD'],
    allowHeaders: ['Authorization', 'If-None-Match', 'Last-Event-ID'],
    exposeHeaders: ['ETag'],
    maxAge: preflightMaxAgeSeconds,
  });
  return (context, next) => {
    const { method } = context.req;
    const isPreflight = context.req.header('access-control-request-method') !== undefined;
    return method === 'OPTIONS' && !isPreflight ? next() : handle(context, next);
  };
}
