import type { Context, Hono } from 'hono';

/**
 * Ends the handlers of a path. It answers OPTIONS with the path's methods and any other method with
 * 405. HEAD needs no handler: hono answers it as GET, without the body.
 */
export function allowOnly(
  app: Pick<Hono, 'all'>,
  path: string,
  method: 'GET' | 'PUT' | 'POST',
): void {
  const allowed = method === 'GET' ? 'GET, HEAD, OPTIONS' : `${method}, OPTIONS`;
  app.all(path, (context: Context) => {
    if (context.req.method === 'OPTIONS') return context.body(null, 204, { allow: allowed });
    return context.json(
      `method ${context.req.method} is not allowed here, expected ${allowed}`,
      405,
      { allow: allowed },
    );
  });
}
