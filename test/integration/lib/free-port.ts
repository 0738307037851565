import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

/** Finds a port that is free on loopback at this moment. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port: free } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return free;
}
