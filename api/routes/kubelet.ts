import { Hono, type Context } from 'hono';
import type { Checkup, ComponentsReport, HealthAnswer } from '../schema/kubelet.js';
import { allowOnly } from './allow-methods.js';
import { requireKnownHost } from './host-header.js';
import { onError } from './responses.js';

/** The source of the health port's answers. */
export interface KubeletSource {
  readonly live: () => Readonly<HealthAnswer>;
  readonly ready: () => Readonly<HealthAnswer>;
  readonly status: () => Readonly<ComponentsReport>;
  /** Runs every check now. It resolves within a hard timeout of its own. */
  readonly checkup: () => Promise<Readonly<Checkup>>;
}

const paths = ['/liveness', '/readiness', '/status', '/healthz'] as const;

/**
 * The API of the health port, for a kubelet. It answers 200 if all is well, else 503 with the
 * reasons. A Host header, if there is one, must be an IP address or localhost.
 */
export function createKubeletApi(source: KubeletSource): Hono {
  const app = new Hono();
  app.onError(onError);
  app.notFound((context) => context.json(`no such path, see ${paths.join(', ')}`, 404));
  app.use(requireKnownHost({ mayBeMissing: true, expected: 'an IP address or localhost' }));
  app.get('/liveness', (context) => answer(context, source.live()));
  app.get('/readiness', (context) => answer(context, source.ready()));
  app.get('/status', (context) => {
    const status = source.status();
    return answer(context, status, status.healthy && status.ready);
  });
  app.get('/healthz', async (context) => answer(context, await source.checkup()));
  for (const path of paths) allowOnly(app, path, 'GET');
  return app;
}

function answer(context: Context, body: object & { ok?: boolean }, ok = body.ok): Response {
  return context.json(body, ok === true ? 200 : 503, { 'cache-control': 'no-store' });
}
