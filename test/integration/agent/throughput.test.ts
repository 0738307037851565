import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { MeshKeys } from '../../../agent/exchange/messages/mesh-keys.js';
import { throughputHeader } from '../../../agent/model/hello-headers.js';
import type { Plane } from '../../../agent/model/path.js';
import { openKernelSockets } from '../../../agent/path-tests/throughput/kernel-sockets.js';
import { MessageLink } from '../../../agent/path-tests/throughput/message-link.js';
import { OneAtATime } from '../../../agent/path-tests/throughput/one-at-a-time.js';
import {
  decodeRequest,
  encodeJoining,
  encodeOpened,
  encodeOpening,
  decodeOpened,
  type Opening,
} from '../../../agent/path-tests/throughput/opening.js';
import { testThroughput } from '../../../agent/path-tests/throughput/throughput-test.js';
import { ThroughputServer } from '../../../agent/path-tests/throughput/throughput-server.js';
import { upgrade } from '../../../agent/path-tests/throughput/upgrade.js';
import { createNonces } from '../../../agent/platform/nonces.js';
import { createAnswer } from '../../../agent/serving/responder/answer.js';
import { startResponder } from '../../../agent/serving/responder/responder.js';
import { throughputUpgrade } from '../../../agent/start/throughput-upgrade.js';
import type { ThroughputLine } from '../../../api/schema/v1/throughput.js';
import { listenForTest } from '../../resources/test-server.js';
import { freePort } from '../lib/free-port.js';

const keys = new MeshKeys(['a key of sixteen bytes']);
const otherKeys = new MeshKeys(['another key of sixteen']);
const noKeys = new MeshKeys();
const kernel = await openKernelSockets();
const { signal } = new AbortController();
const createNonce = createNonces();
const [agentIp, endpointIp] = ['127.0.9.1', '127.0.9.2'];
const agreement = { ms: 2000, bytes: 20_000_000, streams: 3 };

interface End {
  readonly port: number;
  readonly turn: OneAtATime;
  readonly logged: string[];
  stop(): Promise<void>;
}

interface EndOptions {
  readonly isPeer?: (name: string) => boolean;
  readonly keys?: MeshKeys;
  readonly isInsecure?: boolean;
}

/** A real end: a responder at one address or more, whose throughput tests are answered. */
async function startEnd(
  ips: string | readonly string[],
  port: number,
  options: EndOptions = {},
): Promise<End> {
  const turn = new OneAtATime();
  const logged: string[] = [];
  const server = new ThroughputServer({
    keys,
    isInsecure: false,
    isOwnName: (name) => name === 'c/n2',
    isPeer: (name) => name === 'c/n1',
    turn,
    openKernel: () => Promise.resolve(kernel),
    log: (facts, message) => logged.push(`${message} ${JSON.stringify(facts)}`),
    ...options,
  });
  const responder = await startResponder({
    addresses: [ips].flat(),
    port,
    onFailure: (error) => logged.push(String(error)),
    answer: createAnswer({ upgrade: throughputUpgrade(server) }),
  });
  let stopped: Promise<void> | undefined;
  const stop = (): Promise<void> => (stopped ??= responder.stop());
  onTestFinished(stop);
  return { port, turn, logged, stop };
}

/** The end of an agent, on a port that is free. */
const startAgent = async (options?: EndOptions) => startEnd(agentIp, await freePort(), options);

interface Asked {
  readonly planes?: readonly Plane[];
  readonly keys?: MeshKeys;
  readonly node?: string;
  readonly from?: string;
  readonly ms?: number;
  readonly bytes?: number;
  readonly signal?: AbortSignal;
}

const ipOf = { host: agentIp, endpoint: endpointIp };

/** The lines of a test, to ends at a port. */
function ask(port: number, asked: Asked = {}) {
  const { planes = ['host'], node = 'c/n2', from = 'c/n1', ...rest } = asked;
  const { ms, bytes, signal: ends = signal } = rest;
  return testThroughput({
    node,
    addresses: new Map(planes.map((plane) => [plane, ipOf[plane]])),
    agentAddress: agentIp,
    agreement: { ...agreement, ...(ms && { ms }), ...(bytes && { bytes }) },
    port,
    session: { from, keys: rest.keys ?? keys, createNonce, kernel },
    signal: ends,
  });
}

