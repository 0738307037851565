import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { getPadded, paddingBytes } from '../../../../../agent/path-tests/large/large-get.js';
import {
  startResponder,
  type Responder,
} from '../../../../../agent/serving/responder/responder.js';
import { listen } from '../../../../resources/listen.js';

const ip = '127.0.0.1';
const { signal } = new AbortController();
let responder: Responder;
let port: number;
beforeAll(async () => {
  responder = await startResponder({ addresses: [ip], port: 0, onFailure: () => undefined });
  port = responder.addresses[0]?.port ?? 0;
});
afterAll(() => responder.stop());

/** Sends a text on a new connection and returns everything until the connection closes. */
async function exchange(text: string): Promise<string> {
  const socket = connect(port, ip);
  let received = '';
  socket.on('error', () => undefined).setEncoding('latin1');
  socket.on('data', (data: string) => (received += data));
  socket.write(text);
  await once(socket, 'close');
  return received;
}

const padded = (bytes: number) =>
  `GET /hello HTTP/1.1\r\nmeshprobe-large: ${'x'.repeat(bytes)}\r\n\r\n`;
const statusOf = (answer: string) => answer.split(' ')[1];
const bodyBytes = (answer: string) => answer.length - answer.indexOf('\r\n\r\n') - 4;

describe('a GET with padding', () => {
  test('is answered with as many bytes, large or small', async () => {
    expect(await getPadded({ ip, port }, paddingBytes, signal)).toBe('answered');
    expect(await getPadded({ ip, port }, 0, signal)).toBe('answered');
    for (const bytes of [1, 8000, 9300, 16_384]) {
      const answer = await exchange(padded(bytes));
      expect([statusOf(answer), bodyBytes(answer)]).toEqual(['200', bytes]);
    }
  });

  test('never gets more than 16 KB, nor more than it sent', async () => {
    const answer = await exchange(padded(20_000));
    expect(statusOf(answer) === '431' || bodyBytes(answer) <= 16_384).toBe(true);
    expect(statusOf(await exchange(padded(60_000)))).toBe('431');
  });

  test('is the only one whose head may be large', async () => {
    const long = 'x'.repeat(12_000);
    expect(statusOf(await exchange(`GET /hello HTTP/1.1\r\nother: ${long}\r\n\r\n`))).toBe('431');
    expect(statusOf(await exchange(`GET /x HTTP/1.1\r\nmeshprobe-large: ${long}\r\n\r\n`))).toBe(
      '431',
    );
    const late = `GET /hello HTTP/1.1\r\nother: ${long}\r\nmeshprobe-large: x\r\n\r\n`;
    expect(statusOf(await exchange(late))).toBe('431');
  });
});

describe('GETs with padding that are never whole', () => {
  const begun = padded(paddingBytes).slice(0, 12_000);
  const held: Socket[] = [];
  /** Begins a GET and never ends it. */
  const hold = async (localAddress: string): Promise<{ received: string }> => {
    const socket = connect({ port, host: ip, localAddress });
    held.push(socket);
    const answer = { received: '' };
    socket.on('error', () => undefined).setEncoding('latin1');
    socket.on('data', (data: string) => (answer.received += data));
    await new Promise((resolve) => socket.write(begun, resolve));
    return answer;
  };
  afterEach(() => {
    for (const socket of held.splice(0)) socket.destroy();
  });

  test.each(['127.0.0.1', '127.0.0.2'])('keep no other from its answer (from %s)', async (from) => {
    await Promise.all(Array.from({ length: 80 }, () => hold(from)));
    expect(await getPadded({ ip, port }, paddingBytes, signal)).toBe('answered');
  });

  test('give way to the lost one of another client, which is told so in time', async () => {
    const lost = await hold('127.0.0.1');
    for (let round = 0; round < 3; round++) {
      await Promise.all(Array.from({ length: 64 }, () => hold('127.0.0.2')));
    }
    await vi.waitFor(() => expect(statusOf(lost.received)).toBe('408'), 10_000);
  });
});

describe('an answer that is none', () => {
  let server: Server;
  const answers = async (text: string, rounds = 1): Promise<number> => {
    server = createServer((socket) => {
      socket.on('error', () => undefined);
      for (let round = 0; round < rounds; round++) socket.write(text);
      if (rounds === 1) socket.end();
    });
    return listen(server, 0, ip);
  };

  test.each([
    ['HTTP/1.1 200 OK\r\n\r\n', 'unknown'],
    ['HTTP/1.1 431 Too large\r\n\r\n', 'unknown'],
    ['HTTP/1.1 408 Request Timeout\r\n\r\n', 'lost-there'],
    ['nonsense', 'unknown'],
    ['', 'unknown'],
  ])('%j is %s', async (text, outcome) => {
    const at = await answers(text);
    expect(await getPadded({ ip, port: at }, paddingBytes, signal)).toBe(outcome);
    server.close();
  });

  test('of 1 GB is cut after what was asked for, and little of it is taken', async () => {
    const chunk = Buffer.alloc(1 << 20, 'y');
    let sentBytes = 0;
    server = createServer((socket) => {
      socket.on('error', () => undefined);
      const send = (): void => {
        while (sentBytes < 1 << 30 && !socket.destroyed) {
          sentBytes += chunk.length;
          if (!socket.write(chunk)) return;
        }
        socket.end();
      };
      socket.on('drain', send).write('HTTP/1.1 200 OK\r\ncontent-length: 1073741824\r\n\r\n');
      send();
    });
    const at = await listen(server, 0, ip);
    expect(await getPadded({ ip, port: at }, paddingBytes, signal)).toBe('unknown');
    // The buffers of the two sockets hold some of it.
    expect(sentBytes).toBeLessThan(64 << 20);
    server.close();
  });

  test('that comes line by line ends with the time of the GET, and says nothing of the size', async () => {
    let timer: NodeJS.Timeout | undefined;
    server = createServer((socket) => {
      socket.on('error', () => undefined);
      timer = setInterval(() => socket.write('HTTP/1.1 200 OK\r\n'), 100);
    });
    const at = await listen(server, 0, ip);
    expect(await getPadded({ ip, port: at }, paddingBytes, signal)).toBe('unknown');
    clearInterval(timer);
    server.close();
  });
});
