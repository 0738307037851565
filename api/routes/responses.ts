import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';

export function onNotFound(context: Context): Response {
  return context.json(
    'no such path, see /v1beta/healthz, /v1beta/status, /v1beta/history, /v1beta/status/probe and /v1/summary',
    404,
  );
}

/** An internal failure is 500 with the reason as a JSON string. */
export function onError(error: Error, context: Context): Response {
  return context.json(error.message, error instanceof HTTPException ? error.status : 500);
}
