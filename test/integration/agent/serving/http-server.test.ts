import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createHttpServer, stopHttpServer } from '../../../../agent/serving/http-server.js';
import { listen } from '../../../resources/listen.js';

let server: Server | undefined;
const open: Socket[] = [];
afterEach(async () => {
  for (const socket of open.splice(0)) socket.destroy();
  if (server) await stopHttpServer(server);
  server = undefined;
});

async function serve(fetch: () => Response | Promise<Response>, maxConnections?: number) {
  server = createHttpServer({ fetch }, { ...(maxConnections !== undefined && { maxConnections }) });
  return listen(server);
}

/** A connection and everything that it has received so far. */
async function connected(port: number) {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  open.push(socket);
  const received = { text: '' };
  socket.setEncoding('latin1').on('data', (data: string) => (received.text += data));
  await once(socket, 'connect');
  return { socket, received };
}

const request = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';

async function ask(port: number): Promise<string> {
  const { socket, received } = await connected(port);
  socket.write(request.replace('Host', 'Connection: close\r\nHost'));
  await once(socket, 'close');
  return received.text;
}

describe('createHttpServer', () => {
  test('serves a client even if others hold every connection', async () => {
    const port = await serve(() => new Response('here'));
    const others = await Promise.all(Array.from({ length: 256 }, () => connected(port)));
    const closed = Promise.race(others.map(({ socket }) => once(socket, 'close')));
    expect(await ask(port)).toMatch(/^HTTP\/1\.1 200 [^]*here$/);
    await closed;
  });

  test('closes the connection that has waited longest for a request', async () => {
    let release = (): void => undefined;
    const answered = new Promise<void>((resolve) => (release = resolve));
    let asked = 0;
    const port = await serve(async () => {
      if (asked++ === 0) await answered;
      return new Response('here');
    }, 3);
    const [busy, idle, later] = [
      await connected(port),
      await connected(port),
      await connected(port),
    ];
    busy.socket.write(request);
    await vi.waitFor(() => expect(asked).toBe(1), 20_000);
    const idleClosed = once(idle.socket, 'close');
    expect(await ask(port)).toMatch(/here$/);
    await idleClosed;
    release();
    await vi.waitFor(() => expect(busy.received.text).toMatch(/here$/), 20_000);
    expect(later.socket.destroyed).toBe(false);
  });

  test('disconnects a client that asks a thousand times before it reads', async () => {
    let asked = 0;
    const port = await serve(() => {
      asked++;
      return new Response('here');
    });
    const { socket } = await connected(port);
    socket.write(request.repeat(1000));
    await once(socket, 'close');
    expect(asked).toBeLessThanOrEqual(4);
    expect(await ask(port)).toMatch(/here$/);
  });

  test('answers a few requests that come at once, in their order', async () => {
    let asked = 0;
    const port = await serve(() => new Response(`answer ${++asked}.`));
    const { socket, received } = await connected(port);
    socket.write(request.repeat(3));
    await vi.waitFor(() => expect(received.text).toContain('answer 3.'), 20_000);
    expect(received.text.match(/answer \d/g)).toEqual(['answer 1', 'answer 2', 'answer 3']);
  });
});
