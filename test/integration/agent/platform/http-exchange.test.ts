import { createServer, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { sendRequest } from '../../../../agent/platform/http-exchange.js';
import type { HttpEvents } from '../../../../agent/platform/http-request.js';
import { listen } from '../../../resources/listen.js';

const limits = { headerBytes: 8 * 1024, bodyBytes: 64 * 1024 } as const;
let server: Server | undefined;
const accepted = new Set<Socket>();
afterEach(() => {
  for (const socket of accepted) socket.destroy();
  server?.close();
});

/** A peer that treats each connection as the test says once something was asked. */
async function peer(onAsked: (socket: Socket) => void): Promise<number> {
  server = createServer((socket) => {
    accepted.add(socket);
    socket.on('close', () => accepted.delete(socket)).on('error', () => undefined);
    socket.once('data', () => onAsked(socket));
  });
  return listen(server);
}

interface Exchange {
  readonly seen: string[];
  /** What the last event told. */
  readonly told: Promise<string>;
  readonly end: () => void;
}

function ask(port: number, more: Partial<HttpEvents> & { headers?: string[] } = {}): Exchange {
  const seen: string[] = [];
  let end: () => void = () => undefined;
  const told = new Promise<string>((resolve) => {
    let text = '';
    const { headers = [], ...events } = more;
    end = sendRequest(
      {
        ip: '127.0.0.1',
        port,
        origin: `http://127.0.0.1:${port}`,
        method: 'GET',
        path: '/hello',
        headers,
        limits,
      },
      {
        onConnect: () => seen.push('connect'),
        onFirstByte: () => seen.push('first byte'),
        onHead: (status, { 'x-a': value }) => seen.push(`head ${status} ${String(value)}`),
        onBody: (chunk) => (text += chunk.toString('latin1')),
        onEnd: () => resolve(`end: ${text}`),
        onFault: ({ kind, detail }) => resolve(`${kind}: ${detail}`),
        onError: (error, wasAtOnce) => resolve(`error: ${error.message}, ${String(wasAtOnce)}`),
        ...events,
      },
    );
  });
  return { seen, told, end };
}

/** Writes the same bytes until the other side is gone. */
function endlessly(socket: Socket, head: string, more: string): void {
  socket.write(head);
  const much = more.repeat(1000);
  const write = (): void => {
    while (socket.writable && socket.write(much));
  };
  socket.on('drain', write);
  write();
}

const sized =
  'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX-A: 1\r\nconnection: keep-alive\r\n\r\nhello';
const chunked =
  'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\nx-a: 1\r\n\r\n2;a=b\r\nhe\r\n3\r\nllo\r\n0\r\nx-b: 1\r\n\r\n';
const ok = 'HTTP/1.1 200 OK\r\n';

describe('an answer', () => {
  test.each([
    ['with its length', sized],
    ['in chunks', chunked],
    ['that ends with the connection', 'HTTP/1.0 200 OK\r\nx-a: 1\r\n\r\nhello'],
    ['after interim ones', `HTTP/1.1 103 Early\r\n\r\nHTTP/1.1 103 Early\r\n\r\n${sized}`],
    ['that says more than its length', `${sized}more`],
  ])('%s is read, byte by byte too, and its connection is closed', async (_, answer) => {
    const port = await peer((socket) => {
      socket.setNoDelay(true);
      for (const byte of answer) socket.write(byte);
      if (answer.startsWith('HTTP/1.0')) socket.end();
    });
    const { seen, told } = ask(port);
    expect(await told).toBe('end: hello');
    expect(seen).toEqual(['connect', 'first byte', 'head 200 1']);
    await vi.waitFor(() => expect(accepted.size).toBe(0), 20_000);
  });

  test.each([
    ['a head', 'HTTP/1.1 200 O'],
    ['a body by its length', sized.slice(0, -1)],
    [
      'a body by its length that was to be the last',
      `${ok}connection: close\r\ncontent-length: 3\r\n\r\na`,
    ],
    ['a chunk', chunked.slice(0, -2)],
    ['nothing', ''],
  ])('that is cut in %s is a reset', async (_, answer) => {
    const { told } = ask(await peer((socket) => socket.end(answer)));
    expect(await told).toBe('reset: connection closed by peer before the answer was complete');
  });

  test.each([
    ['another protocol', 'SSH-2.0-OpenSSH_9.0\r\n'],
    ['another version', 'HTTP/9.0 200 OK\r\n\r\n'],
    ['no status', 'HTTP/1.1 OK\r\n\r\n'],
    ['a line that is no header', `${ok}x\r\n\r\n`],
    ['two lengths', `${ok}content-length: 1\r\ncontent-length: 2\r\n\r\n`],
    ['a length and chunks', `${ok}content-length: 1\r\ntransfer-encoding: chunked\r\n\r\n`],
    ['a bad chunk size', `${ok}transfer-encoding: chunked\r\n\r\nx\r\n`],
    ['a chunk without its end', `${ok}transfer-encoding: chunked\r\n\r\n1\r\nabc`],
    ['a leave to send what it has', 'HTTP/1.1 100 Continue\r\n\r\n'],
    [
      'another protocol to go on with',
      'HTTP/1.1 101 Over\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n',
    ],
  ])('with %s is none', async (_, answer) => {
    const { told } = ask(await peer((socket) => socket.write(answer)));
    expect(await told).toBe('protocol: the answer is not HTTP');
  });

  const largeHead = 'too-large: answer headers larger than 8192 bytes';
  const largeBody = 'too-large: answer larger than 65536 bytes';
  test('with a complete head that is too large is refused', async () => {
    const { seen, told } = ask(
      await peer((socket) => socket.write(`${ok}${'a: b\r\n'.repeat(5000)}\r\n`)),
    );
    expect(await told).toBe(largeHead);
    expect(seen).toEqual(['connect', 'first byte']);
  });

  test.each([
    ['one line', 'HTTP/1.1 200 ', 'K', largeHead],
    ['one header', `${ok}a: `, 'x', largeHead],
    ['headers', ok, 'x-header: more and more\r\n', largeHead],
    ['headers of a letter', ok, 'a:\r\n', largeHead],
    ['interim answers', '', 'HTTP/1.1 103 Early\r\n\r\n', largeHead],
    ['one chunk size', `${ok}transfer-encoding: chunked\r\n\r\n1;`, 'a', largeBody],
    ['small chunks', `${ok}transfer-encoding: chunked\r\n\r\n`, '1\r\nx\r\n', largeBody],
    ['trailers', `${ok}transfer-encoding: chunked\r\n\r\n0\r\n`, 'x: y\r\n', largeBody],
    ['a body without a length', `${ok}\r\n`, 'x', largeBody],
    ['a gigabyte', `${ok}content-length: 1000000000\r\n\r\n`, 'x', largeBody],
  ])('of endless %s is cut off', async (_, head, more, fault) => {
    let socket: Socket | undefined;
    const port = await peer((asked) => {
      socket = asked;
      endlessly(asked, head, more);
    });
    expect(await ask(port).told).toBe(fault);
    await vi.waitFor(() => expect(accepted.size).toBe(0), 20_000);
    // What the kernel holds for both ends comes on top of what was read.
    expect(socket?.bytesWritten).toBeLessThan(20e6);
  });
});

describe('one request', () => {
  test('that is ended tells nothing more, and closes its connection', async () => {
    let [asked, heads] = [0, 0];
    const port = await peer((socket) => {
      asked++;
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nh');
    });
    for (const when of ['onConnect', 'onFirstByte', 'onHead', 'onBody'] as const) {
      const told: string[] = [];
      const note = (text: string) => () => void told.push(text);
      await new Promise<void>((resolve) => {
        const { end } = ask(port, {
          onHead: () => heads++,
          onEnd: note('end'),
          onFault: note('fault'),
          onError: note('error'),
          [when]: () => {
            end();
            resolve();
          },
        });
      });
      await vi.waitFor(() => expect(accepted.size, when).toBe(0), 5_000);
      expect(told).toEqual([]);
    }
    expect(asked).toBeLessThanOrEqual(3);
    expect(heads).toBe(1);
  });

  test('that is ended while it connects tells nothing', async () => {
    const port = await peer(() => undefined);
    const told: string[] = [];
    const { seen, end } = ask(port, { onError: () => told.push('error') });
    end();
    await vi.waitFor(() => expect(accepted.size).toBe(0), 20_000);
    expect([...seen, ...told]).toEqual([]);
  });

  test('has its socket at the end, and no longer', async () => {
    const port = await peer((socket) => socket.end(sized));
    let socket: Socket | undefined;
    const wasDestroyed = await new Promise<boolean | undefined>((resolve) => {
      ask(port, {
        onConnect: (connected) => void (socket = connected),
        onEnd: () => resolve(socket?.destroyed),
      });
    });
    expect(wasDestroyed).toBe(false);
    expect(socket?.destroyed).toBe(true);
  });

  test('to a port where nobody listens is an error of the system, not at once', async () => {
    const port = await peer(() => undefined);
    server?.close();
    expect(await ask(port).told).toMatch(/^error: connect ECONNREFUSED .*, false$/);
  });

  test('with a header that cannot be sent throws, and opens nothing', async () => {
    const port = await peer(() => undefined);
    await expect(ask(port, { headers: ['a', 'b\nc'] }).told).rejects.toThrow('invalid a header');
    expect(accepted.size).toBe(0);
  });
});
