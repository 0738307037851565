import type { Server } from 'node:net';
import { onTestFinished } from 'vitest';
import { listen } from './listen.js';

/**
 * Makes a server listen until the test is over. Then it is closed, with the connections that it knows.
 * @returns its port
 */
export function listenForTest(
  server: Server & { closeAllConnections?: () => void },
  port = 0,
  host = '127.0.0.1',
): Promise<number> {
  onTestFinished(() => {
    server.closeAllConnections?.();
    server.close();
  });
  return listen(server, port, host);
}
