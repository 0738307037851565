import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';

/** A known path, asked with a method it does not have. */
export function methodNotAllowed(allowed: string): (context: Context) => Response {
  return (context) =>
    context.json(`method ${context.req.method} is not allowed here, expected ${allowed}`, 405, {
      allow: allowed,
    });
}

export function onNotFound(context: Context): Response {
  return context.json(
    'no such path, see /v1beta/healthz, /v1beta/status, /v1beta/history, /v1beta/status/probe and /v1/summary',
    404,
  );
}

/** What could not be done is 500 with the reason as a JSON string. */
export function onError(error: Error, context: Context): Response {
  return context.json(error.message, error instanceof HTTPException ? error.status : 500);
}
