import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createKubeletApi, type KubeletSource } from '../../api/routes/kubelet.js';
import type { ListenAddress } from '../config/listen-address.js';
import { createHttpServer, stopHttpServer } from './http-server.js';
import { listenOnTcp } from './tcp-listen.js';

export interface HealthListenerOptions {
  readonly at: ListenAddress;
  readonly source: KubeletSource;
  /** Called once if the server fails or closes by itself. */
  readonly onFailure: (reason: Error) => void;
  readonly createServer?: typeof createHttpServer;
}

const maxConnections = 128;

/** A health port that is served. */
export interface HealthListener {
  readonly address: ListenAddress;
  readonly stop: () => Promise<void>;
}

/**
 * Serves the health port. Resolves with its address and a function that stops it. Clients that hold
 * connections cannot keep a kubelet out.
 * @throws StartError where the address cannot be listened on
 */
export async function startHealthListener(options: HealthListenerOptions): Promise<HealthListener> {
  const { at, source, onFailure, createServer = createHttpServer } = options;
  const server: Server = createServer(createKubeletApi(source), { maxConnections });
  await listenOnTcp(server, at, 'health-listen');
  let isOver = false;
  const fail = (why: string): void => {
    if (!isOver) onFailure(new Error(`health port: ${why}`));
    isOver = true;
  };
  server.on('error', (error) => fail(error.message));
  server.once('close', () => fail('it closed'));
  const { address: host, port } = server.address() as AddressInfo;
  return {
    address: { host, port },
    stop() {
      isOver = true;
      return stopHttpServer(server);
    },
  };
}
