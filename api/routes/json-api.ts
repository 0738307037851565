import { OpenAPIHono } from '@hono/zod-openapi';
import { version } from '../version.js';
import { allowOnly } from './allow-methods.js';
import { allowOrigins } from './cors.js';
import { requireKnownHost } from './host-header.js';
import { requireToken } from './require-token.js';
import { sendHistory, sendStatus, type ReadSource } from './read-handlers.js';
import { createPageApp, type PageFiles } from './page.js';
import { createMetricsRoute, type MetricsSource } from './metrics.js';
import { registerMetricsPath } from './metrics-openapi.js';
import { tokenScheme, tokenSchemeObject } from './openapi-responses.js';
import { onError } from './responses.js';
import { sendBodies } from './send-bodies.js';
import { registerThroughputPath, registerV1Paths } from './v1/openapi.js';
import { createV1Routes } from './v1/router.js';
import { createThroughputReads } from './v1/throughput.js';
import { registerV1betaPaths } from './v1beta/openapi.js';

export interface JsonApiOptions {
  /** The dashboard page. Without it only the API is served. */
  readonly page?: PageFiles | undefined;
  /** Returns the token that a request must carry. Without it everyone may read. */
  readonly token?: (() => Promise<string>) | undefined;
  /** The source of `GET /metrics`. Without it there is no such path. */
  readonly metrics?: MetricsSource | undefined;
  /** Names that the Host header may have, beside IP addresses and localhost, in lower case. */
  readonly allowedHosts?: readonly string[];
  /** Origins whose pages may read the answers, as browsers write them. */
  readonly corsOrigins?: readonly string[];
}

/** The read-only JSON API over TCP, with the dashboard page. */
export function createJsonApi(source: ReadSource, options: JsonApiOptions = {}): OpenAPIHono {
  const { page, token, metrics, allowedHosts = [], corsOrigins = [] } = options;
  const app = new OpenAPIHono();
  app.onError(onError);
  app.notFound((context) => context.json('no such path, see /openapi.json', 404));
  app.use(sendBodies());
  app.use(
    requireKnownHost({
      allowedNames: allowedHosts,
      expected: 'an IP address, localhost or a name given by --api-allowed-host',
    }),
  );
  if (page) app.route('/', createPageApp(page));
  if (corsOrigins.length > 0) app.use(allowOrigins(corsOrigins));
  if (token) app.use(requireToken(token));
  registerV1betaPaths(app.openAPIRegistry);
  app.get('/v1beta/status', (context) => sendStatus(context, source));
  allowOnly(app, '/v1beta/status', 'GET');
  app.get('/v1beta/history', (context) => sendHistory(context, source));
  allowOnly(app, '/v1beta/history', 'GET');
  if (source.v1) {
    registerV1Paths(app.openAPIRegistry);
    app.route('/', createV1Routes(source.v1));
  }
  if (source.throughputTests) {
    registerThroughputPath(app.openAPIRegistry);
    app.route('/', createThroughputReads(source.throughputTests));
  }
  if (metrics) {
    registerMetricsPath(app.openAPIRegistry);
    app.route('/', createMetricsRoute(metrics));
  }
  app.openAPIRegistry.registerComponent('securitySchemes', tokenScheme, tokenSchemeObject);
  app.doc31('/openapi.json', {
    openapi: '3.1.0',
    info: { title: 'meshprobe', version, description: 'What one agent knows of its cluster' },
    security: token ? [{ [tokenScheme]: [] }] : [{}, { [tokenScheme]: [] }],
  });
  allowOnly(app, '/openapi.json', 'GET');
  return app;
}
