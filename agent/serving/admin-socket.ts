import { lstatSync } from 'node:fs';
import type { Server } from 'node:http';
import type { Logger } from 'pino';
import { createAdminApi, type AdminSource } from '../../api/routes/admin.js';
import type { Config } from '../config/config.js';
import { systemClock, untilBeatMs } from '../platform/clock.js';
import { messageOf } from '../platform/errors.js';
import { createHttpServer, stopHttpServer } from './http-server.js';
import { listenOnUnixSocket } from './unix-socket.js';

export interface AdminSocketOptions {
  readonly config: Pick<Config, 'socketPath' | 'socketPathIsDefault' | 'socketGroup'>;
  readonly source: AdminSource;
  readonly logger: Pick<Logger, 'warn'>;
  readonly onFailure: (reason: Error) => void;
}

/** How often it is checked whether the socket's file is still there. */
const checkEveryMs = 5000;

/**
 * Serves the local admin API on the unix socket, and makes the socket again where somebody removed its file. Resolves
 * with a function that stops it and removes the socket. The socket is removed however the process exits, unless it is
 * killed.
 * @throws StartError where the socket cannot be had
 */
export async function startAdminSocket(options: AdminSocketOptions): Promise<() => Promise<void>> {
  const { config, source, logger, onFailure } = options;
  const { socketPath: path } = config;
  const api = createAdminApi(source);
  let current = await open();
  let isStopped = false;
  let remade = Promise.resolve();
  let logged: string | undefined;
  let cancel = (): void => undefined;
  const removeSocket = (): void => current.remove();
  process.once('exit', removeSocket);
  follow();
  return async () => {
    isStopped = true;
    cancel();
    await remade;
    removeSocket();
    process.off('exit', removeSocket);
    await stopHttpServer(current.server);
  };

  async function open(): Promise<{ readonly server: Server; readonly remove: () => void }> {
    const server = createHttpServer(api);
    const remove = await listenOnUnixSocket(server, {
      path,
      createFolder: config.socketPathIsDefault,
      group: config.socketGroup,
    });
    server.on('error', (error) => onFailure(new Error(`api socket: ${error.message}`)));
    return { server, remove };
  }

  function follow(): void {
    cancel = systemClock.after(untilBeatMs(checkEveryMs, systemClock.nowMs()), () => {
      if (isGone(path)) remade = remake();
      void remade.then(() => {
        if (!isStopped) follow();
      });
    });
  }

  async function remake(): Promise<void> {
    try {
      const former = current.server;
      current = await open();
      // What was asked there is still answered.
      former.close();
      logger.warn({ socket: path }, 'the socket was gone and is made again');
      logged = undefined;
    } catch (error) {
      // The self check tells of it too, so a kubelet restarts the agent.
      const reason = messageOf(error);
      if (reason !== logged) logger.warn({ reason }, 'the socket is gone and cannot be made again');
      logged = reason;
    }
  }
}

function isGone(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) === undefined;
  } catch {
    // Whether it is there cannot be told, so nothing is to be made there.
    return false;
  }
}
