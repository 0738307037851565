import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Answer, RemoteRequest } from '../../../../../agent/serving/responder/answer.js';
import {
  startResponder,
  type Responder,
} from '../../../../../agent/serving/responder/responder.js';

let responder: Responder | undefined;
const open: Socket[] = [];
afterEach(async () => {
  for (const socket of open.splice(0)) socket.destroy();
  await responder?.stop();
  responder = undefined;
});

async function start(addresses = ['127.0.0.1']): Promise<number> {
  responder = await startResponder({ addresses, port: 0, onFailure: () => undefined });
  return responder.addresses[0]?.port ?? 0;
}

async function ask(port: number, path: string, method = 'GET', host = '127.0.0.1') {
  const asked = request({ host, port, path, method, agent: false }).end();
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  let body = '';
  for await (const chunk of answer) body += String(chunk);
  return { status: answer.statusCode, body };
}

/** Sends a text on a new connection and returns everything until the connection closes. */
async function exchange(port: number, text: string): Promise<string> {
  const socket = await connected(port);
  let received = '';
  socket.setEncoding('latin1').on('data', (data: string) => (received += data));
  socket.write(text);
  await once(socket, 'close');
  return received;
}

async function connected(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  open.push(socket);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

describe('the responder', () => {
  test('answers GET /hello with 200 and an empty body', async () => {
    expect(await ask(await start(), '/hello')).toEqual({ status: 200, body: '' });
  });

  test.each([
    ['GET', '/'],
    ['GET', '/hello/'],
    ['GET', '/hello?x'],
    ['GET', '/../etc/passwd'],
    ['POST', '/hello'],
  ])('answers %s %s with 404', async (method, path) => {
    expect(await ask(await start(), path, method)).toEqual({ status: 404, body: '' });
  });

  test('answers on every address of both families by default', async () => {
    const port = await start([]);
    expect((await ask(port, '/hello')).status).toBe(200);
    expect((await ask(port, '/hello', 'GET', '::1')).status).toBe(200);
  });

  test('answers a client that sends no Host header', async () => {
    const socket = await connected(await start());
    socket.write('GET /hello HTTP/1.1\r\n\r\n');
    const [data] = (await once(socket, 'data')) as [Buffer];
    expect(data.toString()).toMatch(/^HTTP\/1\.1 200 /);
  });

  test.each([
    ['GET /hello HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', '200 OK'],
    ['GET /hello HTTP/1.0\r\n\r\n', '200 OK'],
    ['HEAD /hello HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', '200 OK'],
    ['HEAD /hello HTTP/1.0\r\n\r\n', '200 OK'],
    ['GET / HTTP/1.1\r\nConnection: close\r\n\r\n', '404 Not Found'],
  ])('answers %j byte for byte as Node 20 answers it', async (request, status) => {
    const answer = await exchange(await start(), request);
    expect(answer.replace(/Date: [^\r]+ GMT\r/, 'Date: *\r')).toBe(
      `HTTP/1.1 ${status}\r\ncontent-length: 0\r\nDate: *\r\nConnection: close\r\n\r\n`,
    );
    const date = /Date: ([^\r]+)\r/.exec(answer)?.[1] ?? '';
    expect(new Date(date).toUTCString()).toBe(date);
  });

  test.each([
    'GET /hello HTTP/1.1\r\nHost: x\r\n\r\n',
    'GET /hello HTTP/1.1\r\nHost: x\r\nConnection: keep-alive\r\n\r\n',
    'GET /hello HTTP/1.0\r\nConnection: keep-alive\r\n\r\n',
  ])('says that it closes to %j, and does', async (request) => {
    expect(await exchange(await start(), request)).toMatch(
      /^HTTP\/1\.1 200 OK\r\n[^]*\r\nConnection: close\r\n\r\n$/,
    );
  });

  test('answers one request of a connection and reads none of what follows', async () => {
    const port = await start();
    const requests = 'GET /hello HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(100);
    expect((await exchange(port, requests)).match(/HTTP\/1\.1/g)).toHaveLength(1);
  });

  test('answers one request to each of 200 clients that send without end and read nothing', async () => {
    const answered = vi.fn((): Answer => ({ status: 200 }));
    responder = await startResponder({
      addresses: ['127.0.0.1'],
      port: 0,
      onFailure: () => undefined,
      answer: answered,
    });
    const port = responder.addresses[0]?.port ?? 0;
    const requests = 'GET /hello HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(10_000);
    const clients = await Promise.all(Array.from({ length: 200 }, () => connected(port)));
    // From Node 24 on a paused client reads too, so it may be reset before all are answered.
    const closed = Promise.all(
      clients.map((client) => new Promise((resolve) => client.once('close', resolve))),
    );
    for (const client of clients) client.pause().write(requests);
    await vi.waitFor(() => expect(answered).toHaveBeenCalledTimes(200), 10_000);
    for (const client of clients) client.resume();
    await closed;
    expect(answered).toHaveBeenCalledTimes(200);
  }, 60_000);

  test.each([
    ['hello\r\n\r\n', 400],
    ['GET /hello\r\n\r\n', 400],
    ['get /hello HTTP/1.1\r\n\r\n', 400],
    ['GET /hello HTTP/1.2\r\n\r\n', 400],
    ['GET /he llo HTTP/1.1\r\n\r\n', 400],
    ['GET /hello HTTP/1.1\r\nx y: 1\r\n\r\n', 400],
    ['GET /hello HTTP/1.1\r\nx: a\0b\r\n\r\n', 400],
    ['GET /hello HTTP/1.1\r\nx: a\r\n folded\r\n\r\n', 400],
    ['GET /hello HTTP/1.1\r\nx: a\rb\r\n\r\n', 400],
  ])('refuses %j', async (request, status) => {
    const answer = await exchange(await start(), request);
    expect(answer).toMatch(
      new RegExp(`^HTTP/1\\.1 ${status} [A-Z].*\r\nConnection: close\r\n\r\n$`),
    );
  });

  test('reads a request that comes in pieces, after empty lines', async () => {
    const socket = await connected(await start());
    const answered = once(socket, 'data') as Promise<[Buffer]>;
    for (const piece of ['\r\n\r\nGET /he', 'llo HTTP/1.1\r\nHost: x\r', '\n\r', '\n']) {
      socket.write(piece);
      await setImmediate();
    }
    expect(String((await answered)[0])).toMatch(/^HTTP\/1\.1 200 /);
  });

  test('passes the request on, and writes the headers and the body of the answer', async () => {
    const requests: RemoteRequest[] = [];
    responder = await startResponder({
      addresses: ['127.0.0.1'],
      port: 0,
      onFailure: () => undefined,
      answer: (request) => {
        requests.push(request);
        return { status: 200, headers: { 'content-type': 'text/plain' }, body: Buffer.from('abc') };
      },
    });
    const port = responder.addresses[0]?.port ?? 0;
    const value = 'v'.repeat(8 * 1024);
    const answer = await exchange(
      port,
      `GET /hello HTTP/1.1\r\nX-Long:  ${value} \r\nA: 1\r\na: 2\r\n\r\n`,
    );
    expect(answer).toMatch(
      /^HTTP\/1\.1 200 OK\r\ncontent-type: text\/plain\r\ncontent-length: 3\r\n[^]*\r\n\r\nabc$/,
    );
    expect(await exchange(port, 'HEAD /hello HTTP/1.1\r\n\r\n')).toMatch(
      /content-length: 3\r\n[^]*\r\n\r\n$/,
    );
    expect(requests[0]).toMatchObject({
      method: 'GET',
      path: '/hello',
      remoteAddress: '127.0.0.1',
    });
    expect([...(requests[0]?.headers ?? [])]).toEqual([
      ['x-long', value],
      ['a', '1, 2'],
    ]);
  });

  test('drops a client that says nothing and one that never finishes its headers', async () => {
    const port = await start();
    const silent = await connected(port);
    const slow = await connected(port);
    slow.write('GET /hello HTTP/1.1\r\nx: ');
    const drip = setInterval(() => slow.write('x'), 100);
    await Promise.all([silent, slow].map((socket) => once(socket.resume(), 'close')));
    clearInterval(drip);
    expect((await ask(port, '/hello')).status).toBe(200);
  }, 60_000);

  test('refuses headers without end', async () => {
    const socket = await connected(await start());
    socket.write(`GET /hello HTTP/1.1\r\nx: ${'x'.repeat(10_000)}\r\n\r\n`);
    const [data] = (await once(socket, 'data')) as [Buffer];
    expect(data.toString()).toMatch(/^HTTP\/1\.1 431 /);
  });

  test('answers even if silent clients hold all connections', async () => {
    const port = await start();
    for (let batch = 0; batch < 11; batch++) {
      await Promise.all(Array.from({ length: 100 }, () => connected(port)));
    }
    expect((await ask(port, '/hello')).status).toBe(200);
  }, 60_000);

  test('names the port and what to do if it is taken', async () => {
    const port = await start();
    const second = startResponder({ addresses: ['127.0.0.1'], port, onFailure: () => undefined });
    await expect(second).rejects.toThrow(
      `responder: cannot listen on 127.0.0.1, port ${port}: the port is taken`,
    );
  });

  test('listens on the wildcard addresses of both families at once', async () => {
    const port = await start();
    await responder?.stop();
    responder = await startResponder({
      addresses: ['0.0.0.0', '::'],
      port,
      onFailure: () => undefined,
    });
    expect(responder.addresses.map(({ address }) => address)).toEqual(['0.0.0.0', '::']);
  });

  test('names an address that this host does not have', async () => {
    const other = startResponder({
      addresses: ['198.51.100.1'],
      port: 0,
      onFailure: () => undefined,
    });
    await expect(other).rejects.toThrow('this host has no such address');
  });
});
