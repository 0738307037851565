import { randomBytes } from 'node:crypto';
import type { ExchangeTimes, PeerStamps } from '../model/clock-stamps.js';
import type { Path } from '../model/path.js';
import { refutationOf } from '../model/refutation.js';
import type { Protocol } from '../model/sample.js';
import type { PreparedRow } from '../peers/own-row.js';
import type { Peers } from '../peers/peers.js';
import type { Clock } from '../platform/clock.js';
import { createNonces } from '../platform/nonces.js';
import { ExchangeCounter, type ExchangeCounts } from './exchange-counts.js';
import { Gossip } from './hints/gossip.js';
import type { HintProbing } from './hints/path-rumours.js';
import { Refuter } from './hints/refuter.js';
import { SelfDoubt } from './hints/self-doubt.js';
import { TalkingPeers } from './hints/talking-peers.js';
import type { TargetProbing } from './hints/target-rumours.js';
import { Witness } from './hints/witness.js';
import { Challenges } from './messages/challenges.js';
import type { MeshKeys } from './messages/mesh-keys.js';
import { createPeerAnswerer, type AnswerPeer } from './messages/peer-answerer.js';
import { createPeerAsker, type AskPeer } from './messages/peer-asker.js';
import { SenderCheck, type ForeignSource } from './messages/sender-check.js';
import { TrustedSources } from './messages/trusted-sources.js';
import { RowAsker } from './rows/row-asker.js';
import { SentRow } from './rows/sent-row.js';

/** The part of probing that the exchange uses. */
export interface ExchangeProbing extends HintProbing {
  /** Probes a path now, outside its turn. */
  probeNow(path: Path, protocol: Protocol): void;
}

export interface ExchangeOptions {
  /** What is known of the other agents. The exchange feeds it. */
  readonly peers: Peers;
  readonly clock: Clock;
  readonly keys: MeshKeys;
  /** The process did not get the processor recently, so its failures may be its own fault. */
  readonly isStarved: () => boolean;
  /** Whether large packets to a peer are lost, as this agent tested it; left out, none are. */
  readonly losesLarge?: (peer: string) => boolean;
  /** Called with each node whose paths changed, as this agent saw or newly heard. */
  readonly onNews?: (node: string) => void;
  /** Called with the stamps of each answer that has some: when this host asked, and what the clock of the peer said then. */
  readonly onStamps?: (peer: string, times: ExchangeTimes, stamps: PeerStamps) => void;
  /** How targets are probed; left out, none is. */
  readonly targets?: TargetProbing;
  /** Where messages of any peer may come from, beside the host addresses of its node. */
  readonly trustedSources?: TrustedSources;
  /** Called with each request that is refused because of where it came from. */
  readonly onForeignSource?: (source: ForeignSource) => void;
  /**
   * Called with each listed peer of which a message came, and whether the two believe each other by their keys: `false` where
   * it is refused for its signature, or is signed and this agent has no key to sign with.
   */
  readonly onKey?: (peer: string, fits: boolean) => void;
  /** A number from 0 to below 1. */
  readonly random?: () => number;
  /** Sixteen characters of base64url that no one can guess. */
  readonly createNonce?: () => string;
  /** Tells this process from an earlier one: lower-case letters and digits. */
  readonly processId?: string;
}

/** Exchanges rows and hints with other agents on `GET /hello`. Nothing that is received changes a state. */
export class Exchange {
  readonly ask: AskPeer;
  readonly answer: AnswerPeer;
  /** Takes what this agent sees with its own probes. */
  readonly witness: Witness;
  readonly #peers: Peers;
  readonly #clock: Clock;
  readonly #isStarved: () => boolean;
  readonly #counter = new ExchangeCounter();
  readonly #talking: TalkingPeers;
  readonly #challenges: Challenges;
  readonly #gossip: Gossip;
  readonly #sentRow: SentRow;
  #rowAsker: RowAsker | undefined;
  #refuter: Refuter | undefined;

