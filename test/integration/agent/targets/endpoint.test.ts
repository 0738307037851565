import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { readResponderFlags } from '../../../../agent/commands/responder-flags.js';
import { MeshKeys } from '../../../../agent/exchange/messages/mesh-keys.js';
import { nodeHeader } from '../../../../agent/model/hello-headers.js';
import type { Path } from '../../../../agent/model/path.js';
import type { Sample } from '../../../../agent/model/sample.js';
import type { Target } from '../../../../agent/model/target.js';
import { systemClock } from '../../../../agent/platform/clock.js';
import { monitorEventLoop } from '../../../../agent/platform/event-loop.js';
import { createHttpProber } from '../../../../agent/probing/http/http-prober.js';
import { createAnswer } from '../../../../agent/serving/responder/answer.js';
import { startResponder } from '../../../../agent/serving/responder/responder.js';
import { startEndpointTargets } from '../../../../agent/start/start-endpoint-targets.js';
import { readTargets } from '../../../../agent/targets/definition/read-targets.js';
import { EndpointPlane } from '../../../../agent/targets/endpoint/endpoint-plane.js';
import { newFolder } from '../../../resources/folder.js';
import { listen } from '../../../resources/listen.js';
import { createTcpProber } from './lib/tcp-prober.js';

const host = '127.0.0.1';
const key = 'a key of the whole mesh';
const polling = { timeout: 40_000, interval: 50 };

let folder: string;
beforeEach(() => (folder = newFolder()));

/** Something that lives on a port of its own, and can die and come back there. */
async function createDatabase() {
  let server: Server;
  const start = (at = 0): Promise<number> => {
    server = createServer((socket) => socket.end());
    return listen(server, at, host);
  };
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()));
  const port = await start();
  onTestFinished(close);
  return { port, die: close, comeBack: () => start(port) };
}

function writeFile(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

/** A responder as `meshprobe-agent responder` runs it, with a prober of this test. */
async function startEndpoint(...argv: string[]): Promise<number> {
  const flags = readResponderFlags(argv, {});
  const silent = { info: () => undefined, warn: () => undefined, debug: () => undefined };
  const targets = await startEndpointTargets({
    flags,
    environment: {},
    createProber: createTcpProber,
    log: silent,
  });
  onTestFinished(() => targets.stop());
  const responder = await startResponder({
    addresses: [host],
    port: 0,
    onFailure: () => undefined,
    answer: createAnswer({ nodeName: flags.nodeName, carried: targets.carried }),
  });
  onTestFinished(() => responder.stop());
  return responder.addresses[0]?.port ?? 0;
}

/** The part of an agent that asks the endpoint of its node. */
async function startAsking(port: number, file: string, { keys = new MeshKeys(), nodes = 1 } = {}) {
  const eventLoop = monitorEventLoop();
  onTestFinished(() => eventLoop.stop());
  const path: Path = { node: 'c/n1', plane: 'endpoint', ip: host };
  const samples: Sample[] = [];
  const endpoint = new EndpointPlane({
    localName: 'c/n1',
    clock: systemClock,
    keys,
    nodes: () => nodes,
    askNow: () => {
      prober.probe(path, 1000, (sample) => samples.push(sample));
      return undefined;
    },
  });
  const prober = createHttpProber({
    port,
    eventLoop,
    readTcpInfo: () => undefined,
    createPiggyback: () => endpoint.ask(),
  });
  onTestFinished(() => prober.close());
  onTestFinished(() => endpoint.stop());
  endpoint.start();
  const [target] = await readTargets({
    kind: 'none',
    inline: [],
    file,
    budgetPerSecond: 50,
    pod: {
      environment: {},
      serviceAccount: '',
      clusterDns: [],
      clusterDomain: undefined,
      resolvConf: '',
    },
  });
  return { endpoint, samples, target: target as Target };
}

const targetsFile = (port: number) =>
  writeFile(
    'targets.json',
    JSON.stringify({ targets: [{ name: 'database', tcp: `${host}:${port}`, interval: '1s' }] }),
  );

const givesNone =
  'the endpoint of this node gives no results to this agent; where the agent itself answers there, targets take from: host';
const unknownBecause = ({ endpoint, target }: Awaited<ReturnType<typeof startAsking>>) =>
  endpoint.view(target).unknownBecause;

describe('the results of an endpoint', () => {
  test('come with the answer to the GET of its own agent: a target dies and comes back', async () => {
    const database = await createDatabase();
    const file = targetsFile(database.port);
    const port = await startEndpoint('--targets-file', file, '--node-name', 'n1');
    const { endpoint, samples, target } = await startAsking(port, file);
    const transitions: string[] = [];
    endpoint.onTransition(({ plane, after }) => transitions.push(`${plane} ${after.state}`));
    await vi.waitFor(() => expect(endpoint.row(target)?.state).toBe('reachable'), polling);
    expect(endpoint.view(target)).toMatchObject({
      plane: 'endpoint',
      unknownBecause: undefined,
      state: { state: 'reachable' },
      answer: { answeredBy: 'größe' },
    });
    expect(endpoint.row(target)?.p50Ns).toBeGreaterThan(0);
    await database.die();
    await vi.waitFor(() => expect(endpoint.row(target)?.state).toBe('unreachable'), polling);
    expect(endpoint.row(target)).toMatchObject({ failure: 'refused', digest: target.digest });
    expect(endpoint.view(target).state.failure).toContain('ECONNREFUSED');
    await database.comeBack();
    await vi.waitFor(() => expect(endpoint.row(target)?.state).toBe('reachable'), polling);
    expect(transitions).toEqual([
      ...(transitions.length > 2 ? ['endpoint reachable'] : []),
      'endpoint unreachable',
      'endpoint reachable',
    ]);
    // What it carries is no part of the probe.
    expect(samples.every(({ outcome }) => outcome === 'reply')).toBe(true);
  }, 60_000);

  test('come signed where there is a key, and not without it', async () => {
    const database = await createDatabase();
    const file = targetsFile(database.port);
    const keyFile = writeFile('key', key);
    const args = ['--targets-file', file, '--node-name', 'c/n1', '--mesh-key-file', keyFile];
    const port = await startEndpoint(...args);
    const keyed = await startAsking(port, file, { keys: new MeshKeys([key]) });
    const stranger = await startAsking(port, file);
    const state = () => keyed.endpoint.row(keyed.target)?.state;
    await vi.waitFor(() => expect(state()).toBe('reachable'), polling);
    await vi.waitFor(() => expect(unknownBecause(stranger)).toBe(givesNone), polling);
    expect(stranger.endpoint.row(stranger.target)).toBeUndefined();
  }, 60_000);

  test('are not given to the agent of another node, and who asks is told the node', async () => {
    const database = await createDatabase();
    const file = targetsFile(database.port);
    const port = await startEndpoint('--targets-file', file, '--node-name', 'c/n2');
    const asker = await startAsking(port, file);
    await vi.waitFor(() => expect(unknownBecause(asker)).toBe(givesNone), polling);
    const asking = { headers: { [nodeHeader]: '?' } };
    const answer = await fetch(`http://${host}:${port}/hello`, asking);
    expect(answer.headers.get(nodeHeader)).toBe('c/n2');
    const plain = await fetch(`http://${host}:${port}/hello`);
    expect(plain.headers.get(nodeHeader)).toBeNull();
    const missing = await fetch(`http://${host}:${port}/other`, asking);
    expect([missing.status, missing.headers.get(nodeHeader)]).toEqual([404, null]);
  }, 60_000);
});
