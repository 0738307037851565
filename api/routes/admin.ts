import { Hono } from 'hono';
import type { DaemonHealth } from '../schema/daemon-health.js';
import { allowOnly } from './allow-methods.js';
import { sendHistory, sendStatus, type ReadSource } from './read-handlers.js';
import { onError, onNotFound } from './responses.js';
import { createReportRoute, type ReportPieces } from './report.js';
import { sendBodies } from './send-bodies.js';
import { createPathTestRoutes, type PathTestSource } from './v1/path-tests.js';
import { createNoticeTestRoute, type NoticeTestSource } from './v1/notice-test.js';
import { createV1Routes } from './v1/router.js';
import {
  createThroughputReads,
  createThroughputTest,
  type ThroughputSource,
} from './v1/throughput.js';

export interface AdminSource extends ReadSource {
  readonly daemonHealth: () => DaemonHealth;
  /** Resolves after every path was probed; rejects if that was not possible. */
  readonly probe: () => Promise<void>;
  /** All that the agent knows, for a bug report. Without it there is no such path. */
  readonly report?: () => Promise<ReportPieces>;
  /** Tests of one path on demand. Without it there are no such paths. */
  readonly testPath?: PathTestSource;
  /** Throughput tests on demand. Without it none can be asked for. */
  readonly startThroughput?: ThroughputSource;
  /** Sends a test to who is told of findings. Without it there is no such path. */
  readonly testNotices?: NoticeTestSource;
}

/** The API on the unix socket: `/v1`, and `/v1beta` as Cilium's health API describes it. */
export function createAdminApi(source: AdminSource): Hono {
  const app = new Hono();
  app.onError(onError);
  app.notFound(onNotFound);
  // These come first, because the next line holds whole bodies.
  if (source.report) app.route('/', createReportRoute(source.report));
  if (source.testNotices) app.route('/', createNoticeTestRoute(source.testNotices));
  if (source.testPath) app.route('/', createPathTestRoutes(source.testPath));
  const { startThroughput, throughputTests } = source;
  if (startThroughput) app.route('/', createThroughputTest(startThroughput));
  app.use(sendBodies());
  app.get('/v1beta/healthz', (context) => context.json(source.daemonHealth()));
  allowOnly(app, '/v1beta/healthz', 'GET');
  app.get('/v1beta/status', (context) => sendStatus(context, source));
  allowOnly(app, '/v1beta/status', 'GET');
  app.get('/v1beta/history', (context) => sendHistory(context, source));
  allowOnly(app, '/v1beta/history', 'GET');
  app.put('/v1beta/status/probe', async (context) => {
    await source.probe();
    return sendStatus(context, source, { fresh: true });
  });
  allowOnly(app, '/v1beta/status/probe', 'PUT');
  if (source.v1) app.route('/', createV1Routes(source.v1));
  if (throughputTests) app.route('/', createThroughputReads(throughputTests));
  return app;
}