  constructor(options: ExchangeOptions) {
    const {
      peers,
      clock,
      keys,
      isStarved,
      random = Math.random,
      createNonce = createNonces(),
      processId = randomBytes(6).toString('hex'),
      trustedSources = new TrustedSources(),
      targets = noTargets,
      onForeignSource = nothing,
      onKey = nothing,
      onNews = nothing,
      onStamps = nothing,
      losesLarge = () => false,
    } = options;
    const { localName, directory } = peers;
    const counter = this.#counter;
    const doubt = new SelfDoubt();
    this.#peers = peers;
    this.#clock = clock;
    this.#isStarved = isStarved;
    const challenges = new Challenges({ clock, processId });
    this.#challenges = challenges;
    const talking = new TalkingPeers(random);
    this.#talking = talking;
    const gossip = new Gossip({
      clock,
      random,
      peers,
      talking,
      doubt,
      targets,
      counter,
      onNews,
      askForRowOf: (peer) => this.askForRowOf(peer),
      askForRows: (most) => this.#rowAsker?.ask(most),
    });
    this.#gossip = gossip;
    const sentRow = new SentRow({
      clock,
      processId,
      ownRow: () => this.#ownRow(),
      suspected: () => gossip.targets.suspected(),
    });
    this.#sentRow = sentRow;
    this.witness = new Witness({
      clock,
      random,
      peers,
      doubt,
      gossip,
      isStarved,
      renewRow: () => sentRow.renew(),
      onNews,
    });
    const talk = { clock, keys, peers, challenges, talking, gossip, counter, onKey };
    this.ask = createPeerAsker({
      ...talk,
      createNonce,
      onRow: (row) => this.witness.noteRow(row),
      onStamps,
    });
    this.answer = createPeerAnswerer({
      ...talk,
      sender: new SenderCheck({ localName, directory, keys, trustedSources, onForeignSource }),
      sentRow,
      losesLarge,
      onGet: (peer) => this.#refuter?.noteGet(peer),
    });
  }

  /** Begins to follow and to spread hints, with these probes. Before that, hints are only counted. */
  start(probing: ExchangeProbing): void {
    const clock = this.#clock;
    const { directory, ownRow, observers } = this.#peers;
    const bringForward = (peer: string): void => {
      const path = directory.primaryPath(peer, 'host');
      if (path) probing.probeNow(path, 'http');
    };
    this.#gossip.start(probing, bringForward);
    this.#refuter = new Refuter({
      clock,
      refutation: () => refutationOf(ownRow.prepared.sent.httpIntervalMs, directory.size - 1),
      isStarved: this.#isStarved,
      peers: () => this.#talking.inRandomOrder(),
      bringForward,
    });
    this.#rowAsker = new RowAsker({
      clock,
      confirmed: () => observers.confirmed(),
      isReachable: (peer) => {
        const path = directory.primaryPath(peer, 'host');
        return path !== undefined && probing.activity(path, 'http')?.state === 'reachable';
      },
      ask: bringForward,
    });
  }

  /** Asks some peers for their rows before it is their turn: a finding waits for them. */
  askForRows(): void {
    this.#rowAsker?.ask();
  }

  /** Asks a peer for its row before it is its turn. */
  askForRowOf(peer: string): void {
    this.#rowAsker?.askOne(peer);
  }

  /** What the own row tells has changed: whoever asks next gets it, however new the last row is. */
  renewRow(): void {
    this.#sentRow.renew();
  }

  /** Takes that the peers have taken a new node list. */
  update(): void {
    const { directory } = this.#peers;
    const isListed = (name: string): boolean => directory.get(name) !== undefined;
    for (const part of [this.witness, this.#gossip, this.#talking, this.#challenges])
      part.retain(isListed);
  }

  counts(): ExchangeCounts {
    return this.#counter.counts();
  }

  stop(): void {
    this.#gossip.stop();
    this.witness.stop();
    this.#rowAsker?.stop();
    this.#refuter?.stop();
  }

  /** The own row, as recent as it can be had. It tells how this agent refutes as long as it can do so once more. */
  #ownRow(): PreparedRow {
    const prepared = this.#peers.ownRow.latest();
    const refutation = this.#refuter?.left();
    return refutation ? { ...prepared, sent: { ...prepared.sent, refutation } } : prepared;
  }
}

const nothing = (): void => undefined;

const noTargets: TargetProbing = {
  isKnown: () => false,
  activity: () => undefined,
  probeSoon: () => undefined,
  spreadMs: () => Infinity,
};
