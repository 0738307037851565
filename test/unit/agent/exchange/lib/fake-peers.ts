import { Exchange } from '../../../../../agent/exchange/exchange.js';
import type { ForeignSource } from '../../../../../agent/exchange/messages/sender-check.js';
import { TrustedSources } from '../../../../../agent/exchange/messages/trusted-sources.js';
import { MeshKeys } from '../../../../../agent/exchange/messages/mesh-keys.js';
import { Peers } from '../../../../../agent/peers/peers.js';
import type { VisitPath } from '../../../../../agent/peers/row/build-row.js';
import type { PathActivity } from '../../../../../agent/exchange/hints/path-rumours.js';
import type { Node } from '../../../../../agent/model/node.js';
import {
  initialState,
  type PathState,
  type Reachability,
} from '../../../../../agent/model/path-state.js';
import type { MedianRtt } from '../../../../../agent/model/median-rtt.js';
import { pathsOf, type Path } from '../../../../../agent/model/path.js';
import type { Protocol } from '../../../../../agent/model/sample.js';
import type { RowTarget } from '../../../../../agent/model/target.js';
import type { Activity } from '../../../../../agent/exchange/hints/hinted-probes.js';
import { Random } from '../../../../fuzz/random.js';
import { VirtualClock } from '../../../../sim/lib/virtual-clock.js';
import type { PathChanges } from '../../../../../agent/peers/node-directory.js';

function addressesOf(index: number): { host: string; endpoint: string } {
  const end = `${index >> 8}.${index & 255}`;
  return { host: `10.1.${end}`, endpoint: `10.2.${end}` };
}

/** What one agent knows of its peers, and its exchange with them. Its probes are only recorded. */
export class FakePeer {
  readonly peers: Peers;
  readonly exchange: Exchange;
  readonly name: string;
  readonly hostIp: string;
  readonly looks: { atMs: number; node: string; protocol: Protocol }[] = [];
  readonly broughtForward: string[] = [];
  /** The nodes of which there was news. */
  readonly news: string[] = [];
  readonly foreignSources: ForeignSource[] = [];
  /** The peers of which a message came, and whether their keys fit. */
  readonly keys: [peer: string, fits: boolean][] = [];
  readonly activities = new Map<string, PathActivity>();
  /** The looks at targets that hints led to. */
  readonly targetLooks: { readonly atMs: number; readonly target: string }[] = [];
  /** What this agent's own probes know of the target `database`. */
  target: Activity = { state: 'reachable', sentMs: -Infinity };
  rowTargets: readonly RowTarget[] = [];
  /** The nodes of which its row says that it does not reach them. */
  readonly unreached = new Set<string>();
  isStarved = false;

  constructor(mesh: FakeMesh, index: number, keys: MeshKeys) {
    this.name = `c/n${index}`;
    this.hostIp = addressesOf(index).host;
    const { clock, random } = mesh;
    const visitPaths = (visit: VisitPath): void => {
      mesh.visitPaths(visit, this.unreached);
    };
    this.peers = new Peers({
      localName: this.name,
      clock,
      isMeshOn: true,
      targets: () => this.rowTargets,
      head: () => ({
        version: '1.2.3',
        httpIntervalMs: mesh.httpIntervalMs,
        httpTimeoutMs: 1000,
        ready: true,
        starved: this.isStarved,
      }),
      paths: {
        visitPrimaryPaths: visitPaths,
        medianRtt: (path) => mesh.medianRtt(path),
        *visitPrimaryPathsInSteps(visit) {
          yield;
          visitPaths(visit);
        },
        *visitFurtherPathsInSteps() {
          // Each node has one address on a plane.
        },
      },
    });
    this.exchange = new Exchange({
      peers: this.peers,
      clock,
      keys,
      random: () => random.next(),
      processId: `p${index}`,
      createNonce: () => 'abcdefghijklmnop',
      isStarved: () => this.isStarved,
      onNews: (node) => void this.news.push(node),
      targets: {
        isKnown: ({ target, digest, server = 0 }) =>
          target === 'database' && digest === 7 && server < 2,
        activity: () => this.target,
        probeSoon: ({ target }) => this.targetLooks.push({ atMs: clock.nowMs(), target }),
        spreadMs: () => mesh.targetSpreadMs,
      },
      trustedSources: new TrustedSources(mesh.trustedSources),
      onForeignSource: (source) => this.foreignSources.push(source),
      onKey: (...key) => this.keys.push(key),
    });
    this.exchange.start({
      activity: ({ node, plane }, protocol) =>
        this.activities.get(`${node} ${plane} ${protocol}`) ?? {
          state: 'reachable',
          sentMs: -Infinity,
          answeredSentMs: -Infinity,
        },
      probeSoon: ({ node }, protocol) => this.looks.push({ atMs: clock.nowMs(), node, protocol }),
      probeNow: ({ node }) => {
        this.broughtForward.push(node);
        mesh.exchangeBetween(this, mesh.peerNamed(node));
      },
    });
  }

  /** Takes a new node list. */
  update(nodes: readonly Node[], changes: PathChanges = { added: [], removed: [] }): void {
    this.peers.update(nodes, changes);
    this.exchange.update();
  }
}

