import { createServer, type Server } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createHttpProber } from '../../../../../agent/probing/http/http-prober.js';
import { openTcpInfo } from '../../../../../agent/probing/http/tcp-info.js';
import { monitorEventLoop } from '../../../../../agent/platform/event-loop.js';
import type { Sample } from '../../../../../agent/model/sample.js';
import { mutate, Random } from '../../../../fuzz/random.js';
import { listen, portOf } from '../../../../resources/listen.js';
import { pathTo } from '../path-to.js';

const good = [
  'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n',
  'HTTP/1.1 200 OK\r\ncontent-length: 5\r\nx-name: value\r\nconnection: close\r\n\r\nhello',
  'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n',
  'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n',
  'HTTP/1.1 404 Not Found\r\nset-cookie: a=b\r\ncontent-length: 2\r\n\r\nno',
];

let server: Server;
let answer: Buffer[] = [];
beforeAll(async () => {
  server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => {
      for (const part of answer) socket.write(part);
      // Some connections stay open, so that the deadline ends the probe.
      if (answer.length < 3) socket.end();
    });
  });
  await listen(server);
});
afterAll(() => void server.close());

test('answers with random changes give a reply or a failure in words, in time', async () => {
  const random = new Random(11);
  const port = portOf(server);
  const eventLoop = monitorEventLoop();
  const prober = createHttpProber({ port, eventLoop, readTcpInfo: await openTcpInfo() });
  const outcomes = new Set<string>();
  for (let round = 0; round < 600; round++) {
    const bytes = mutate(Buffer.from(random.pick(good)), random);
    const cut = random.below(bytes.length + 1);
    answer =
      [
        [bytes],
        [bytes.subarray(0, cut), bytes.subarray(cut)],
        [bytes, Buffer.alloc(0), Buffer.alloc(0)],
      ][round % 3] ?? [];
    const sample = await new Promise<Sample>((resolve) =>
      prober.probe(pathTo('127.0.0.1'), 40, resolve),
    );
    outcomes.add(sample.outcome);
    if (sample.outcome === 'reply') expect(sample.rttNs).toBeGreaterThan(0);
    // The failure text must not contain what the peer sent.
    else expect(sample.detail).toMatch(/^[\w -]{5,80}$/);
  }
  expect(outcomes).toEqual(new Set(['reply', 'failure']));
});
