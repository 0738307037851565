import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { Agent } from 'node:https';
import { expect, test } from 'vitest';
import { createApiClient } from '../../../../../agent/discovery/kubernetes/api-client.js';

test('the client gives up a server that never completes a connection', async () => {
  const sockets: Socket[] = [];
  // The server accepts the connection but never answers the TLS handshake.
  const server = createServer((socket) => sockets.push(socket)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const agent = new Agent();
  const access = {
    forRequest: () =>
      Promise.resolve({
        server: new URL(`https://127.0.0.1:${port}`),
        agent,
        tls: {},
        headers: {},
      }),
    check: () => Promise.resolve(),
    forget: () => undefined,
    close: () => agent.destroy(),
  };
  const client = createApiClient(access, { connectMs: 200 });
  await expect(client.get('/x', new AbortController().signal)).rejects.toThrow(
    `no connection to 127.0.0.1:${port} within 0.2 s`,
  );
  client.close();
  server.close();
  for (const socket of sockets) socket.destroy();
});
