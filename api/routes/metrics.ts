import { Hono } from 'hono';
import { allowOnly } from './allow-methods.js';
import { onError } from './responses.js';
import { sendBodies } from './send-bodies.js';

/** The source of the metrics text. */
export interface MetricsSource {
  readonly contentType: string;
  readonly render: () => string;
}

/** Serves only `GET /metrics`, for a separate listener. */
export function createMetricsApi(source: MetricsSource): Hono {
  const app = new Hono();
  app.onError(onError);
  app.notFound((context) => context.json('no such path, see /metrics', 404));
  app.use(sendBodies());
  app.route('/', createMetricsRoute(source));
  return app;
}

/** The route `GET /metrics` in Prometheus' text format. */
export function createMetricsRoute({ contentType, render }: MetricsSource): Hono {
  const app = new Hono();
  app.get('/metrics', (context) =>
    context.body(render(), 200, { 'content-type': contentType, 'cache-control': 'no-store' }),
  );
  allowOnly(app, '/metrics', 'GET');
  return app;
}
