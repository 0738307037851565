import type { Context, Hono } from 'hono';

type Method = 'GET' | 'PUT' | 'POST';

/**
 * Ends the handlers of a path. It answers OPTIONS with the path's methods and any other method with
 * 405. HEAD needs no handler: hono answers it as GET, without the body.
 */
export function allowOnly(app: Pick<Hono, 'all'>, path: string, method: Method): void {
  app.all(path, refuseOther([method]));
}

/** What answers the methods that a path does not have, and OPTIONS. */
export function refuseOther(methods: readonly Method[]): (context: Context) => Response {
  const named = methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  const allowed = [...named, 'OPTIONS'].join(', ');
  return (context) => {
    if (context.req.method === 'OPTIONS') return context.body(null, 204, { allow: allowed });
    return context.json(
      `method ${context.req.method} is not allowed here, expected ${allowed}`,
      405,
      { allow: allowed },
    );
  };
}
