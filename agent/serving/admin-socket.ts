import { createAdminApi, type AdminSource } from '../../api/routes/admin.js';
import type { Config } from '../config/config.js';
import { createHttpServer, stopHttpServer } from './http-server.js';
import { listenOnUnixSocket } from './unix-socket.js';

export interface AdminSocketOptions {
  readonly config: Pick<Config, 'socketPath' | 'socketPathIsDefault' | 'socketGroup'>;
  readonly source: AdminSource;
  readonly onFailure: (reason: Error) => void;
}

/**
 * Serves the local admin API on the unix socket. Resolves with a function that stops it and removes
 * the socket. The socket is removed however the process exits, unless it is killed.
 * @throws StartError where the socket cannot be had
 */
export async function startAdminSocket(options: AdminSocketOptions): Promise<() => Promise<void>> {
  const { config, source, onFailure } = options;
  const server = createHttpServer(createAdminApi(source));
  const removeSocket = await listenOnUnixSocket(server, {
    path: config.socketPath,
    createFolder: config.socketPathIsDefault,
    group: config.socketGroup,
  });
  server.on('error', (error) => onFailure(new Error(`api socket: ${error.message}`)));
  process.once('exit', removeSocket);
  return async () => {
    removeSocket();
    process.off('exit', removeSocket);
    await stopHttpServer(server);
  };
}
