import { readFileSync } from 'node:fs';
import { createServer as createProxy } from 'node:http';
import { createServer } from 'node:https';
import { connect, createServer as createSilent, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { parseNotifyFile } from '../../../agent/notices/definition/notify-file.js';
import { sendNotice } from '../../../agent/notices/sending/send-notice.js';
import { useFolder } from '../../resources/folder.js';
import { closeServer, listen, portOf } from '../../resources/listen.js';
import { listenForTest } from '../../resources/test-server.js';
import { Certificates } from '../targets/lib/certificates.js';
import { makeNotice } from '../../rows/make-notice.js';

const folder = useFolder();
const certificates = new Certificates(folder);
const { ca } = certificates;
const notice = makeNotice({ event: 'test' });

/** Only a proxy knows where that is. */
const remoteName = 'hooks.example';
let server: ReturnType<typeof createServer>;
let remote: ReturnType<typeof createServer>;
const paths: string[] = [];

async function startReceiver(name: string): Promise<typeof server> {
  const { cert: certFile, key: keyFile } = certificates.make(name, 2);
  const [key, cert] = [readFileSync(keyFile), readFileSync(certFile)];
  const receiver = createServer({ key, cert }, (request, response) => {
    paths.push(request.url ?? '');
    request.resume().on('end', () => response.writeHead(204).end());
  });
  await listen(receiver);
  return receiver;
}

beforeAll(async () => {
  server = await startReceiver('localhost');
  remote = await startReceiver(remoteName);
});
afterAll(() => Promise.all([closeServer(server), closeServer(remote)]));
afterEach(() => {
  vi.unstubAllEnvs();
  paths.length = 0;
});

function send(more: object, limitMs = 5000) {
  const one = {
    name: 'a',
    type: 'webhook',
    url: `https://localhost:${portOf(server)}/hook`,
    ...more,
  };
  const [receiver] = parseNotifyFile(JSON.stringify({ receivers: [one] }));
  if (!receiver) throw new Error('expected a receiver');
  return sendNotice(notice, receiver, new AbortController().signal, limitMs);
}

describe('a receiver whose certificate an own CA signed', () => {
  test('takes messages with `ca`', async () => {
    expect(await send({ ca })).toEqual({ isTaken: true, answer: '204' });
    expect(paths).toEqual(['/hook']);
  });

  test('is not told without it, nor by another name', async () => {
    const { isTaken, answer } = await send({});
    expect([isTaken, answer]).toEqual([
      false,
      'nobody who is trusted signed its certificate (see ca)',
    ]);
    const url = `https://127.0.0.1:${portOf(server)}/hook`;
    expect((await send({ url, ca })).answer).toBe('its certificate is of another name');
    expect(paths).toEqual([]);
  });
});

describe('a proxy', () => {
  /** It connects to loopback alone, or refuses. */
  async function startProxy(isOpen: boolean): Promise<string[]> {
    const asked: string[] = [];
    const proxy = createProxy();
    proxy.on('connect', ({ url: to = '' }, socket) => {
      asked.push(to);
      if (!isOpen) return void socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
      const there = connect(Number(to.split(':').at(-1)), '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        there.pipe(socket).pipe(there);
      });
      for (const end of [there, socket]) end.on('error', () => undefined);
    });
    await listenForTest(proxy);
    vi.stubEnv('HTTPS_PROXY', `http://user:sesame-pass@127.0.0.1:${portOf(proxy)}`);
    vi.stubEnv('https_proxy', `http://user:sesame-pass@127.0.0.1:${portOf(proxy)}`);
    return asked;
  }

  const sendFar = (more: object, limitMs?: number) =>
    send({ url: `https://${address()}/hook`, ...more }, limitMs);
  const address = () => `${remoteName}:${portOf(remote)}`;

  test('that HTTPS_PROXY names carries the message, and `ca` is about the receiver behind it', async () => {
    const asked = await startProxy(true);
    expect(await sendFar({ ca })).toEqual({ isTaken: true, answer: '204' });
    expect(asked).toEqual([address()]);
    expect((await sendFar({})).isTaken).toBe(false);
    expect(asked).toHaveLength(2);
  });

  test('is chosen as on the way to an API server: not for this host, and without a scheme', async () => {
    const asked = await startProxy(true);
    expect((await send({ ca })).isTaken).toBe(true);
    expect(asked).toEqual([]);
    vi.stubEnv('HTTPS_PROXY', (process.env['HTTPS_PROXY'] ?? '').replace('http://', ''));
    expect((await sendFar({ ca })).isTaken).toBe(true);
    expect(asked).toEqual([address()]);
  });

  test('that is no URL of one is told without its password', async () => {
    vi.stubEnv('HTTPS_PROXY', 'ftp://user:sesame-pass@127.0.0.1:1');
    expect(await sendFar({ ca })).toEqual({
      isTaken: false,
      answer: 'HTTPS_PROXY: expected the URL of an HTTP or SOCKS5 proxy, got "ftp:"',
    });
  });

  test.each(['http', 'socks5'])(
    'by %s that says nothing ends with the deadline',
    async (scheme) => {
      const taken: Socket[] = [];
      const silent = createSilent((socket) => void taken.push(socket.resume()));
      await listen(silent);
      vi.stubEnv('HTTPS_PROXY', `${scheme}://127.0.0.1:${portOf(silent)}`);
      const delivery = await sendFar({ ca }, 300);
      expect(delivery).toEqual({ isTaken: false, answer: 'no answer within 0.3 s' });
      expect(taken).toHaveLength(1);
      for (const socket of taken) socket.destroy();
      silent.close();
    },
  );

  test('that refuses is told as a failure, without its password', async () => {
    await startProxy(false);
    const { isTaken, answer } = await sendFar({ ca });
    expect(isTaken).toBe(false);
    expect(answer).not.toMatch(/sesame/);
    expect(paths).toEqual([]);
  });
});
