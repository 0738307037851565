import { rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { monitorEventLoop } from '../../../../agent/platform/event-loop.js';
import { createHttpProber } from '../../../../agent/probing/http/http-prober.js';
import { startResponder } from '../../../../agent/serving/responder/responder.js';
import { responderCheck, socketCheck } from '../../../../agent/selfcheck/serving-checks.js';
import { newFolder } from '../../../resources/folder.js';
import { listenForTest } from '../../../resources/test-server.js';

const { signal } = new AbortController();
const eventLoop = monitorEventLoop();
afterAll(() => eventLoop.stop());
const proberOn = (port: number) =>
  createHttpProber({ port, eventLoop, readTcpInfo: () => undefined });
let folder: string;
beforeEach(() => (folder = newFolder()));

async function startOn(...addresses: string[]) {
  const first = await startResponder({
    addresses: addresses.slice(0, 1),
    port: 0,
    onFailure: () => undefined,
  });
  const port = first.addresses[0]?.port ?? 0;
  const others = await startResponder({
    addresses: addresses.slice(1),
    port,
    onFailure: () => undefined,
  }).catch(() => undefined);
  onTestFinished(async () => {
    await first.stop();
    await others?.stop();
  });
  return { port, stop: () => first.stop() };
}

describe('the responder check', () => {
  test('asks the own responder on every listen address', async () => {
    const { port } = await startOn('127.0.6.1', '127.0.6.2');
    const check = responderCheck(proberOn(port), ['127.0.6.1', '127.0.6.2'], 'c/local');
    expect(await check.run(signal)).toEqual({
      ok: true,
      message: 'answers on 127.0.6.1, 127.0.6.2',
    });
  });

  test('names the address that does not answer, and why', async () => {
    const { port, stop } = await startOn('127.0.6.1', '127.0.6.2');
    await stop();
    const check = responderCheck(proberOn(port), ['127.0.6.1', '127.0.6.2'], 'c/local');
    expect(await check.run(signal)).toEqual({
      ok: false,
      message: 'GET /hello failed on 127.0.6.1: connection refused',
    });
  });

  test.each([[[]], [['0.0.0.0']], [['::']]])(
    'asks a responder that listens on every address on loopback: %j',
    async (addresses) => {
      const { port } = await startOn(...(addresses.length > 0 ? addresses : ['::']));
      const check = responderCheck(proberOn(port), addresses, 'c/local');
      expect(await check.run(signal)).toMatchObject({
        ok: true,
        message: expect.stringMatching(/^answers on 127\.0\.0\.1(, ::1)?$/) as string,
      });
    },
  );

  test('asks the IPv6 wildcard over IPv6 if it is one of several addresses', async () => {
    const addresses = ['127.0.6.1', '::'];
    const responder = await startResponder({ addresses, port: 0, onFailure: () => undefined });
    onTestFinished(() => responder.stop());
    const ports = responder.addresses.map(({ port }) => port);
    const check = responderCheck(proberOn(ports[1] ?? 0), addresses, 'c/local');
    const { message } = await check.run(signal);
    expect(message).not.toContain('127.0.0.1');
  });

  test('does not accept the answer of another server', async () => {
    const server = createServer((socket) => socket.end('HTTP/1.1 404 No\r\n\r\n'));
    const port = await listenForTest(server);
    const check = responderCheck(proberOn(port), ['127.0.0.1'], 'c/local');
    expect(await check.run(signal)).toMatchObject({
      message: 'GET /hello failed on 127.0.0.1: unexpected status 404',
    });
  });

  test('does not count for liveness', () => {
    expect(responderCheck(proberOn(1), [], 'c/local')).toMatchObject({ live: false, ready: true });
  });
});

describe('the api-socket check', () => {
  test('is well while a server accepts on the path, however busy it is', async () => {
    const path = join(folder, 'x.sock');
    const server = createServer();
    server.maxConnections = 0;
    await listen(server, path);
    expect(await socketCheck(path).run(signal)).toMatchObject({ ok: true });
  });

  test('fails if the file is gone or nobody listens on it', async () => {
    const path = join(folder, 'x.sock');
    await listen(createServer(), path);
    rmSync(path);
    expect(await socketCheck(path).run(signal)).toEqual({ ok: false, message: `${path} is gone` });
    const other = await socketCheck('/dev/null').run(signal);
    expect(other).toMatchObject({
      ok: false,
      message: expect.stringContaining('/dev/null') as string,
    });
  });
});

async function listen(server: Server, at: string | number): Promise<void> {
  onTestFinished(() => void server.close());
  if (typeof at === 'string') server.listen(at);
  else await listen(server, at);
}
