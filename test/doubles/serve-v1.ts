import { once } from 'node:events';
import type { Server } from 'node:http';
import { createHttpServer } from '../../agent/serving/http-server.js';
import { createAdminApi, type AdminSource } from '../../api/routes/admin.js';
import type { MemoryV1Source } from './v1-source.js';

/** Serves a cluster in memory on a unix socket, by the routes that an agent has. */
export async function serveV1(
  source: MemoryV1Source,
  socketPath: string,
  report?: AdminSource['report'],
): Promise<Server> {
  const status = () => ({
    local: { name: 'c/n1' },
    timestamp: '2026-11-21T10:00:00Z',
    findings: source.open.length,
    nodes: [],
  });
  const server = createHttpServer(
    createAdminApi({
      status: () => ({ body: Uint8Array.from(Buffer.from(JSON.stringify(status()))), etag: '"x"' }),
      history: () => undefined,
      daemonHealth: () => ({
        uptime: '1s',
        'system-load': { last1min: '0', last5min: '0', last15min: '0' },
      }),
      probe: () => Promise.resolve(),
      v1: source,
      ...(report && { report }),
    }),
  );
  server.listen(socketPath);
  await once(server, 'listening');
  return server;
}
