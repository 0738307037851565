import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, createServer as createTcpServer, type Socket } from 'node:net';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createApiClient } from '../../../../../agent/discovery/kubernetes/api-client.js';
import { createKubeAccess } from '../../../../../agent/discovery/kubernetes/kube-access.js';
import { chooseProxy } from '../../../../../agent/platform/proxy-choice.js';
import { newFolder } from '../../../../resources/folder.js';
import { listen, portOf } from '../../../../resources/listen.js';

describe('the proxy on the way to an API server', () => {
  const choose = (server: string, environment: object, proxyUrl = '') =>
    chooseProxy(new URL(server), proxyUrl, environment as NodeJS.ProcessEnv)?.href;
  const api = 'https://api.example:6443';

  test.each<[string, object, string | undefined]>([
    [api, {}, undefined],
    [api, { HTTPS_PROXY: 'http://p:1' }, 'http://p:1/'],
    [api, { https_proxy: 'p:1' }, 'http://p:1/'],
    [api, { HTTPS_PROXY: '', https_proxy: 'https://p:1' }, 'https://p:1/'],
    [api, { HTTP_PROXY: 'http://p:1' }, undefined],
    ['http://api.example', { HTTP_PROXY: 'http://p:1' }, 'http://p:1/'],
    ['https://127.0.0.1:6443', { HTTPS_PROXY: 'p:1' }, undefined],
    ['https://[::1]:6443', { HTTPS_PROXY: 'p:1' }, undefined],
    ['https://localhost:6443', { HTTPS_PROXY: 'p:1' }, undefined],
  ])('for %s with %j is %s', (server, environment, expected) => {
    expect(choose(server, environment)).toBe(expected);
  });

  test.each<[string, string, boolean]>([
    [api, '*', true],
    [api, 'example', true],
    [api, ' .EXAMPLE , other', true],
    [api, '*.example', true],
    [api, 'api.example', true],
    [api, 'api.example:6443', true],
    [api, 'api.example:443', false],
    ['https://api.example', 'api.example:443', true],
    [api, 'pi.example', false],
    ['https://example', '.example', false],
    ['https://10.1.2.3:6443', '10.0.0.0/8', true],
    ['https://11.1.2.3:6443', '10.0.0.0/8', false],
    ['https://10.1.2.3:6443', '10.1.2.3', true],
    ['https://10.1.2.3:6443', '10.1.2.3:6443', true],
    ['https://10.1.2.3:6443', '1.2.3', false],
    ['https://[2001:db8::5]:6443', '2001:db8::/32', true],
    ['https://[2001:db8::5]:6443', '[2001:db8::5]:6443', true],
    ['https://[2001:db8::5]:6443', '10.0.0.0/8,2001:db9::/32', false],
    [api, ',,10.0.0.0/99,/,', false],
  ])('is passed by for %s where NO_PROXY is %j: %s', (server, noProxy, isPassedBy) => {
    const expected = isPassedBy ? undefined : 'http://p:1/';
    expect(choose(server, { HTTPS_PROXY: 'http://p:1', NO_PROXY: noProxy })).toBe(expected);
    expect(choose(server, { https_proxy: 'http://p:1', no_proxy: noProxy })).toBe(expected);
  });

  test('is the proxy-url of the cluster before any variable', () => {
    const environment = { HTTPS_PROXY: 'http://p:1', NO_PROXY: '*' };
    expect(choose(api, environment, 'socks5://q:2')).toBe('socks5://q:2');
  });

  test('is refused with a message that hides its password if it is no proxy URL', () => {
    expect(() => choose(api, {}, 'ftp://u:secret@q')).toThrow(
      'proxy-url: expected the URL of an HTTP or SOCKS5 proxy, got "ftp:"',
    );
    expect(() => choose(api, { HTTPS_PROXY: 'http://u:secret@:x' })).toThrow(
      'HTTPS_PROXY: expected the URL of an HTTP or SOCKS5 proxy, got "http://...@:x"',
    );
  });
});

