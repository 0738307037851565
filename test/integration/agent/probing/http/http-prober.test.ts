import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { monitorEventLoop } from '../../../../../agent/platform/event-loop.js';
import { createHttpProber } from '../../../../../agent/probing/http/http-prober.js';
import { openTcpInfo } from '../../../../../agent/probing/http/tcp-info.js';
import type { Sample } from '../../../../../agent/model/sample.js';
import { listen } from '../../../../resources/listen.js';
import { pathTo } from '../path-to.js';

let server: Server | undefined;
const sockets = new Set<Socket>();
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  server?.close();
  server = undefined;
});

/** A peer on loopback that treats each connection as the test says. */
async function peer(onConnection: (socket: Socket) => void, host = '127.0.0.1'): Promise<number> {
  server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
    onConnection(socket);
  });
  return listen(server, 0, host);
}

const good = 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n';
const answering = (text: string) => (socket: Socket) => socket.once('data', () => socket.end(text));

const eventLoop = monitorEventLoop();
const readTcpInfo = await openTcpInfo();
const create = (port: number) => createHttpProber({ port, eventLoop, readTcpInfo });

function probe(port: number, timeoutMs = 2000, ip = '127.0.0.1'): Promise<Sample> {
  return new Promise((resolve) => create(port).probe(pathTo(ip), timeoutMs, resolve));
}

/** Writes the same bytes until the other side is gone. */
function endlessly(socket: Socket, bytes: string): void {
  const many = bytes.repeat(100);
  const write = (): void => {
    while (socket.writable && socket.write(many));
  };
  socket.on('drain', write);
  write();
}

