import { Agent as HttpAgent, createServer as createHttpServer } from 'node:http';
import { createServer, type Socket } from 'node:net';
import { Agent } from 'node:https';
import { expect, test } from 'vitest';
import { createApiClient } from '../../../../../agent/discovery/kubernetes/api-client.js';
import { listen } from '../../../../resources/listen.js';

test('the client gives up a server that never completes a connection', async () => {
  const sockets: Socket[] = [];
  // The server accepts the connection but never answers the TLS handshake.
  const server = createServer((socket) => sockets.push(socket));
  const port = await listen(server);
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

test('the client writes with its content type, and takes 200 and 201 alone for success', async () => {
  const seen: unknown[] = [];
  const server = createHttpServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const { method, url, headers } = request;
      seen.push([method, url, headers['content-type'], Buffer.concat(parts).toString()]);
      response.writeHead(Number(url?.slice(1)), { 'retry-after': '7' });
      response.end('{"message":"no\\u0007"}');
    });
  });
  const port = await listen(server);
  const agent = new HttpAgent({ keepAlive: true });
  const client = createApiClient({
    forRequest: () =>
      Promise.resolve({ server: new URL(`http://127.0.0.1:${port}`), agent, tls: {}, headers: {} }),
    check: () => Promise.resolve(),
    forget: () => undefined,
    close: () => agent.destroy(),
  });
  const write = (status: number) =>
    client.write(
      { method: 'PATCH', path: `/${status}`, contentType: 'application/x', body: '{"ä":1}' },
      new AbortController().signal,
    );
  await write(200);
  await write(201);
  await expect(write(403)).rejects.toMatchObject({
    status: 403,
    message: 'HTTP 403: no\\x07',
    retryAfterMs: 7000,
  });
  expect(seen).toEqual(
    [200, 201, 403].map((status) => ['PATCH', `/${status}`, 'application/x', '{"ä":1}']),
  );
  client.close();
  server.close();
});
