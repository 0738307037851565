import { Hono, type Context } from 'hono';
import type { Checkup, ComponentsReport, HealthAnswer } from '../schema/kubelet.js';
import { isKnownHost } from './host-header.js';
import { methodNotAllowed, onError } from './responses.js';

/** Where the health port gets its answers from. */
export interface KubeletSource {
  readonly live: () => Readonly<HealthAnswer>;
  readonly ready: () => Readonly<HealthAnswer>;
  readonly status: () => Readonly<ComponentsReport>;
  /** Runs every check now and resolves within a hard timeout of its own. */
  readonly checkup: () => Promise<Readonly<Checkup>>;
}

const paths = ['/liveness', '/readiness', '/status', '/healthz'] as const;

/**
 * The health port, for a kubelet: 200 where all is well and 503 where not, with the reasons. The
 * Host header, where there is one, must be an IP address or localhost, as on the dashboards' API.
 */
export function createKubeletApi(source: KubeletSource): Hono {
  const app = new Hono();
  app.onError(onError);
  app.notFound((context) => context.json(`no such path, see ${paths.join(', ')}`, 404));
  app.use(async (context, next) => {
    const host = context.req.header('host');
    if (host === undefined || host === '' || isKnownHost(host)) return next();
    return context.json('expected an IP address or localhost as the Host header', 421);
  });
  app.get('/liveness', (context) => answer(context, source.live()));
  app.get('/readiness', (context) => answer(context, source.ready()));
  app.get('/status', (context) => {
    const status = source.status();
    return answer(context, status, status.healthy && status.ready);
  });
  app.get('/healthz', async (context) => answer(context, await source.checkup()));
  for (const path of paths) app.all(path, methodNotAllowed('GET, HEAD'));
  return app;
}

function answer(context: Context, body: object & { ok?: boolean }, ok = body.ok): Response {
  return context.json(body, ok === true ? 200 : 503, { 'cache-control': 'no-store' });
}
