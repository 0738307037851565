import { once } from 'node:events';
import type { Server as HttpServer } from 'node:http';
import type { AddressInfo, Server } from 'node:net';

/**
 * Makes a server of any kind listen on loopback.
 * @param port 0 for one that is free
 * @returns its port
 */
export async function listen(server: Server, port = 0, host = '127.0.0.1'): Promise<number> {
  server.listen(port, host);
  await once(server, 'listening');
  return portOf(server);
}

/** Ends a server and all its connections, and resolves when it listens no more. */
export async function closeServer(server: HttpServer): Promise<void> {
  if (!server.listening) return;
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}

/** The port on which a server listens. */
export function portOf(server: Pick<Server, 'address'>): number {
  return (server.address() as AddressInfo).port;
}
