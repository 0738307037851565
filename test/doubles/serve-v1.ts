import { once } from 'node:events';
import type { Server } from 'node:http';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createHttpServer } from '../../agent/serving/http-server.js';
import { createAdminApi, type AdminSource } from '../../api/routes/admin.js';
import { newFolder } from '../resources/folder.js';
import { closeServer } from '../resources/listen.js';
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

/** A unix socket in a folder of a test, at which a cluster in memory is served. For a `beforeEach`: it ends with the test. */
export class V1Socket {
  readonly folder = newFolder();
  readonly path = join(this.folder, 'x.sock');
  #server: Server | undefined;

  constructor() {
    onTestFinished(() => this.stop());
  }

  /** Serves this cluster in place of the one before. */
  async serve(source: MemoryV1Source): Promise<void> {
    await this.stop();
    this.#server = await serveV1(source, this.path);
  }

  /** Ends the connections, and resolves when nobody listens any more. */
  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (server) await closeServer(server);
  }
}