async function linesOf(lines: AsyncIterable<ThroughputLine>): Promise<ThroughputLine[]> {
  const all = [];
  for await (const line of lines) all.push(line);
  return all;
}

const lastOf = async (port: number, asked?: Asked) => (await linesOf(ask(port, asked))).at(-1);
const failsWith = (text: string) => ({ type: 'error', text });

describe('between two ends that keep to it', () => {
  test('both ways on both planes are measured, and the ratio is that of the figures', async () => {
    const agent = await startAgent();
    const { port } = agent;
    const endpoint = await startEnd(endpointIp, port);
    const bytes = 100_000_000;
    const lines = await linesOf(ask(port, { planes: ['host', 'endpoint'], ms: 20_000, bytes }));
    expect(lines.map(({ type }) => type)).toEqual([
      'begin',
      ...Array.from({ length: 4 }, () => 'direction'),
      'end',
    ]);
    const [begin, ...directions] = lines.slice(0, -1);
    expect(begin).toMatchObject({ node: 'c/n2', seconds: 20, bytes, streams: 3 });
    const order = directions.map((line) =>
      line.type === 'direction' ? `${line.plane} ${line.direction}` : line.type,
    );
    expect(order).toEqual(['host to', 'host from', 'endpoint to', 'endpoint from']);
    const rates = directions.map((line) => {
      expect(line).toMatchObject({ bytes, endedBy: 'bytes' });
      expect(line).not.toHaveProperty('isTooShort');
      if (line.type !== 'direction') return NaN;
      expect(line.retransmissions).toBeGreaterThanOrEqual(0);
      expect(line.bitsPerSecond).toBeCloseTo((line.bytes * 8) / line.seconds, -1);
      return line.bitsPerSecond;
    });
    const [hostTo = 0, hostFrom = 0, endpointTo = 0, endpointFrom = 0] = rates;
    const [to, from] = [endpointTo / hostTo, endpointFrom / hostFrom];
    expect(lines.at(-1)).toEqual({ type: 'end', endpointToHost: { to, from } });
    await vi.waitUntil(() => !agent.turn.isTaken && !endpoint.turn.isTaken);
    expect(agent.logged.at(-1)).toContain('a throughput test of another node is over');
  });

  test('an agent that is also the endpoint takes part for both planes', async () => {
    const { port, turn, logged } = await startEnd([agentIp, endpointIp], await freePort());
    const lines = await linesOf(ask(port, { planes: ['host', 'endpoint'] }));
    const order = lines.map((line) =>
      line.type === 'direction' ? `${line.plane} ${line.direction}` : line.type,
    );
    const measured = ['host to', 'host from', 'endpoint to', 'endpoint from'];
    expect(order).toEqual(['begin', ...measured, 'end']);
    expect((await linesOf(ask(port, { planes: ['endpoint'] }))).at(-1)).toEqual({ type: 'end' });
    await vi.waitUntil(() => !turn.isTaken);
    expect(logged.filter((line) => line.includes('midway'))).toEqual([]);
  });

  test('the time ends a measurement that has more to send', async () => {
    const { port } = await startAgent();
    const lines = await linesOf(ask(port, { ms: 200, bytes: 10_000_000_000 }));
    const directions = lines.filter(({ type }) => type === 'direction');
    expect(directions).toHaveLength(2);
    for (const line of directions) expect(line).toMatchObject({ endedBy: 'seconds' });
  });

  test('the agent is held while the endpoint alone is measured', async () => {
    const agent = await startAgent();
    await startEnd(endpointIp, agent.port);
    const held: boolean[] = [];
    for await (const { type } of ask(agent.port, { planes: ['endpoint'] })) {
      if (type === 'direction') held.push(agent.turn.isTaken);
    }
    expect(held).toEqual([true, true]);
  });

  test('an endpoint is measured where the agent of its node cannot be reached', async () => {
    const port = await freePort();
    await startEnd(endpointIp, port);
    expect(await lastOf(port, { planes: ['endpoint'] })).toEqual({ type: 'end' });
    const text = 'the agent of c/n2 cannot be reached (connection refused)';
    expect(await lastOf(port)).toEqual(failsWith(text));
  });

  test('without a key both ends must have agreed to that', async () => {
    const { port } = await startAgent({ keys: noKeys, isInsecure: true });
    expect(await lastOf(port, { keys: noKeys })).toEqual({ type: 'end' });
  });
});

