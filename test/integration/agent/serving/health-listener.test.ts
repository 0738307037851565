import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startHealthListener } from '../../../../agent/serving/health-listener.js';
import { createHttpServer } from '../../../../agent/serving/http-server.js';
import type { KubeletSource } from '../../../../api/routes/kubelet.js';

const source: KubeletSource = {
  live: () => ({ ok: true, reasons: [], notes: [] }),
  ready: () => ({ ok: false, reasons: ['peers: none reached'], notes: [] }),
  status: () => ({ healthy: true, ready: false, message: '', lastUpdate: '', components: {} }),
  checkup: () => Promise.reject(new Error('checks are broken')),
};

async function start() {
  const failures: string[] = [];
  let server: Server | undefined;
  const listener = await startHealthListener({
    at: { host: '127.0.0.1', port: 0 },
    source,
    onFailure: ({ message }) => failures.push(message),
    createServer: (app, limits) => (server = createHttpServer(app, limits)),
  });
  onTestFinished(() => listener.stop());
  if (!server) throw new Error('no server was created');
  return { ...listener, server, failures, port: listener.address.port };
}

async function connected(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  return socket;
}

/** Sends these bytes and returns what comes back until the connection ends. */
async function send(port: number, bytes: string): Promise<string> {
  const socket = await connected(port);
  let text = '';
  socket.on('data', (data: Buffer) => (text += data.toString('latin1')));
  socket.write(bytes, 'latin1');
  await once(socket, 'close');
  return text;
}

const liveness = async (port: number) => (await fetch(`http://127.0.0.1:${port}/liveness`)).status;

describe('the health listener', () => {
  test('serves the health port', async () => {
    const { port } = await start();
    const answer = await fetch(`http://127.0.0.1:${port}/readiness`);
    expect([answer.status, await answer.json()]).toEqual([503, source.ready()]);
  });

  test('answers a client without a Host header', async () => {
    const { port } = await start();
    const answer = await send(port, 'GET /liveness HTTP/1.1\r\nconnection: close\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  });

  test('answers 500 with the reason if a check throws', async () => {
    const { port } = await start();
    const answer = await fetch(`http://127.0.0.1:${port}/healthz`);
    expect([answer.status, await answer.json()]).toEqual([500, 'checks are broken']);
  });

  test.each([
    [
      'headers without end',
      `GET /status HTTP/1.1\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`,
      /^HTTP\/1\.1 431 /,
    ],
    ['garbage', '\x00\xff\x16\x03\x01 garbage\r\n\r\n', /^HTTP\/1\.1 400 /],
    ['a method that is none', 'BREW /status HTTP/1.1\r\n\r\n', /^HTTP\/1\.1 400 /],
    [
      'a wrong method',
      'DELETE /status HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n',
      /^HTTP\/1\.1 405 /,
    ],
    [
      'a path with a byte of nothing',
      'GET /live\x00ness HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n',
      /^HTTP\/1\.1 40[04] /,
    ],
  ])('refuses %s and goes on', async (_, bytes, answer) => {
    const { port, failures } = await start();
    expect(await send(port, bytes)).toMatch(answer);
    expect([await liveness(port), failures]).toEqual([200, []]);
  });

  test('answers even if silent and slow clients hold all connections', async () => {
    const { port } = await start();
    for (let batch = 0; batch < 3; batch++) {
      const held = await Promise.all(Array.from({ length: 100 }, () => connected(port)));
      for (const socket of held.slice(50)) socket.write('GET /liveness HTTP/1.1\r\nx: ');
    }
    expect(await liveness(port)).toBe(200);
  });

  test('drops a client that never finishes its headers', async () => {
    const { port } = await start();
    const slow = await connected(port);
    slow.write('GET /liveness HTTP/1.1\r\nx: ');
    const drip = setInterval(() => slow.write('x'), 200);
    await once(slow.resume(), 'close');
    clearInterval(drip);
    expect(await liveness(port)).toBe(200);
  }, 15_000);

  test('names the setting if the port is taken', async () => {
    const { address } = await start();
    const second = startHealthListener({ at: address, source, onFailure: () => undefined });
    await expect(second).rejects.toThrow(
      `health-listen: cannot listen on 127.0.0.1, port ${address.port}: the port is taken; choose another --health-listen`,
    );
  });

  test('gives its reason once if the server dies by itself', async () => {
    const { server, failures } = await start();
    server.emit('error', new Error('accept EINVAL'));
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
    expect(failures).toEqual(['health port: accept EINVAL']);
    const closed = await start();
    closed.server.close();
    await once(closed.server, 'close');
    expect(closed.failures).toEqual(['health port: it closed']);
  });

  test('does not call its own stop a failure', async () => {
    const { stop, failures } = await start();
    await stop();
    expect(failures).toEqual([]);
  });
});
