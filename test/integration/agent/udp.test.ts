import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { MeshKeys } from '../../../agent/exchange/messages/mesh-keys.js';
import {
  datagramBytes,
  decodeDatagram,
  encodeDatagram,
} from '../../../agent/model/udp-datagram.js';
import { UdpPaths, type UdpPath } from '../../../agent/path-tests/udp/udp-paths.js';
import { startUdpTester } from '../../../agent/path-tests/udp/udp-tester.js';
import { systemClock } from '../../../agent/platform/clock.js';
import { startUdpEcho } from '../../../agent/serving/responder/udp-echo.js';

const noKeys = new MeshKeys();
const fail = (error: Error): never => {
  throw error;
};

async function openSocket(address: string, port = 0): Promise<Socket> {
  const socket = createSocket(address.includes(':') ? 'udp6' : 'udp4');
  socket.bind(port, address);
  await once(socket, 'listening');
  onTestFinished(() => void socket.close());
  return socket;
}

/** A port that nothing has at an address. */
async function freePortAt(address: string): Promise<number> {
  const socket = createSocket(address.includes(':') ? 'udp6' : 'udp4');
  socket.bind(0, address);
  await once(socket, 'listening');
  const { port } = socket.address();
  socket.close();
  return port;
}

/** Starts an echo, and returns how to stop it before the end of the test. */
async function startEcho(
  address: string,
  port: number,
  keys = noKeys,
): Promise<() => Promise<void>> {
  const echo = await startUdpEcho({
    addresses: [address],
    port,
    keys,
    isAllowed: () => true,
    nowMs: () => systemClock.nowMs(),
    onFailure: fail,
  });
  let stopped: Promise<void> | undefined;
  const stop = (): Promise<void> => (stopped ??= echo.stop());
  onTestFinished(stop);
  return stop;
}

/** An echo at a free port, which is returned. */
async function echo(address: string, keys = noKeys): Promise<number> {
  const port = await freePortAt(address);
  await startEcho(address, port, keys);
  return port;
}

/** Sends what comes on to the echo, and back, each way changed by who stands between. */
interface Relay {
  there: (data: Buffer, pass: (data: Buffer) => void) => void;
  back: (data: Buffer, pass: (data: Buffer) => void) => void;
}

async function relayTo(echoAt: string, port: number, relay: Relay): Promise<void> {
  // At another address, with the port of the echo.
  const front = await openSocket('127.0.6.2', port);
  const behind = await openSocket('127.0.6.2');
  let asker = { port: 0, address: '' };
  front.on('message', (data, from) => {
    asker = from;
    relay.there(data, (passed) => behind.send(passed, port, echoAt));
  });
  behind.on('message', (data) => {
    relay.back(data, (passed) => front.send(passed, asker.port, asker.address));
  });
}

const pathTo = (ip: string): UdpPath => ({
  node: 'c/n2',
  plane: 'host',
  ip,
  sources: new Set([ip]),
});

/** Tests one path, and returns what is known of it. */
function testPath(ip: string, port: number, keys = noKeys) {
  const paths = new UdpPaths();
  const path = pathTo(ip);
  paths.setPaths([path]);
  onTestFinished(startUdpTester({ paths, port, keys, clock: systemClock }));
  return () => paths.of(path, systemClock.nowMs());
}

const sequenceOf = (data: Buffer): number => data.readUInt32BE(16);
const until = (isTrue: () => boolean) => vi.waitUntil(isTrue, { timeout: 25_000, interval: 50 });