describe('who does not take part says why', () => {
  const cases: readonly [string, EndOptions, Asked, string][] = [
    ['another key', {}, { keys: otherKeys }, 'has another mesh key'],
    ['a key there alone', {}, { keys: noKeys }, 'has another mesh key'],
    ['no key there', { keys: noKeys }, {}, 'has no mesh key: give it --mesh-key-file'],
    ['a wrong address', {}, { node: 'c/n3' }, 'is another node: the node list'],
    ['a stranger', {}, { from: 'c/n9' }, 'does not have this node in its node list'],
  ];
  test.each(cases)('%s', async (_, end, asked, text) => {
    const { port, turn } = await startAgent(end);
    const last = await lastOf(port, asked);
    expect(last).toMatchObject({ type: 'error' });
    expect(last?.type === 'error' && last.text).toContain(`of ${asked.node ?? 'c/n2'} ${text}`);
    expect(turn.isTaken).toBe(false);
  });

  test('one that is in another test', async () => {
    const { port, turn } = await startAgent();
    turn.take();
    const text = 'the agent of c/n2 takes part in another throughput test; try again later';
    expect(await lastOf(port)).toEqual(failsWith(text));
    expect(turn.isTaken).toBe(true);
  });

  test('an agent without throughput tests, and what is no agent', async () => {
    const port = await freePort();
    const old = await startResponder({
      addresses: [agentIp],
      port,
      onFailure: (error) => expect.unreachable(String(error)),
    });
    const text = 'the agent of c/n2 knows no throughput tests: it is older, or not of meshprobe';
    expect(await lastOf(port)).toEqual(failsWith(text));
    await old.stop();
    const other = createServer((socket) =>
      socket.on('error', () => undefined).end('SSH-2.0-x\r\n'),
    );
    await listenForTest(other, port, agentIp);
    const words = 'the agent of c/n2 does not answer in HTTP: it is not of meshprobe';
    expect(await lastOf(port)).toEqual(failsWith(words));
  });
});

describe('an end that goes midway', () => {
  test('the test ends on both ends as soon as the one who asked wants it', async () => {
    const { port, turn, logged } = await startAgent();
    const stopping = new AbortController();
    const lines = ask(port, { ms: 30_000, bytes: 1e10, signal: stopping.signal });
    const ended = linesOf(lines);
    await vi.waitUntil(() => turn.isTaken);
    stopping.abort();
    await expect(ended).rejects.toThrow('aborted');
    await vi.waitUntil(() => !turn.isTaken);
    expect(logged.at(-1)).toContain('ended midway');
  });

  test('the other end is closed', async () => {
    const end = await startAgent();
    const ended = lastOf(end.port, { ms: 30_000, bytes: 1e10 });
    await vi.waitUntil(() => end.turn.isTaken);
    await end.stop();
    const last = await ended;
    expect(last).toMatchObject({ type: 'error' });
    expect(last?.type === 'error' && last.text).toMatch(
      /^the agent of c\/n2 (closed the connection|cannot be reached|closed a stream)/,
    );
  });
});

type Act = (link: MessageLink, streams: () => Promise<Socket[]>, control: Socket) => unknown;

/**
 * The other end as it must not be: it opens a session by the protocol, and then does what it likes.
 * @returns its port
 */
