import { isIPv6 } from 'node:net';
import type { Logger } from 'pino';
import type { ThroughputAnswer, ThroughputSource } from '../../api/routes/v1/throughput.js';
import type {
  ThroughputLine,
  ThroughputRequest,
  ThroughputTests,
} from '../../api/schema/v1/throughput.js';
import type { Config } from '../config/config.js';
import type { MeshKeys } from '../exchange/messages/mesh-keys.js';
import { SenderCheck } from '../exchange/messages/sender-check.js';
import { TrustedSources } from '../exchange/messages/trusted-sources.js';
import { fullNameOf } from '../model/node-name.js';
import { planes } from '../model/path.js';
import { OneAtATime } from '../path-tests/throughput/one-at-a-time.js';
import { RecentTests } from '../path-tests/throughput/recent-tests.js';
import { testThroughput } from '../path-tests/throughput/throughput-test.js';
import { ThroughputServer } from '../path-tests/throughput/throughput-server.js';
import type { NodeDirectory } from '../peers/node-directory.js';
import { createNonces } from '../platform/nonces.js';
import type { ResultStore } from '../results/result-store.js';
import type { Upgrade } from '../serving/responder/answer.js';
import { refuseUnknownNode } from './refuse-unknown-node.js';
import type { Stops } from './stops.js';
import { kernelWhenNeeded, throughputUpgrade } from './throughput-upgrade.js';

export interface CreateThroughputOptions {
  readonly config: Pick<
    Config,
    'localName' | 'clusterName' | 'probePort' | 'mesh' | 'throughputIsInsecure'
  >;
  readonly logger: Logger;
  readonly keys: MeshKeys;
  readonly directory: NodeDirectory;
  readonly store: Pick<ResultStore, 'paths' | 'snapshot'>;
}

/** Throughput tests, as this agent makes them and takes part in them. */
export interface Throughput {
  readonly start: ThroughputSource;
  readonly tests: () => ThroughputTests;
  /** What the responder answers to other agents. */
  readonly upgrade: Upgrade;
}

const needsKey =
  'a throughput test needs a mesh key: give all agents and endpoints --mesh-key-file (or --throughput-insecure, which lets anyone measure)';

/** Creates both ends of throughput tests. They share one turn, so that no two tests meet in this agent. */
export function createThroughput(options: CreateThroughputOptions, stops: Stops): Throughput {
  const { config, logger, keys, directory } = options;
  const { localName, mesh, throughputIsInsecure: isInsecure } = config;
  const turn = new OneAtATime();
  const recent = new RecentTests();
  const openKernel = kernelWhenNeeded();
  const createNonce = createNonces();
  const sender = new SenderCheck({
    localName,
    directory,
    keys,
    trustedSources: new TrustedSources(mesh?.trustedSources),
    onForeignSource: () => undefined,
  });
  const server = new ThroughputServer({
    keys,
    isInsecure,
    isOwnName: (name) => name === localName,
    isPeer: (name, ip) => sender.isFromPeer(name, ip),
    turn,
    openKernel,
    log: (facts, message) => logger.info(facts, message),
  });
  stops.add(() => server.stop());
  if (isInsecure && !keys.isKeyed) {
    logger.warn('throughput tests are not authenticated: --throughput-insecure, and no mesh key');
  }
  const start: ThroughputSource = (request, signal) => {
    const refused = (why: Refused['refused'], text: string) => ({ refused: why, text });
    if (!keys.isKeyed && !isInsecure) return refused('forbidden', needsKey);
    const found = addressesOf(request, options);
    if ('refused' in found) return found;
    const release = turn.take();
    if (!release) {
      return refused('busy', 'a throughput test is under way here, and one runs at a time');
    }
    const { node, addresses, agentAddress } = found;
    const { seconds, bytes, streams } = request;
    const ownIp = directory
      .hostIps(localName)
      .find((ip) => isIPv6(ip) === isIPv6(agentAddress ?? ''));
    const lines = async function* (): AsyncGenerator<ThroughputLine, void, undefined> {
      yield* testThroughput({
        node,
        addresses,
        agentAddress,
        agreement: { ms: Math.round(seconds * 1000), bytes, streams },
        port: config.probePort,
        // Without a key the source address is what tells a peer from a stranger.
        localAddress: keys.isKeyed ? undefined : ownIp,
        session: { from: localName, keys, createNonce, kernel: await openKernel() },
        signal,
      });
    };
    const kept = recent.keep(lines(), new Date().toISOString());
    return { lines: released(kept, release, signal) };
  };
  return {
    start,
    tests: () => ({ at: new Date().toISOString(), tests: [...recent.tests] }),
    upgrade: throughputUpgrade(server),
  };
}

type Refused = Extract<ThroughputAnswer, { readonly refused: string }>;

/** The addresses to measure. Only those of listed nodes are. */
function addressesOf(
  request: ThroughputRequest,
  { config: { localName, clusterName }, store }: CreateThroughputOptions,
) {
  const node = fullNameOf(request.node, clusterName);
  const bad = (text: string): Refused => ({ refused: 'bad-request', text });
  const paths = store.paths.historyOf(node);
  if (!paths) return refuseUnknownNode(node, store, clusterName);
  if (node === localName) return bad(`${node} is the node of this agent: expected another one`);
  const known = new Map(
    planes.flatMap((plane) => {
      const path = paths.find((one) => one.plane === plane);
      return path ? [[plane, path.view.ip] as const] : [];
    }),
  );
  const agentAddress = known.get('host');
  if (request.plane === 'both') return { node, addresses: known, agentAddress };
  const ip = known.get(request.plane);
  if (ip === undefined) return bad(`${node} has no address on the ${request.plane} plane`);
  return { node, addresses: new Map([[request.plane, ip]]), agentAddress };
}

/** Ends the turn of a test however it ends, also if nobody ever reads it. */
function released(
  lines: AsyncGenerator<ThroughputLine, void, undefined>,
  release: () => void,
  signal: AbortSignal,
): AsyncIterable<ThroughputLine> {
  const onAbort = (): void => void lines.return().then(release, release);
  signal.addEventListener('abort', onAbort, { once: true });
  return {
    [Symbol.asyncIterator]: async function* () {
      try {
        yield* lines;
      } finally {
        signal.removeEventListener('abort', onAbort);
        release();
      }
    },
  };
}