export interface FakeMeshOptions {
  readonly keysOf?: (index: number) => MeshKeys;
  /** The number of listed nodes; by default each one has an agent here. */
  readonly listed?: number;
  readonly trustedSources?: readonly string[];
  /** GETs come when the test says so. Agents that are to miss none of them have a long interval. */
  readonly httpIntervalMs?: number;
}

/** A group of agents that exchange rows when the test says so. */
export class FakeMesh {
  readonly clock = new VirtualClock();
  readonly random = new Random(7);
  readonly nodes: readonly Node[];
  readonly peers: readonly FakePeer[];
  readonly trustedSources: readonly string[];
  readonly httpIntervalMs: number;
  /** Over which time the looks of all agents at one target are spread. */
  targetSpreadMs = 1000;
  readonly #paths: readonly Path[];
  /** The primary paths, one to each node: all of them work, each a little slower than the one before. */
  readonly #primary: readonly { readonly path: Path; readonly known: PathState }[];
  readonly #usualRtts: ReadonlyMap<Path, MedianRtt>;

  constructor(
    count: number,
    {
      keysOf = () => new MeshKeys(),
      listed = count,
      trustedSources = [],
      httpIntervalMs = 5000,
    }: FakeMeshOptions = {},
  ) {
    this.trustedSources = trustedSources;
    this.httpIntervalMs = httpIntervalMs;
    this.nodes = Array.from({ length: listed }, (_, index) => {
      const { host, endpoint } = addressesOf(index);
      return { name: `c/n${index}`, host: [host], endpoint: [endpoint] };
    });
    this.#paths = this.nodes.flatMap(pathsOf);
    this.#primary = this.#paths.flatMap((path, index) =>
      path.plane === 'host'
        ? { path, known: { ...stateOf('reachable'), rttNs: 1000 * (index + 1) } }
        : [],
    );
    // Each last round trip took half of what is usual.
    this.#usualRtts = new Map(
      this.#primary.map(({ path, known: { rttNs = 0 } }, index) => [
        path,
        { rttNs: 2 * rttNs, isOfFew: index === 1 },
      ]),
    );
    this.peers = Array.from(
      { length: count },
      (_, index) => new FakePeer(this, index, keysOf(index)),
    );
    for (const peer of this.peers) peer.update(this.nodes, { added: this.#paths, removed: [] });
  }

  /** All host paths work, but those to some nodes. */
  visitPaths(visit: VisitPath, unreached: ReadonlySet<string>): void {
    for (const [index, { path, known }] of this.#primary.entries()) {
      const state = unreached.has(path.node) ? { ...known, ...lost } : known;
      visit(path, 'icmp', state, index === 1 ? lossy : even);
    }
  }

  medianRtt(path: Path): MedianRtt | undefined {
    return this.#usualRtts.get(path);
  }

  peer(index: number): FakePeer {
    const peer = this.peers[index];
    if (!peer) throw new RangeError(`no peer ${index}`);
    return peer;
  }

  peerNamed(name: string): FakePeer {
    return this.peer(this.nodes.findIndex((node) => node.name === name));
  }

  path(index: number, plane: Path['plane'] = 'host'): Path {
    const path = this.#paths.find((one) => one.node === `c/n${index}` && one.plane === plane);
    if (!path) throw new RangeError(`no path to node ${index}`);
    return path;
  }

  /** Runs one GET and its answer, and returns what came back. */
  exchangeBetween(asker: FakePeer, asked: FakePeer) {
    const index = this.peers.indexOf(asked);
    const question = asker.exchange.ask(this.path(index));
    if (!question) return undefined;
    const reply = asked.exchange.answer(question.header, asker.hostIp);
    question.onAnswer(reply?.header, reply?.body ?? '');
    return reply;
  }

  /** A mesh in which every agent has exchanged once with every other one. */
  static introduced(count: number, options: FakeMeshOptions = {}): FakeMesh {
    const mesh = new FakeMesh(count, options);
    mesh.introduceAll();
    return mesh;
  }

  /** Lets every agent exchange once with every other one. */
  introduceAll(): void {
    for (const asker of this.peers) {
      for (const asked of this.peers) if (asked !== asker) this.exchangeBetween(asker, asked);
    }
  }

  /** Lets one agent exchange once each way with every other one. */
  introduce(peer: FakePeer): void {
    for (const other of this.peers) {
      if (other === peer) continue;
      this.exchangeBetween(peer, other);
      this.exchangeBetween(other, peer);
    }
  }

  /** Reports an agent's own verdict on a node's path. */
  transition(peer: FakePeer, path: Path, protocol: Protocol, to: Reachability): void {
    const before = to === 'unreachable' ? 'reachable' : 'unreachable';
    const activity = { state: to, sentMs: this.clock.nowMs(), answeredSentMs: -Infinity };
    peer.activities.set(`${path.node} ${path.plane} ${protocol}`, activity);
    peer.exchange.witness.noteTransition(path, protocol, stateOf(before), stateOf(to));
  }
}

const lost = { state: 'unreachable' } as const;
const even = { isLossy: false, isSlow: false, lost: 0, sinceMs: undefined };
const lossy = { isLossy: true, isSlow: false, lost: 3, sinceMs: 0 };

export function stateOf(state: Reachability): PathState {
  return { ...initialState(0, 0), state };
}