async function startBadEnd(act: Act): Promise<number> {
  const port = await freePort();
  let joined: Socket[] = [];
  const responder = await startResponder({
    addresses: [agentIp],
    port,
    onFailure: (error) => expect.unreachable(String(error)),
    answer: createAnswer({
      upgrade: {
        path: '/throughput',
        protocol: 'meshprobe-throughput',
        headerName: throughputHeader,
        answer(header) {
          const request = decodeRequest(header, keys);
          if (typeof request === 'string') return { header: request };
          if ('joining' in request) {
            return { header: '1', takeOver: (socket) => joined.push(socket) };
          }
          const { opening } = request;
          const nonce = createNonce();
          return {
            header: encodeOpened(nonce, opening, keys),
            takeOver(socket) {
              const nonces = [opening.nonce, nonce] as const;
              const link = new MessageLink({ socket, keys, nonces, side: 'asked' });
              const streams = async (): Promise<Socket[]> => {
                joined = [];
                await link.expect('run', 2000);
                link.send('ready', { token: createNonce() });
                await vi.waitUntil(() => joined.length === agreement.streams);
                return joined;
              };
              void act(link, streams, socket);
            },
          };
        },
      },
    }),
  });
  onTestFinished(() => responder.stop());
  return port;
}

const hold = async (link: MessageLink): Promise<void> => {
  await link.expect('hold', 2000);
  link.send('held');
};

/** Takes part in the first measurement as it should. */
async function receiveAll(link: MessageLink, streams: () => Promise<Socket[]>): Promise<void> {
  for (const stream of await streams()) stream.resume();
  link.send('done', { bytes: agreement.bytes, us: 1000 });
  await link.expect('sent', 2000);
}

describe('an end that does not keep to it', () => {
  test.each<[string, string, Act]>([
    [
      'says that it received what it was not sent',
      'says that it received what cannot be',
      async (link, streams) => {
        await hold(link);
        await streams();
        link.send('done', { bytes: 20_000_001, us: 5 });
      },
    ],
    [
      'sends more than was agreed',
      'sent more data than was agreed',
      async (link, streams) => {
        await hold(link);
        await receiveAll(link, streams);
        for (const stream of await streams()) stream.write(Buffer.alloc(10_000_000));
      },
    ],
    [
      'sends nothing',
      'sent no data within 5 s',
      async (link, streams) => {
        await hold(link);
        await receiveAll(link, streams);
        await streams();
      },
    ],
    [
      'closes a stream midway',
      'closed a stream before the measurement was over',
      async (link, streams) => {
        await hold(link);
        await receiveAll(link, streams);
        const [first] = await streams();
        first?.end('some bytes');
      },
    ],
    [
      'answers nothing',
      'did not answer within 5 s',
      (link) => link.next(10_000).catch(() => undefined),
    ],
  ])('%s', async (_, text, act) => {
    const port = await startBadEnd(act);
    expect(await lastOf(port)).toEqual(failsWith(`the agent of c/n2 ${text}`));
  });

  test('goes midway, and a rate of what came at once is none', async () => {
    const port = await startBadEnd(async (link, streams, control) => {
      await hold(link);
      await receiveAll(link, streams);
      for (const stream of await streams()) stream.write(Buffer.alloc(1000));
      control.destroy();
    });
    const lines = await linesOf(ask(port));
    expect(lines[1]).toMatchObject({ type: 'direction', seconds: 0.001, isTooShort: true });
    expect(lines.at(-1)).toEqual(
      failsWith('the agent of c/n2 closed the connection before the test was over'),
    );
  });

  test('sends something else than messages', async () => {
    for (const garbage of [
      '\0\xff\n',
      'x'.repeat(5000),
      '1;type=held\n',
      '1;type=held;mac=AAAA\n',
    ]) {
      const port = await startBadEnd((_, __, control) => control.write(garbage, 'latin1'));
      const last = await lastOf(port);
      expect(last?.type === 'error' && last.text).toMatch(
        /^the agent of c\/n2 sent (something else than messages of a test|a message that the mesh key has not signed)$/,
      );
    }
  });

  test('floods with messages', async () => {
    const port = await startBadEnd((link) => {
      for (let at = 0; at < 100; at++) link.send('held');
    });
    const last = await lastOf(port);
    expect(last?.type === 'error' && last.text).toMatch(/^the agent of c\/n2 .*out of turn/);
  });

  test('sends what was sent to it before: each message is of one side, one number, one session', async () => {
    let heard = '';
    const port = await startBadEnd((link, _, control) => {
      control.once('data', (chunk: Buffer) => {
        heard = chunk.toString('latin1');
        control.write(heard);
      });
      return link.next(2000);
    });
    const last = await lastOf(port);
    expect(heard).toMatch(/^1;type=hold;/);
    const text = 'the agent of c/n2 sent a message that the mesh key has not signed';
    expect(last).toEqual(failsWith(text));
  });
});

