import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import type { MetricsSource } from '../../api/routes/metrics.js';
import type { ReadSource } from '../../api/routes/read-handlers.js';
import type { ListenAddress } from '../config/listen-address.js';
import { openApiToken } from './api-token.js';
import { createHttpServer, stopHttpServer } from './http-server.js';
import { listenOnTcp } from './tcp-listen.js';

export interface ApiListenerOptions {
  readonly at: ListenAddress;
  /** The file with the token that clients must send. Undefined: none is needed. */
  readonly tokenFile: string | undefined;
  /** Told why the last valid token stays in use, and undefined once its file is good again. */
  readonly onTokenProblem: (reason: string | undefined) => void;
  /** Names that clients may use for it, beside IP addresses and localhost. */
  readonly allowedHosts: readonly string[];
  /** Origins whose pages may read the answers. */
  readonly corsOrigins: readonly string[];
  /** Where the build has put the dashboard page. */
  readonly pageFolder: URL;
  readonly source: ReadSource;
  readonly metrics: MetricsSource;
  readonly logger: Logger;
  readonly onFailure: (reason: Error) => void;
}

/**
 * Serves the dashboard page and the read-only JSON API over TCP. Resolves with a function that
 * stops it.
 * @throws StartError if the address cannot be listened on, ConfigError if the token file has no
 * token
 */
export async function startApiListener(options: ApiListenerOptions): Promise<() => Promise<void>> {
  const { at, tokenFile, pageFolder, source, metrics, logger, onFailure } = options;
  const onProblem = options.onTokenProblem;
  const token =
    tokenFile === undefined ? undefined : openApiToken(tokenFile, { logger, onProblem });
  // The API description is large, and most agents serve no TCP.
  const [{ createJsonApi }, { readPageFiles }] = await Promise.all([
    import('../../api/routes/json-api.js'),
    import('../../api/routes/page.js'),
  ]);
  const page = readPageFiles(fileURLToPath(pageFolder));
  const { allowedHosts, corsOrigins } = options;
  const app = createJsonApi(source, { page, token, metrics, allowedHosts, corsOrigins });
  const server = createHttpServer(app);
  await listenOnTcp(server, at, 'api-listen');
  server.on('error', (error) => onFailure(new Error(`api listener: ${error.message}`)));
  const { address, port } = server.address() as AddressInfo;
  logger.info({ address, port }, 'JSON API is listening');
  return () => stopHttpServer(server);
}
