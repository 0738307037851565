import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';

/** Where the routes get the status from: its JSON text and a tag that changes with it. */
export interface StatusSource {
  readonly status: () => { readonly body: string; readonly etag: string };
}

/** Answers with the status, or 304 where the client has that very one. */
export function sendStatus(context: Context, source: StatusSource): Response {
  const { body, etag } = source.status();
  const headers = { etag, 'content-type': 'application/json', 'cache-control': 'no-cache' };
  const known = context.req
    .header('if-none-match')
    ?.split(',')
    .map((tag) => tag.trim());
  if (context.req.method === 'GET' && (known?.includes(etag) || known?.includes('*'))) {
    return context.body(null, 304, headers);
  }
  return context.body(body, 200, headers);
}

/** A known path, asked with a method it does not have. */
export function methodNotAllowed(allowed: string): (context: Context) => Response {
  return (context) =>
    context.json(`method ${context.req.method} is not allowed here, expected ${allowed}`, 405, {
      allow: allowed,
    });
}

export function onNotFound(context: Context): Response {
  return context.json(
    'no such path, see /v1beta/healthz, /v1beta/status and /v1beta/status/probe',
    404,
  );
}

/** What could not be done is 500 with the reason as a JSON string. */
export function onError(error: Error, context: Context): Response {
  return context.json(error.message, error instanceof HTTPException ? error.status : 500);
}