const upgradeAt = (port: number, header: string) => upgrade({ ip: agentIp, port }, header, signal);
const newOpening = () => ({ from: 'c/n1', to: 'c/n2', nonce: createNonce() });

/** Opens a session with a real end by hand. */
async function openByHand(port: number, asked: Partial<Opening> = {}): Promise<MessageLink> {
  const opening = { ...newOpening(), ...asked };
  const { socket, header } = await upgradeAt(port, encodeOpening(opening, keys));
  onTestFinished(() => void socket.destroy());
  const nonces = [opening.nonce, decodeOpened(header, opening, keys) ?? ''] as const;
  return new MessageLink({ socket, keys, nonces, side: 'asker' });
}

/** Opens a session by hand that holds the end. */
async function holdByHand(port: number, asked?: Partial<Opening>): Promise<MessageLink> {
  const link = await openByHand(port, asked);
  link.send('hold', agreement);
  await link.expect('held', 2000);
  return link;
}

/** Asks a real end by hand, up to the streams of a measurement. */
async function askByHand(port: number, way: 'to' | 'from', asked?: Partial<Opening>) {
  const link = await holdByHand(port, asked);
  link.send('run', { way });
  const token = (await link.expect('ready', 2000)).fields.get('token') ?? '';
  const join = async (stream: number): Promise<Socket> =>
    (await upgradeAt(port, encodeJoining({ token, stream }, keys))).socket;
  return { link, token, join };
}