describe('requests through a proxy', () => {
  let folder: string;
  let server: Server;
  let proxy: Server;
  let connections: number;
  let asked: string[];
  let sockets: Set<Socket>;
  let answerConnect: (head: string, socket: Socket) => void;

  beforeEach(async () => {
    folder = newFolder();
    [connections, asked, sockets] = [0, [], new Set()];
    server = createServer((_, response) => response.end('{}'));
    server.on('connection', () => connections++);
    server.listen(0, '127.0.0.1');
    answerConnect = (_, socket) => {
      const onward = connect(portOf(server), '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        socket.pipe(onward).pipe(socket);
      });
      onward.on('error', () => socket.destroy());
      socket.on('error', () => onward.destroy());
    };
    proxy = createServer();
    proxy.on('connection', (socket) => {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
    });
    proxy.on('connect', (request, socket: Socket) => {
      asked.push(`${request.url} ${request.headers['proxy-authorization'] ?? ''}`.trim());
      answerConnect(request.url ?? '', socket);
    });
    proxy.listen(0, '127.0.0.1');
    await Promise.all([once(server, 'listening'), once(proxy, 'listening')]);
  });
  afterEach(() => {
    for (const one of [server, proxy]) {
      one.close();
      one.closeAllConnections();
    }
    for (const socket of sockets) socket.destroy();
  });

  const proxyUrl = (scheme = 'http://u:p%40ss@') => `${scheme}127.0.0.1:${portOf(proxy)}`;

  function clientFor(url: string, environment: NodeJS.ProcessEnv = {}) {
    const paths = join(folder, 'config');
    const cluster = { server: 'http://api.invalid:6443', ...(url && { 'proxy-url': url }) };
    writeFileSync(
      paths,
      JSON.stringify({
        clusters: [{ name: 'c', cluster }],
        contexts: [{ name: 'c', context: { cluster: 'c' } }],
        'current-context': 'c',
      }),
    );
    return createApiClient(createKubeAccess({ kind: 'kubeconfig', paths, environment }));
  }

  async function get(client: ReturnType<typeof clientFor>): Promise<string> {
    const over = new AbortController();
    let text = '';
    for await (const part of await client.get('/x', over.signal)) text += part.toString();
    // A list aborts its signal after each request. Nothing of the request may be left behind.
    over.abort();
    return text;
  }

  test.each([
    ['the proxy-url of its cluster', true],
    ['the environment', false],
  ])(
    'go where %s says, over one connection, with the name and password in it',
    async (_, isEntry) => {
      const client = isEntry ? clientFor(proxyUrl()) : clientFor('', { HTTP_PROXY: proxyUrl() });
      expect(await get(client)).toBe('{}');
      expect(await get(client)).toBe('{}');
      const auth = Buffer.from('u:p@ss').toString('base64');
      expect(asked).toEqual([`api.invalid:6443 Basic ${auth}`]);
      expect(connections).toBe(1);
      client.close();
    },
  );

  test('say that the proxy refused', async () => {
    answerConnect = (_, socket) => socket.end('HTTP/1.1 407 Who are you\r\n\r\n');
    const client = clientFor(proxyUrl());
    await expect(get(client)).rejects.toThrow('the proxy answered CONNECT with HTTP 407');
    client.close();
  });

  test('leave no connection to a proxy that never answers when they are given up', async () => {
    const isAsked = new Promise<Socket>(
      (resolve) => (answerConnect = (_, socket) => resolve(socket)),
    );
    const client = clientFor(proxyUrl());
    const deadline = new AbortController();
    const failure = client.get('/x', deadline.signal).catch((error: unknown) => error);
    const socket = await isAsked;
    const ended = once(socket, 'end');
    socket.resume().on('error', () => undefined);
    deadline.abort(new Error('no answer for 30 s'));
    await ended;
    expect(await failure).toBeInstanceOf(Error);
    client.close();
  });

  test('go through a SOCKS5 proxy, too', async () => {
    const greeting = Buffer.from([5, 0]);
    const granted = Buffer.from([5, 0, 0, 1, 127, 0, 0, 1, 0, 0]);
    const socks = createTcpServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.once('data', () => {
        socket.write(greeting);
        socket.once('data', (request: Buffer) => {
          asked.push(request.subarray(5, -2).toString());
          const onward = connect(portOf(server), '127.0.0.1', () => {
            socket.write(granted);
            socket.pipe(onward).pipe(socket);
          });
          onward.on('error', () => undefined);
        });
      });
    });
    const client = clientFor(`socks5h://127.0.0.1:${await listen(socks)}`);
    expect(await get(client)).toBe('{}');
    expect(await get(client)).toBe('{}');
    expect(asked).toEqual(['api.invalid']);
    expect(connections).toBe(1);
    client.close();
    socks.close();
  });
});
