import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

/** Finds a port that is free on an address of loopback at this moment. */
export async function freePort(address = '127.0.0.1'): Promise<number> {
  const server = createServer().listen(0, address);
  await once(server, 'listening');
  const { port: free } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return free;
}