describe('an end that is asked by one that does not keep to it', () => {
  const all = [0, 1, 2];

  test('reads no more than was agreed', async () => {
    const { port, turn } = await startAgent();
    const { link, join } = await askByHand(port, 'to');
    const streams = await Promise.all(all.map(join));
    for (const stream of streams) stream.write(Buffer.alloc(10_000_000));
    const told = link.expect('done', 2000);
    await expect(told).rejects.toThrow('says that more data came than was agreed');
    await vi.waitUntil(() => !turn.isTaken);
    await vi.waitUntil(() => streams.every(({ closed }) => closed));
  });

  test('waits for data and for streams for some seconds', { timeout: 20_000 }, async () => {
    const [silent, alone] = [await startAgent(), await startAgent()];
    const [{ link, join }, other] = await Promise.all([
      askByHand(silent.port, 'to'),
      askByHand(alone.port, 'to'),
    ]);
    await Promise.all([...all.map(join), other.join(0)]);
    await Promise.all([
      expect(link.expect('done', 8000)).rejects.toThrow('says that no data came'),
      expect(other.link.expect('done', 8000)).rejects.toThrow('a stream was closed, or never came'),
    ]);
    await vi.waitUntil(() => !silent.turn.isTaken && !alone.turn.isTaken);
  });

  test('takes each stream once, and none that is not of the measurement', async () => {
    const { port } = await startAgent();
    const { join, token } = await askByHand(port, 'from');
    await join(0);
    const refused = 'says that a stream was closed, or never came';
    await expect(join(0)).rejects.toThrow(refused);
    await expect(join(3)).rejects.toThrow(refused);
    const foreign = encodeJoining({ token: createNonce(), stream: 1 }, keys);
    await expect(upgradeAt(port, foreign)).rejects.toThrow(refused);
    const unsigned = encodeJoining({ token, stream: 1 }, otherKeys);
    await expect(upgradeAt(port, unsigned)).rejects.toThrow('has another mesh key');
  });

  test('sends no more than was agreed, also to one who reads all of it', async () => {
    const { port, turn } = await startAgent();
    const { link, join } = await askByHand(port, 'from');
    let bytes = 0;
    const first: Buffer[] = [];
    for (const stream of await Promise.all(all.map(join))) {
      stream.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (first.length < 3) first.push(chunk);
      });
    }
    await vi.waitUntil(() => bytes >= agreement.bytes);
    // A tunnel that compresses must carry all of it.
    const sample = Buffer.concat(first);
    expect(gzipSync(sample).length).toBeGreaterThan(sample.length * 0.9);
    link.send('done', { bytes, us: 1000 });
    const sent = await link.expect('sent', 2000);
    expect([bytes, Number(sent.fields.get('bytes'))]).toEqual([agreement.bytes, agreement.bytes]);
    link.close();
    await vi.waitUntil(() => !turn.isTaken);
  });

  test('takes part in no larger test, and measures each way once', async () => {
    const { port, turn } = await startAgent();
    for (const hold of [
      { ...agreement, ms: 30_001 },
      { ...agreement, bytes: 1e11 },
      { ...agreement, streams: 17 },
      { ms: 1000, bytes: 1e6 },
    ]) {
      const link = await openByHand(port);
      link.send('hold', hold);
      await expect(link.expect('held', 2000)).rejects.toThrow(
        'takes no part in a test of this size',
      );
    }
    const link = await openByHand(port);
    link.send('hold', agreement);
    await link.expect('held', 2000);
    link.send('run', { way: 'sideways' });
    await expect(link.expect('ready', 2000)).rejects.toThrow('does not understand the request');
    await vi.waitUntil(() => !turn.isTaken);
  });

  test('shares its turn with nothing but one more session of the same test', async () => {
    const { port, turn } = await startEnd(agentIp, await freePort(), {
      isPeer: (name) => name !== 'c/n9',
    });
    const ofTest = { test: createNonce() };
    const first = await holdByHand(port, ofTest);
    const busy = 'takes part in another throughput test';
    const others: Partial<Opening>[] = [
      {},
      { test: createNonce() },
      // Who heard the name of the test, and has the key, is still another node.
      { ...ofTest, from: 'c/n3' },
    ];
    for (const other of others) await expect(holdByHand(port, other)).rejects.toThrow(busy);
    const second = await holdByHand(port, ofTest);
    await expect(holdByHand(port, ofTest)).rejects.toThrow(busy);
    first.finish();
    await vi.waitUntil(() => first.closed.aborted);
    await expect(holdByHand(port, ofTest)).rejects.toThrow(busy);
    expect(turn.isTaken).toBe(true);
    second.finish();
    await vi.waitUntil(() => !turn.isTaken);
  });

  test('what was heard of a test does not share its turn: the answer must be signed', async () => {
    const { port, turn } = await startAgent();
    const opening = { ...newOpening(), test: createNonce() };
    const heard = encodeOpening(opening, keys);
    const first = await holdByHand(port, opening);
    const { socket } = await upgradeAt(port, heard);
    const nonces = [opening.nonce, createNonce()] as const;
    const replay = new MessageLink({ socket, keys: otherKeys, nonces, side: 'asker' });
    replay.send('hold', agreement);
    await expect(replay.next(2000)).rejects.toThrow('closed the connection');
    const changed = heard.replace(opening.test, createNonce());
    await expect(upgradeAt(port, changed)).rejects.toThrow('has another mesh key');
    const malformed = encodeOpening({ ...opening, test: 'x' }, keys);
    await expect(upgradeAt(port, malformed)).rejects.toThrow('does not understand the request');
    first.finish();
    await vi.waitUntil(() => !turn.isTaken);
  });

  test('makes one measurement at a time, also of two sessions that share its turn', async () => {
    const { port, turn } = await startAgent();
    const ofTest = { test: createNonce() };
    const { link, join } = await askByHand(port, 'to', ofTest);
    const second = askByHand(port, 'to', ofTest);
    await expect(second).rejects.toThrow('takes part in another throughput test');
    // The first one goes on.
    const streams = await Promise.all(all.map(join));
    streams[0]?.write(Buffer.alloc(agreement.bytes));
    expect((await link.expect('done', 2000)).fields.get('bytes')).toBe(String(agreement.bytes));
    link.close();
    await vi.waitUntil(() => !turn.isTaken);
  });

  test('is open to others again soon if nobody goes on', { timeout: 20_000 }, async () => {
    const { port, turn } = await startAgent();
    // Who heard an opening can send it again. It holds nothing, and is closed.
    const { socket } = await upgradeAt(port, encodeOpening(newOpening(), keys));
    socket.resume();
    const closed = once(socket, 'close');
    expect(turn.isTaken).toBe(false);
    expect(await lastOf(port)).toEqual({ type: 'end' });
    await closed;
  });
});
