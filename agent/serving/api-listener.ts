import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import type { ReadSource } from '../../api/routes/read-handlers.js';
import type { ListenAddress } from '../config/listen-address.js';
import { createHttpServer, stopHttpServer } from './http-server.js';
import { listenOnTcp } from './tcp-listen.js';

export interface ApiListenerOptions {
  readonly at: ListenAddress;
  readonly source: ReadSource;
  readonly logger: Logger;
  readonly onFailure: (reason: Error) => void;
}

/**
 * Serves the read-only JSON API over TCP; resolves with what ends it.
 * @throws StartError where the address cannot be listened on
 */
export async function startApiListener(options: ApiListenerOptions): Promise<() => Promise<void>> {
  const { at, source, logger, onFailure } = options;
  // The API description is heavy, and most agents serve no TCP.
  const { createJsonApi: createDashboardApp } = await import('../../api/routes/json-api.js');
  const server = createHttpServer(createDashboardApp(source));
  await listenOnTcp(server, at, 'api-listen');
  server.on('error', (error) => onFailure(new Error(`api listener: ${error.message}`)));
  const { address, port } = server.address() as AddressInfo;
  logger.info({ address, port }, 'JSON API is listening');
  return () => stopHttpServer(server);
}
