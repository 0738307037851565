import { Hono } from 'hono';
import type { DaemonHealth } from '../schema/daemon-health.js';
import { sendHistory, sendStatus, type ReadSource } from './read-handlers.js';
import { methodNotAllowed, onError, onNotFound } from './responses.js';
import { createV1Routes } from './v1/router.js';

export interface AdminSource extends ReadSource {
  readonly daemonHealth: () => DaemonHealth;
  /** Probes every path, then resolves; rejects where that could not be done. */
  readonly probe: () => Promise<void>;
}

/** The API on the unix socket: `/v1beta`, as Cilium's health API describes it, and `/v1`. */
export function createAdminApi(source: AdminSource): Hono {
  const app = new Hono();
  app.onError(onError);
  app.notFound(onNotFound);
  app.get('/v1beta/healthz', (context) => context.json(source.daemonHealth()));
  app.all('/v1beta/healthz', methodNotAllowed('GET'));
  app.get('/v1beta/status', (context) => sendStatus(context, source));
  app.all('/v1beta/status', methodNotAllowed('GET'));
  app.get('/v1beta/history', (context) => sendHistory(context, source));
  app.all('/v1beta/history', methodNotAllowed('GET'));
  app.put('/v1beta/status/probe', async (context) => {
    await source.probe();
    return sendStatus(context, source, { fresh: true });
  });
  app.all('/v1beta/status/probe', methodNotAllowed('PUT'));
  if (source.v1) app.route('/', createV1Routes(source.v1));
  return app;
}
