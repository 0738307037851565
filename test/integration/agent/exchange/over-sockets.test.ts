import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Exchange } from '../../../../agent/exchange/exchange.js';
import { MeshKeys } from '../../../../agent/exchange/messages/mesh-keys.js';
import { exchangeHeader } from '../../../../agent/model/hello-headers.js';
import { nameHash } from '../../../../agent/model/name-hash.js';
import { pathsOf } from '../../../../agent/model/path.js';
import { listOf } from '../../../../agent/model/row-coverage.js';
import type { Sample } from '../../../../agent/model/sample.js';
import { Peers } from '../../../../agent/peers/peers.js';
import { systemClock } from '../../../../agent/platform/clock.js';
import { monitorEventLoop } from '../../../../agent/platform/event-loop.js';
import { createHttpProber } from '../../../../agent/probing/http/http-prober.js';
import { createAnswer } from '../../../../agent/serving/responder/answer.js';
import { startResponder } from '../../../../agent/serving/responder/responder.js';
import { ResultStore } from '../../../../agent/results/result-store.js';

// By default, the kernel uses the source address 127.0.0.1 between two loopback addresses.
const nodes = ['127.0.3.1', '127.0.3.2'].map((ip, index) => ({
  name: `c/n${index}`,
  host: [ip],
  endpoint: [],
}));
const thresholds = { failures: 3, recovery: 2 };

/**
 * The exchanges of two agents. The first one asks with a real prober, the second one answers with a
 * real responder.
 */
async function startPair(keys: readonly [MeshKeys, MeshKeys] = [new MeshKeys(), new MeshKeys()]) {
  const paths = nodes.flatMap(pathsOf);
  const agents = nodes.map(({ name }, index) => {
    const peers = new Peers({
      localName: name,
      clock: systemClock,
      isMeshOn: true,
      paths: new ResultStore({ thresholds: { icmp: thresholds, http: thresholds } }).paths,
      head: () => ({
        version: '1.2.3',
        httpIntervalMs: 5000,
        httpTimeoutMs: 1000,
        ready: true,
        starved: false,
      }),
    });
    const exchange = new Exchange({
      peers,
      clock: systemClock,
      keys: keys[index] ?? new MeshKeys(),
      isStarved: () => false,
    });
    peers.update(nodes, { added: paths, removed: [] });
    exchange.start({
      activity: () => undefined,
      probeSoon: () => undefined,
      probeNow: () => undefined,
    });
    onTestFinished(() => exchange.stop());
    return { peers, exchange };
  });
  const [asker, asked] = agents as [(typeof agents)[0], (typeof agents)[0]];
  const responder = await startResponder({
    addresses: [nodes[1]?.host[0] ?? ''],
    port: 0,
    onFailure: () => undefined,
    answer: createAnswer({
      carried: {
        [exchangeHeader]: (header, remoteAddress) => asked.exchange.answer(header, remoteAddress),
      },
    }),
  });
  onTestFinished(() => responder.stop());
  const port = responder.addresses[0]?.port ?? 0;
  const eventLoop = monitorEventLoop();
  const prober = createHttpProber({
    port,
    eventLoop,
    readTcpInfo: () => undefined,
    createPiggyback: (path) => asker.exchange.ask(path),
  });
  onTestFinished(() => {
    prober.close();
    eventLoop.stop();
  });
  const target = paths[1];
  if (!target) throw new Error('no path to ask');
  const probe = () => new Promise<Sample>((resolve) => prober.probe(target, 5000, resolve));
  return { asker, asked, probe, port };
}

/** The bytes of an answer without its date. */
async function answerTo(port: number, request: string): Promise<string> {
  const socket = connect(port, nodes[1]?.host[0] ?? '');
  onTestFinished(() => void socket.destroy());
  socket.write(request);
  let text = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => (text += chunk));
  await once(socket, 'close');
  return text.replace(/Date: [^\r]+/, 'Date: now');
}

const plain = 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\nDate: now\r\nConnection: close\r\n\r\n';
const header = 'meshprobe-exchange: 1;from=c/n0;to=c/n1;nonce=abcdefghijklmnop';

describe('GET /hello between agents', () => {
  test.each([
    ['without a key', 1, new MeshKeys(), new MeshKeys()],
    [
      'with a key',
      2,
      new MeshKeys(['a secret of all agents']),
      new MeshKeys(['a secret of all agents']),
    ],
  ])(
    'is a probe that brings the row of the peer, %s, and counts as heard from number %i on',
    async (_, heardFrom, ...keys) => {
      const { asker, asked, probe } = await startPair(keys);
      expect(await probe()).toMatchObject({ outcome: 'reply' });
      expect(asker.peers.counts()).toMatchObject({ fresh: 1, silent: 0 });
      const list = listOf(nodes.map(({ name }) => nameHash(name)));
      expect([...asker.peers.rows()][0]?.row).toMatchObject({ observer: 'c/n1', list, paths: [] });
      const heardMs = () => asked.peers.observers.getMs('c/n0');
      for (let number = 1; number < heardFrom; number++) {
        expect(heardMs()).toBeUndefined();
        await probe();
      }
      expect(heardMs()).toBeDefined();
    },
  );

  test('is a good probe if the keys differ, but brings no row', async () => {
    const { asker, probe } = await startPair([
      new MeshKeys(['a secret of some agents']),
      new MeshKeys(),
    ]);
    expect(await probe()).toMatchObject({ outcome: 'reply' });
    expect(asker.peers.counts()).toMatchObject({ fresh: 0, silent: 1 });
  });

  test.each([
    ['has no such header', 'GET /hello HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['comes from an address of no node', `GET /hello HTTP/1.1\r\nHost: x\r\n${header}\r\n\r\n`],
    ['has a header that is malformed', 'GET /hello HTTP/1.1\r\nmeshprobe-exchange: x\r\n\r\n'],
    ['is a HEAD', `HEAD /hello HTTP/1.1\r\nHost: x\r\n${header}\r\n\r\n`],
    ['is one of HTTP/1.0', 'GET /hello HTTP/1.0\r\n\r\n'],
  ])('is answered byte for byte as by version 0.1.0 where it %s', async (_, request) => {
    const { port } = await startPair();
    expect(await answerTo(port, request)).toBe(plain);
  });
});