describe('a test by UDP', () => {
  test.each(['127.0.6.1', '::1'])('of a good path to %s loses nothing', async (ip) => {
    const of = testPath(ip, await echo(ip));
    await until(() => of()?.sent === 8);
    expect(of()).toMatchObject({ sent: 8, lost: 0, reorderedThere: 0, duplicatedBack: 0 });
    expect(of()?.answeredAt).toBeGreaterThan(Date.now() - 10_000);
  });

  test('with a key', async () => {
    const keys = new MeshKeys(['0123456789abcdef']);
    const of = testPath('127.0.6.1', await echo('127.0.6.1', keys), keys);
    await until(() => of()?.sent === 8);
    expect(of()?.lost).toBe(0);
  });

  test('tells which way datagrams are lost, doubled and overtaken', async () => {
    const port = await echo('127.0.6.1');
    let held: Buffer | undefined;
    await relayTo('127.0.6.1', port, {
      there(data, pass) {
        const sequence = sequenceOf(data);
        if (sequence === 2 || sequence === 3) return;
        pass(data);
        if (sequence === 5) pass(data);
      },
      back(data, pass) {
        const sequence = sequenceOf(data);
        if (sequence === 4) return;
        if (sequence === 6) held = data;
        else pass(data);
        if (sequence === 7 && held) pass(held);
      },
    });
    const of = testPath('127.0.6.2', port);
    await until(() => of()?.sent === 8);
    expect(of()).toEqual({
      sent: 8,
      lost: 3,
      lostThere: 2,
      lostBack: 1,
      reorderedThere: 0,
      reorderedBack: 1,
      duplicatedThere: 1,
      duplicatedBack: 0,
      answeredAt: expect.any(Number) as number,
    });
  });

  test('is not moved by who forges, cuts, grows or repeats answers, nor by strangers', async () => {
    const port = await echo('127.0.6.1');
    const stranger = await openSocket('127.0.6.9');
    const random = () => Buffer.from(Array.from({ length: datagramBytes }, () => 7));
    let forged = 0;
    let askerPort = 0;
    const front = await openSocket('127.0.6.2', port);
    const behind = await openSocket('127.0.6.2');
    front.on('message', (data, from) => {
      askerPort = from.port;
      behind.send(data, port, '127.0.6.1');
    });
    behind.on('message', (data) => {
      const good = decodeDatagram(data, 'answer');
      if (!good) throw new Error('expected an answer');
      const lies = [
        data.subarray(0, 40),
        Buffer.alloc(0),
        Buffer.concat([data, Buffer.alloc(20_000)]),
        random(),
        encodeDatagram({ ...good, type: 'request' }, noKeys),
        encodeDatagram({ ...good, session: 'another1', counter: 99 }, noKeys),
        encodeDatagram({ ...good, sequence: 4_000_000_000, counter: 99 }, noKeys),
      ];
      for (const lie of lies) front.send(lie, askerPort, '127.0.0.1');
      // The true answer, from the wrong port and the wrong address.
      behind.send(encodeDatagram({ ...good, counter: 99 }, noKeys), askerPort, '127.0.0.1');
      stranger.send(encodeDatagram({ ...good, counter: 99 }, noKeys), askerPort, '127.0.0.1');
      forged += lies.length + 2;
      front.send(data, askerPort, '127.0.0.1');
    });
    const of = testPath('127.0.6.2', port);
    await until(() => of()?.sent === 8);
    expect(forged).toBeGreaterThanOrEqual(8 * 9);
    expect(of()).toMatchObject({ lost: 0, duplicatedThere: 0, duplicatedBack: 0 });
    expect(of()).toMatchObject({ reorderedThere: 0, reorderedBack: 0 });
  });

  test('to a peer that never answers claims no loss of the path', async () => {
    const silent = await openSocket('127.0.6.1');
    const of = testPath('127.0.6.1', silent.address().port);
    await until(() => of()?.sent === 8);
    expect(of()).toMatchObject({ sent: 8, lost: 0, answeredAt: undefined });
  });

  test('goes on where the other end restarts', async () => {
    const port = await freePortAt('127.0.6.1');
    const stop = await startEcho('127.0.6.1', port);
    const of = testPath('127.0.6.1', port);
    await until(() => of()?.sent === 8);
    await stop();
    await startEcho('127.0.6.1', port);
    await until(() => of()?.sent === 16);
    expect(of()).toMatchObject({ lost: 0, lostThere: 0, lostBack: 0 });
  });
});

describe('two echoes', () => {
  test('never answer each other, whoever sets them on', async () => {
    const keys = new MeshKeys(['0123456789abcdef']);
    const port = await echo('127.0.6.1', keys);
    // The port of another echo: what is sent to it is seen here, in its place.
    const inItsPlace = await openSocket('127.0.6.3', port);
    const got: Buffer[] = [];
    inItsPlace.on('message', (data) => got.push(data));
    const asked = {
      type: 'request',
      session: 'session1',
      sequence: 1,
      counter: 0,
      epoch: 0,
    } as const;
    inItsPlace.send(encodeDatagram(asked, keys), port, '127.0.6.1');
    const asker = await openSocket('127.0.6.3');
    asker.send(encodeDatagram(asked, keys), port, '127.0.6.1');
    const [answer] = (await once(asker, 'message')) as [Buffer];
    // Its own answer, sent back, is not answered either: the next thing to come is to a request.
    asker.send(answer, port, '127.0.6.1');
    asker.send(encodeDatagram({ ...asked, sequence: 2 }, keys), port, '127.0.6.1');
    const [next] = (await once(asker, 'message')) as [Buffer];
    expect(decodeDatagram(next, 'answer')).toMatchObject({ sequence: 2, counter: 2 });
    expect([answer.length, got]).toEqual([datagramBytes, []]);
  });
});

test.each(['127.0.0.1', '::1'])(
  'an echo at :: alone answers %s, as the responder does',
  async (ip) => {
    const port = await echo('::');
    const asker = await openSocket(ip);
    const asked = { session: 'session1', sequence: 1, counter: 0, epoch: 0 };
    asker.send(encodeDatagram({ type: 'request', ...asked }, noKeys), port, ip);
    const [, from] = (await once(asker, 'message')) as [Buffer, RemoteInfo];
    expect([from.address, from.port]).toEqual([ip, port]);
  },
);

test('a port that is taken at one address of the host is said, where all are listened at', async () => {
  const port = await echo('127.0.0.1');
  await expect(startEcho('0.0.0.0', port)).rejects.toThrow(
    `UDP echo: cannot listen on 127.0.0.1, port ${port}: the port is taken`,
  );
});

test('a port that is taken is said', async () => {
  const port = await echo('127.0.6.1');
  const again = startEcho('127.0.6.1', port);
  await expect(again).rejects.toThrow(
    `UDP echo: cannot listen on 127.0.6.1, port ${port}: the port is taken; stop what listens there or choose another --udp-port`,
  );
});
