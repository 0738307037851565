import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { startResponder, type Responder } from '../../../../agent/serving/responder.js';

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

  test('drops a client that says nothing and one that never finishes its headers', async () => {
    const port = await start();
    const silent = await connected(port);
    const slow = await connected(port);
    slow.write('GET /hello HTTP/1.1\r\nx: ');
    const drip = setInterval(() => slow.write('x'), 100);
    await Promise.all([silent, slow].map((socket) => once(socket.resume(), 'close')));
    clearInterval(drip);
    expect((await ask(port, '/hello')).status).toBe(200);
  }, 15_000);

  test('refuses headers without end', async () => {
    const socket = await connected(await start());
    socket.write(`GET /hello HTTP/1.1\r\nx: ${'x'.repeat(10_000)}\r\n\r\n`);
    const [data] = (await once(socket, 'data')) as [Buffer];
    expect(data.toString()).toMatch(/^HTTP\/1\.1 431 /);
  });

  test('answers though more silent clients hold connections than it allows', async () => {
    const port = await start();
    for (let batch = 0; batch < 11; batch++) {
      await Promise.all(Array.from({ length: 100 }, () => connected(port)));
    }
    expect((await ask(port, '/hello')).status).toBe(200);
  }, 15_000);

  test('names the port and what to do where it is taken', async () => {
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