describe('the HTTP prober', () => {
  test('leaves files for the rest of the process, and says that there are too few', async () => {
    const port = await peer(() => undefined);
    const prober = createHttpProber({ port, eventLoop, readTcpInfo, filesLimit: 104 });
    const samples: Sample[] = [];
    const cancels = Array.from({ length: 31 }, () =>
      prober.probe(pathTo('127.0.0.1'), 5000, (sample) => samples.push(sample)),
    );
    expect(samples).toMatchObject([
      {
        outcome: 'not-sent',
        reason: 'no-descriptor',
        detail: 'too many open files (the limit of this process is 104)',
      },
    ]);
    cancels[0]?.();
    prober.probe(pathTo('127.0.0.1'), 5000, (sample) => samples.push(sample));
    expect(samples).toHaveLength(1);
    prober.close();
  });

  test.each([
    [1_452, 2000],
    [16_384, 1_000_000],
  ])(
    'says that %i probes wait for a processor, and not that files are open',
    async (most, limit) => {
      const port = await peer(() => undefined);
      const prober = createHttpProber({ port, eventLoop, readTcpInfo, filesLimit: limit });
      const samples: Sample[] = [];
      for (let probes = 0; probes <= most; probes++) {
        prober.probe(pathTo('127.0.0.1'), 5000, (sample) => samples.push(sample));
      }
      const detail = 'more probes wait than this process has processor time for';
      expect(samples).toMatchObject([{ outcome: 'not-sent', reason: 'too-many-probes', detail }]);
      prober.close();
    },
  );

  test('times a good answer in nanoseconds', async () => {
    let request = '';
    const port = await peer((socket) =>
      socket.once('data', (data) => {
        request = data.toString();
        socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
      }),
    );
    const sample = await probe(port);
    expect(sample.outcome).toBe('reply');
    expect(sample.outcome === 'reply' && sample.rttNs).toBeGreaterThan(1000);
    expect(request).toMatch(/^GET \/hello HTTP\/1\.1\r\n/);
  });

  test('uses a fresh connection for each probe and leaves none open', async () => {
    const port = await peer(
      answering('HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: keep-alive\r\n\r\n'),
    );
    const prober = create(port);
    let connections = 0;
    server?.on('connection', () => connections++);
    for (let i = 0; i < 3; i++) {
      await new Promise((resolve) => prober.probe(pathTo('127.0.0.1'), 2000, resolve));
    }
    expect(connections).toBe(3);
    await vi.waitFor(() => expect(sockets.size).toBe(0), 20_000);
  });

  test('probes IPv6', async () => {
    const port = await peer(answering('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'), '::1');
    expect((await probe(port, 2000, '::1')).outcome).toBe('reply');
  });

  test.each([
    [
      'a wrong status',
      'HTTP/1.1 503 No\r\ncontent-length: 0\r\n\r\n',
      'status',
      'unexpected status 503',
    ],
    [
      'a redirect',
      'HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1:1/\r\ncontent-length: 0\r\n\r\n',
      'status',
      'unexpected status 302',
    ],
    ['garbage', '\u0000\u0001garbage\r\n\r\n', 'protocol', 'the answer is not HTTP'],
    ['another protocol', 'SSH-2.0-OpenSSH_9.0\r\n', 'protocol', 'the answer is not HTTP'],
    [
      'half an answer',
      'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nab',
      'reset',
      'connection closed by peer before the answer was complete',
    ],
    [
      'nothing but a closed connection',
      '',
      'reset',
      'connection closed by peer before the answer was complete',
    ],
    [
      'large headers',
      `HTTP/1.1 200 OK\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`,
      'too-large',
      'answer headers larger than 8192 bytes',
    ],
  ])('fails on %s', async (_, answer, kind, detail) => {
    const port = await peer(answering(answer));
    expect(await probe(port)).toMatchObject({ outcome: 'failure', kind, detail });
  });

  test.each([
    [
      'endless headers',
      'HTTP/1.1 200 OK\r\n',
      'x-header: more and more\r\n',
      'too-large',
      'answer headers larger than 8192 bytes',
    ],
    [
      'an endless body',
      'HTTP/1.1 200 OK\r\n\r\n',
      'x'.repeat(1000),
      'too-large',
      'answer larger than 65536 bytes',
    ],
    [
      'an endless chunked body',
      'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n',
      '3e8\r\n' + 'x'.repeat(1000) + '\r\n',
      'too-large',
      'answer larger than 65536 bytes',
    ],
  ])('fails on %s without reading it all', async (_, head, more, kind, detail) => {
    const port = await peer((socket) =>
      socket.once('data', () => {
        socket.write(head);
        endlessly(socket, more);
      }),
    );
    expect(await probe(port, 20_000)).toMatchObject({ outcome: 'failure', kind, detail });
  });

  test.each([
    ['opens and says nothing', (): void => undefined],
    [
      'gives a byte now and then',
      (socket: Socket): void => {
        const timer = setInterval(() => socket.write('H'.repeat(1)), 20);
        socket.on('close', () => clearInterval(timer));
      },
    ],
    [
      'stops in the middle of the body',
      (socket: Socket): void => {
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nab');
      },
    ],
  ])('times out on a peer that %s', async (_, behave) => {
    const port = await peer(behave);
    const sample = await probe(port, 150);
    expect(sample.outcome).toBe('failure');
    expect(['Connection timed out', 'the answer is not HTTP']).toContain(
      sample.outcome === 'failure' && sample.detail,
    );
  });

  test('says so when the connection is refused', async () => {
    const port = await peer(() => undefined);
    server?.close();
    expect(await probe(port)).toMatchObject({
      outcome: 'failure',
      kind: 'refused',
      detail: 'connection refused',
    });
  });

  test('reports the phases of an exchange and the RTT that the kernel measured', async () => {
    const port = await peer(answering(good));
    const sample = await probe(port);
    const http = sample.outcome === 'reply' ? sample.http : undefined;
    const rttNs = sample.outcome === 'reply' ? sample.rttNs : 0;
    expect(http?.connectNs).toBeGreaterThan(0);
    expect(http?.firstByteNs).toBeGreaterThan(http?.connectNs ?? Infinity);
    expect(http?.firstByteNs).toBeLessThanOrEqual(rttNs);
    if (process.platform !== 'linux') return;
    expect(http?.tcpRttNs).toBeGreaterThan(0);
    expect(http?.tcpRttNs).toBeLessThan(rttNs);
    expect(http?.synRetransmissions).toBe(0);
  });

  test('taints a sample during which the process was kept from running', async () => {
    const port = await peer((socket) =>
      socket.once('data', () => {
        const untilMs = performance.now() + 60;
        while (performance.now() < untilMs);
        socket.end(good);
      }),
    );
    expect(await probe(port)).toMatchObject({ outcome: 'reply', tainted: true });
  });

  test('does not taint a sample for work of its process where the kernel says that its events were seen in time', async () => {
    const port = await peer(answering(good));
    const busy = {
      isUnreliable: () => false,
      busyNs: () => 6e6,
      stalledMs: () => 0,
      end: () => undefined,
    };
    const prober = createHttpProber({
      port,
      eventLoop: { ...eventLoop, startMeasurement: () => busy },
      // The kernel tells nothing of a socket that is closed.
      readTcpInfo: ({ destroyed }) =>
        destroyed ? undefined : { rttNs: 60e9, retransmissions: 0, sinceReceivedMs: 0 },
    });
    const sample = await new Promise<Sample>((resolve) =>
      prober.probe(pathTo('127.0.0.1'), 2000, resolve),
    );
    expect(sample).toMatchObject({ outcome: 'reply' });
    expect(sample).not.toHaveProperty('tainted');
  });

  test('does not blame the peer for a stall of its own process', async () => {
    const port = await peer(answering(good));
    const sample = probe(port, 100);
    // It begins in a turn of its own.
    await nextTurn();
    const untilMs = performance.now() + 300;
    while (performance.now() < untilMs);
    const { outcome, tainted } = (await sample) as Sample & { tainted?: boolean };
    expect([outcome, tainted]).not.toEqual(['failure', undefined]);
    expect(tainted).toBe(true);
  });

  test('closes its connection at once and reports nothing when it is cancelled', async () => {
    const port = await peer(() => undefined);
    const settled: Sample[] = [];
    const cancel = create(port).probe(pathTo('127.0.0.1'), 60_000, (sample) =>
      settled.push(sample),
    );
    if (!server) return;
    const [socket] = (await once(server, 'connection')) as [Socket];
    cancel();
    await once(socket, 'close');
    expect(settled).toEqual([]);
  });
});
