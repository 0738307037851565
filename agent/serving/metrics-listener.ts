import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import { createMetricsApi, type MetricsSource } from '../../api/routes/metrics.js';
import type { ListenAddress } from '../config/listen-address.js';
import { createHttpServer, stopHttpServer } from './http-server.js';
import { listenOnTcp } from './tcp-listen.js';

export interface MetricsListenerOptions {
  readonly at: ListenAddress;
  readonly source: MetricsSource;
  readonly logger: Logger;
  readonly onFailure: (reason: Error) => void;
}

/**
 * Serves `GET /metrics` and nothing else. Resolves with a function that stops it. Any Host header
 * is answered, because Prometheus may know the agent by any name.
 * @throws StartError where the address cannot be listened on
 */
export async function startMetricsListener(
  options: MetricsListenerOptions,
): Promise<() => Promise<void>> {
  const { at, source, logger, onFailure } = options;
  const server = createHttpServer(createMetricsApi(source));
  await listenOnTcp(server, at, 'metrics-listen');
  server.on('error', (error) => onFailure(new Error(`metrics listener: ${error.message}`)));
  const { address, port } = server.address() as AddressInfo;
  logger.info({ address, port }, 'metrics are served');
  return () => stopHttpServer(server);
}
