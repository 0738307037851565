import { execFileSync } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import {
  createServer as createHttpServer,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { createServer as createHttpsServer, type Server } from 'node:https';
import { createServer as createTcpServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { loadLibc } from '../../../agent/platform/libc.js';
import { useFolder } from '../../resources/folder.js';
import { listen } from '../../resources/listen.js';
import { listenForTest } from '../../resources/test-server.js';
import { freePort } from '../lib/free-port.js';
import { Certificates, type CertificateFiles } from './lib/certificates.js';
import { startDnsmasq, type DnsServer } from './lib/dns-servers.js';
import { anyPath, probeOnce } from './lib/probe-once.js';
import { endOf, useProbers } from './lib/probe.js';
import { missingPrograms } from './lib/programs.js';

const proberOf = useProbers();
const serve = (answer: (request: IncomingMessage, response: ServerResponse) => void) =>
  listenForTest(createHttpServer(answer));
const get = (url: string, more = '') => proberOf(`http: {url: "${url}"${more}}`);

const folder = useFolder();

describe('HTTP', () => {
  test('an expected status is a reply, with who answered; each probe has a new connection', async () => {
    const ports = new Set<number | undefined>();
    const port = await serve(({ socket, url, method, headers }, response) => {
      ports.add(socket.remotePort);
      expect([url, method, headers.host]).toEqual(['/a?b=c', 'GET', `127.0.0.1:${port}`]);
      response.setHeader('meshprobe-node', 'c1/n7').end('hello');
    });
    const prober = await get(`http://127.0.0.1:${port}/a?b=c`);
    for (let i = 0; i < 3; i++) expect(await endOf(prober)).toBe('reply');
    expect(ports.size).toBe(3);
    expect(prober.answer()).toEqual({ status: 200, answeredBy: 'c1/n7' });
  });

  test('what no node can be called is not told', async () => {
    const port = await serve((_, response) => {
      response.setHeader('meshprobe-node', 'a b\t<script>').end();
    });
    const prober = await get(`http://127.0.0.1:${port}/`);
    expect(await endOf(prober)).toBe('reply');
    expect(prober.answer()).toEqual({ status: 200 });
  });

  test.each([
    [200, '', 'reply'],
    [206, '', 'reply'],
    [404, '', 'status'],
    [503, '', 'status'],
    [401, ', expectStatus: [401]', 'reply'],
    [200, ', expectStatus: [401]', 'status'],
    [500, ', expectStatus: []', 'reply'],
    [302, '', 'redirect'],
    [302, ', expectStatus: [302]', 'reply'],
    [302, ', expectStatus: []', 'reply'],
    [200, ', method: HEAD', 'reply'],
  ])('status %i%s is %s', async (status, more, end) => {
    const port = await serve((_, response) => response.writeHead(status, { location: '/' }).end());
    const prober = await get(`http://127.0.0.1:${port}/`, more);
    expect(await endOf(prober)).toBe(end);
    expect(prober.answer().status).toBe(status);
  });

  test('a redirect for ever is asked once', async () => {
    let asked = 0;
    const port = await serve((_, response) => {
      asked++;
      response.writeHead(307, { location: '/again' }).end();
    });
    expect(await endOf(await get(`http://127.0.0.1:${port}/`))).toBe('redirect');
    expect(asked).toBe(1);
  });

  test('an answer that hangs after its headers is a timeout', async () => {
    const port = await serve((_, response) => response.writeHead(200).write('a'));
    expect(await endOf(await get(`http://127.0.0.1:${port}/`), 300)).toBe('timeout');
  });

  test('of a gigabyte little is read', async () => {
    let sent = 0;
    const chunk = Buffer.alloc(64 * 1024);
    const port = await serve((_, response) => {
      const send = (): void => {
        while (sent < 1e9 && !response.destroyed) {
          sent += chunk.length;
          if (!response.write(chunk)) return void response.once('drain', send);
        }
      };
      send();
    });
    expect(await endOf(await get(`http://127.0.0.1:${port}/`))).toBe('reply');
    expect(sent).toBeLessThan(50e6);
  });

  test.each([
    ['a banner of something else', 'SSH-2.0-OpenSSH\r\n', 'protocol'],
    ['an answer that is cut', 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\na', 'reset'],
    ['nothing', '', 'reset'],
    ['endless headers', `HTTP/1.1 200 OK\r\na: ${'a'.repeat(70_000)}`, 'too-large'],
  ])('%s is a failure', async (_, text, kind) => {
    const server = createTcpServer((socket) => {
      socket.on('error', () => undefined).once('data', () => socket.end(text));
    });
    expect(await endOf(await get(`http://127.0.0.1:${await listen(server)}/`))).toBe(kind);
  });

  test('a port where nobody listens is refused', async () => {
    expect(await endOf(await get(`http://127.0.0.1:${await freePort()}/`))).toBe('refused');
  });

  test('headers come from a file, which is read again, and nobody is shown them', async () => {
    const seen: (string | undefined)[] = [];
    const port = await serve(({ headers }, response) => {
      seen.push(headers.authorization);
      response.end();
    });
    const file = join(folder, 'headers');
    const prober = await get(`http://127.0.0.1:${port}/`, `, headersFile: ${file}`);
    expect(await endOf(prober)).toContain('not-sent: other: headersFile: ');
    writeFileSync(file, '# a comment\n\nAuthorization: Bearer one\nX-Other: 1\n');
    expect(await endOf(prober)).toBe('reply');
    writeFileSync(file, 'Authorization: Bearer second\n');
    expect(await endOf(prober)).toBe('reply');
    expect(seen).toEqual(['Bearer one', 'Bearer second']);
    for (const bad of ['Bearer second', 'A b: second', 'Connection: second', 'A: second\x07']) {
      writeFileSync(file, `${bad}\n`);
      const end = await endOf(prober);
      expect(end).toMatch(/^not-sent: other: headersFile: .*: line 1: expected /);
      expect(end).not.toContain('second');
    }
  });

  test('a probe that is cancelled does not settle, and its connection is closed', async () => {
    const server = createTcpServer();
    const port = await listen(server);
    const connected = once(server, 'connection');
    const prober = await get(`http://127.0.0.1:${port}/`);
    let settled = 0;
    const cancel = prober.probe(anyPath, 5000, () => settled++);
    const [socket] = (await connected) as [Socket];
    socket.resume();
    const closed = once(socket, 'close');
    cancel();
    await closed;
    expect(settled).toBe(0);
  });

  test('what lacks a descriptor is not sent', async () => {
    const outfile = join(folder, 'without-descriptors.mjs');
    const entry = new URL('lib/without-descriptors.ts', import.meta.url).pathname;
    await build({
      entryPoints: [entry],
      outfile,
      bundle: true,
      format: 'esm',
      platform: 'node',
      external: ['koffi', 'net-ping'],
      banner: {
        js: "import { createRequire } from 'node:module'; const require = createRequire('/');",
      },
    });
    const limited = ['-c', 'ulimit -n 64; exec "$@"', 'bash', process.execPath, outfile];
    expect(JSON.parse(execFileSync('bash', limited, { encoding: 'utf8' }))).toEqual({
      tcp: 'no-descriptor',
      http: 'no-descriptor',
      dns: 'no-descriptor',
    });
  });
});

const missing = missingPrograms('openssl');
describe('HTTPS', () => {
  let certificates: Certificates;
  let received: string[];
  let tlsServer: Server;
  beforeAll(() => {
    if (missing === undefined) certificates = new Certificates(folder);
  });
  beforeEach(({ skip }) => {
    if (missing !== undefined) skip(missing);
  });

  const serveTls = ({ cert, key }: CertificateFiles): Promise<number> => {
    received = [];
    const options = { cert: readFileSync(cert), key: readFileSync(key) };
    tlsServer = createHttpsServer(options, ({ url }, response) => {
      received.push(url ?? '');
      response.end();
    });
    tlsServer.on('tlsClientError', () => undefined);
    return listenForTest(tlsServer);
  };
  const ask = (port: number, more = '', host = 'localhost') =>
    get(`https://${host}:${port}/`, `, ca: ${certificates.ca}${more}`);

  test('a certificate that is trusted is a reply, and its end is told', async () => {
    const prober = await ask(await serveTls(certificates.make('localhost', 30)));
    expect(await endOf(prober)).toBe('reply');
    const days = ((prober.answer().certificateEndsAt ?? 0) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(29.9);
    expect(days).toBeLessThan(30.1);
  });

  test.skipIf(process.platform !== 'linux')(
    'what is small is sent at once, and waits for no answer to what was sent before',
    async () => {
      const clients: Socket[] = [];
      const note = (message: unknown) => clients.push((message as { socket: Socket }).socket);
      subscribe('net.client.socket', note);
      try {
        const port = await serveTls(certificates.make('localhost', 30));
        const noDelay: boolean[] = [];
        tlsServer.on('request', () => noDelay.push(...clients.map(isNoDelay)));
        expect(await endOf(await ask(port))).toBe('reply');
        expect(noDelay).toEqual([true]);
      } finally {
        unsubscribe('net.client.socket', note);
      }
    },
  );

  test('so is one of an IP address, and one that ends soon', async () => {
    const prober = await ask(await serveTls(certificates.make('127.0.0.1', 1)), '', '127.0.0.1');
    expect(await endOf(prober)).toBe('reply');
    expect((prober.answer().certificateEndsAt ?? 0) - Date.now()).toBeLessThan(86_400_001);
  });

  test.each([
    ['another name', 'tls-name', () => certificates.make('other.test', 30)],
    ['one that has expired', 'tls-expired', () => certificates.make('localhost', -1)],
    ['one that nobody signed', 'tls-untrusted', () => certificates.makeSelfSigned('localhost')],
  ])('%s is %s, and no request is sent', async (_, kind, make) => {
    const prober = await ask(await serveTls(make()));
    expect(await endOf(prober)).toBe(kind);
    expect(prober.answer().certificateEndsAt).toBeTypeOf('number');
    expect(received).toEqual([]);
  });

  test('without the CA it is not trusted', async () => {
    const port = await serveTls(certificates.make('localhost', 30));
    expect(await endOf(await get(`https://localhost:${port}/`))).toBe('tls-untrusted');
  });

  test('the name that it is to have can be another one than that of the URL', async () => {
    const port = await serveTls(certificates.make('other.test', 30));
    expect(await endOf(await ask(port, ', tlsName: other.test', '127.0.0.1'))).toBe('reply');
  });

  test('a CA file without certificates, or none, is no fault of the target', async () => {
    const port = await serveTls(certificates.make('localhost', 30));
    writeFileSync(join(folder, 'empty.pem'), 'no certificate');
    for (const file of ['empty.pem', 'none.pem']) {
      const prober = await get(`https://localhost:${port}/`, `, ca: ${join(folder, file)}`);
      expect(await endOf(prober)).toContain(`not-sent: other: ca: ${join(folder, file)}: `);
    }
  });

  test('a server without TLS is a failure of the protocol, one that is silent a timeout', async () => {
    const port = await serve((_, response) => response.end());
    expect(await endOf(await ask(port))).toBe('protocol');
    const silent = createTcpServer((socket) => socket.on('error', () => undefined));
    expect(await endOf(await ask(await listenForTest(silent)), 300)).toBe('timeout');
    const rude = createTcpServer((socket) => socket.destroy());
    expect(await endOf(await ask(await listenForTest(rude)))).toBe('reset');
  });
});

/** TCP_NODELAY of tcp(7), as the kernel says it. */
function isNoDelay(socket: Socket): boolean {
  const [tcpLevel, tcpNoDelay] = [6, 1];
  const { fd } = (socket as unknown as { _handle: { fd: number } })._handle;
  const [value, bytes] = [Buffer.alloc(4), Buffer.from([4, 0, 0, 0])];
  expect(loadLibc().getsockopt(fd, tcpLevel, tcpNoDelay, value, bytes)).toBe(0);
  return value.readInt32LE() !== 0;
}

const noDns = missingPrograms('dnsmasq');
describe('a name in a URL', () => {
  let dnsmasq: DnsServer;
  beforeAll(async () => {
    if (noDns === undefined) dnsmasq = await startDnsmasq();
  });
  afterAll(async () => {
    if (noDns === undefined) await dnsmasq.stop();
  });
  beforeEach(({ skip }) => {
    if (noDns !== undefined) skip(noDns);
  });

  test('that does not resolve is the failure that DNS gave', async () => {
    const resolvConf = join(folder, 'resolv.conf');
    const hosts = join(folder, 'hosts');
    writeFileSync(hosts, '127.0.0.1 known.test # known\n');
    writeFileSync(
      resolvConf,
      `search search.example corp.example\nnameserver [127.0.0.1]:${dnsmasq.port}\n`,
    );
    const port = await serve((_, response) => response.end());
    const at = (host: string) =>
      proberOf(`http: {url: "http://${host}:${port}/"}`, { resolvConf, hosts });
    expect(await endOf(await at('known.test'))).toBe('reply');
    expect(await endOf(await at('ok.test'))).toBe('reply');
    expect(await endOf(await at('short'))).toBe('reply');
    expect(await endOf(await at('gone.test.'))).toBe('nxdomain');
    expect(await endOf(await at('other.example.'))).toBe('dns-refused');
    const sample = await probeOnce(await at('gone.test.'));
    expect(sample).toMatchObject({
      detail: 'its name does not resolve: NXDOMAIN: there is no such name',
    });
  });
});
