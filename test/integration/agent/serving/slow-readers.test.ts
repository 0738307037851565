import { once } from 'node:events';
import { createServer, get, type Server, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { disconnectSlowReaders } from '../../../../agent/serving/slow-readers.js';
import { listenForTest } from '../../../resources/test-server.js';

const bodyBytes = 16 * 1024 * 1024;
const body = Buffer.alloc(bodyBytes, 'x');
const cleanups: (() => unknown)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

/**
 * A server with one large answer. It gives the server's ends of its connections in their order.
 */
async function serve(limits: Parameters<typeof disconnectSlowReaders>[1]) {
  const server: Server = createServer((_, answer) => answer.end(body));
  const ends: Socket[] = [];
  server.on('connection', (socket) => ends.push(socket));
  disconnectSlowReaders(server, limits);
  const port = await listenForTest(server);
  const askAndNotRead = async (): Promise<Socket> => {
    const accepted = once(server, 'request');
    const client = connect(port, '127.0.0.1').pause();
    client.on('error', () => undefined);
    cleanups.push(() => client.destroy());
    client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await accepted;
    return ends.at(-1) as Socket;
  };
  return { server, port, askAndNotRead };
}

function read(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    get({ port, host: '127.0.0.1', agent: false }, (answer) => {
      let bytes = 0;
      answer.on('data', (chunk: Buffer) => (bytes += chunk.length));
      answer.on('end', () => resolve(bytes));
      answer.on('error', reject);
    }).on('error', reject);
  });
}

describe('disconnectSlowReaders', () => {
  test('disconnects the slowest clients when too much is unread, and serves clients that read', async () => {
    const limits = { maxUnreadBytes: 2.5 * bodyBytes, stallMs: 60_000, graceMs: 0 };
    const { port, askAndNotRead } = await serve(limits);
    const ends = [];
    for (let i = 0; i < 6; i++) ends.push(await askAndNotRead());
    expect(await read(port)).toBe(bodyBytes);
    expect(ends.map(({ destroyed }) => destroyed)).toEqual([true, true, true, true, true, false]);
  });

  test('counts every answer of clients that ask again before they have read', async () => {
    // Enough for one client with its two answers and for the one that reads at the same time.
    const maxUnreadBytes = 3.5 * bodyBytes;
    const { server, port } = await serve({ maxUnreadBytes, stallMs: 60_000, graceMs: 0 });
    const unread = new Set<ServerResponse>();
    server.on('request', (_, answer: ServerResponse) => unread.add(answer));
    for (let number = 1; number <= 6; number++) {
      const client = connect(port, '127.0.0.1').pause();
      client.on('error', () => undefined);
      cleanups.push(() => client.destroy());
      client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(2));
      await vi.waitFor(() => expect(unread.size).toBe(2 * number), 20_000);
    }
    expect(await read(port)).toBe(bodyBytes);
    const heldBytes = (): number =>
      [...unread]
        .filter(({ req }) => !req.socket.destroyed)
        .reduce((sum, { writableLength }) => sum + writableLength, 0);
    await vi.waitFor(() => expect(heldBytes()).toBeLessThanOrEqual(maxUnreadBytes), 20_000);
    expect(heldBytes()).toBeGreaterThan(0);
  });

  test('makes room even without new requests', async () => {
    const { askAndNotRead } = await serve({ maxUnreadBytes: 1, stallMs: 60_000, graceMs: 100 });
    const end = await askAndNotRead();
    await once(end, 'close');
    expect(end.destroyed).toBe(true);
  });

  test('disconnects no client before its time, however much is unread', async () => {
    const { port, askAndNotRead } = await serve({ maxUnreadBytes: 1, stallMs: 60_000 });
    const ends = [await askAndNotRead(), await askAndNotRead()];
    expect(await read(port)).toBe(bodyBytes);
    expect(ends.map(({ destroyed }) => destroyed)).toEqual([false, false]);
  });

  test('disconnects a client that reads nothing of its answer', async () => {
    const { askAndNotRead } = await serve({ maxUnreadBytes: Infinity, stallMs: 50 });
    const end = await askAndNotRead();
    await once(end, 'close');
    expect(end.destroyed).toBe(true);
  });
});
