import { once } from 'node:events';
import { createServer } from 'node:net';
import { listen } from '../../resources/listen.js';

/** Finds a port that is free on an address of loopback at this moment. */
export async function freePort(address = '127.0.0.1'): Promise<number> {
  const server = createServer();
  const free = await listen(server, 0, address);
  server.close();
  await once(server, 'close');
  return free;
}
