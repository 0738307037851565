import { randomBytes } from 'node:crypto';
import { isIPv6 } from 'node:net';
import type { ExchangeTimes, PeerStamps } from '../model/clock-stamps.js';
import { exchangeHeader } from '../model/hello-headers.js';
import { refutationOf } from '../model/refutation.js';
import { freshForMs } from '../model/row.js';
import type { PathState } from '../model/path-state.js';
import { isSigned } from '../model/signed-fields.js';
import { channels } from '../model/channel.js';
import type { Path, Plane } from '../model/path.js';
import { protocols, type Protocol, type Sample } from '../model/sample.js';
import type { Clock } from '../platform/clock.js';
import { createNonces } from '../platform/nonces.js';
import { ExchangeCounter, type ExchangeCounts } from './exchange-counts.js';
import { createPathRumours, type HintProbing } from './hints/path-rumours.js';
import type { Rumour, Rumours } from './hints/rumours.js';
import type { Hint, HintChange, HintSubject } from './hints/hint.js';
import { Challenges } from './messages/challenges.js';
import type { MeshKeys } from './messages/mesh-keys.js';
import {
  decodeAnswer,
  decodeRequest,
  encodeAnswer,
  encodeRequest,
  type ExchangeRequest,
  type Refusal,
} from './messages/message.js';
import { decodeAnswerBody, encodeAnswerBody } from './messages/answer-body.js';
import { SenderCheck, type ForeignSource } from './messages/sender-check.js';
import { TrustedSources } from './messages/trusted-sources.js';
import type { HintUse } from './hints/looks.js';
import { TalkingPeers } from './hints/talking-peers.js';
import { LoneWitness } from './hints/lone-witness.js';
import { OtherEnd } from './hints/other-end.js';
import { NewsSpreader } from './hints/news-spreader.js';
import { Refuter } from './hints/refuter.js';
import type { PathChanges } from '../peers/node-directory.js';
import type { PreparedRow } from '../peers/own-row.js';
import type { Peers } from '../peers/peers.js';
import { RowAsker } from './rows/row-asker.js';
import { SentRow } from './rows/sent-row.js';
import { SelfDoubt } from './hints/self-doubt.js';
import type { TargetHint, TargetSubject } from './hints/target-hint.js';
import { TargetRumours, type TargetProbing } from './hints/target-rumours.js';

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

/** What a GET to a peer carries. */
export interface OutgoingExchange {
  /** The name of the header, in the request and in the answer. */
  readonly name: string;
  readonly header: string;
  /** The own address to send it from; undefined: the kernel chooses. */
  readonly localAddress: string | undefined;
  /** Takes the header of the answer, if there was one, its body, and when it was asked for and came, where that is known. */
  onAnswer(header: string | undefined, body: string, times?: ExchangeTimes): void;
}

/** What the answer to a peer's GET carries. */
export interface ExchangeReply {
  readonly header: string;
  readonly body: string;
}

/** Only peers that were heard within this time are brought news. */
const talksForMs = 600_000;

/** A challenge holds for so long at the least. Else it holds for as long as a row is fresh: until the next request but one. */
const leastProofMs = 60_000;

/**
 * Exchanges rows and hints with other agents on `GET /hello`. Only messages from agents of listed
 * nodes are accepted, and nothing that is received changes a state.
 */
export class Exchange {
  readonly #options: Required<ExchangeOptions>;
  readonly #paths: Rumours<HintSubject, Hint>;
  readonly #targets: TargetRumours;
  readonly #peers: Peers;
  readonly #localName: string;
  readonly #doubt = new SelfDoubt();
  readonly #sentRow: SentRow;
  readonly #counter = new ExchangeCounter();
  #probing: HintProbing | undefined;
  #spreader: NewsSpreader | undefined;
  #rowAsker: RowAsker | undefined;
  readonly #lone: LoneWitness;
  readonly #otherEnd: OtherEnd;
  #refuter: Refuter | undefined;
  readonly #talking: TalkingPeers;
  readonly #sender: SenderCheck;
  readonly #challenges: Challenges;

  constructor(options: ExchangeOptions) {
    this.#options = {
      random: Math.random,
      createNonce: createNonces(),
      processId: randomBytes(6).toString('hex'),
      trustedSources: new TrustedSources(),
      onForeignSource: () => undefined,
      onKey: () => undefined,
      targets: noTargets,
      losesLarge: () => false,
      onNews: () => undefined,
      onStamps: () => undefined,
      ...options,
    };
    const { peers, clock, processId } = this.#options;
    this.#peers = peers;
    this.#localName = peers.localName;
    this.#challenges = new Challenges({ clock, processId });
    this.#talking = new TalkingPeers(this.#options.random);
    this.#sender = new SenderCheck({
      localName: this.#localName,
      directory: peers.directory,
      keys: this.#options.keys,
      trustedSources: this.#options.trustedSources,
      onForeignSource: this.#options.onForeignSource,
    });
    const spreading = {
      localName: this.#localName,
      clock,
      random: this.#options.random,
      onUse: (use: HintUse): void => {
        this.#counter.hintUse[use]++;
      },
    };
    this.#paths = createPathRumours({
      ...spreading,
      directory: peers.directory,
      probing: () => this.#probing,
    });
    this.#lone = new LoneWitness({
      clock,
      isSeenByOthers: (node) => this.#isSeenByOthers(node),
      call: () => this.#call(),
      lookAgain: (subject) => this.#paths.lookNow(subject, 'recovery'),
      random: this.#options.random,
      nodes: () => peers.directory.size,
      failingNodes: () => this.#failingNodes(),
    });
    this.#otherEnd = new OtherEnd({
      localName: this.#localName,
      look: (subject) => this.#paths.lookNow(subject, 'failure'),
      onTelling: (peer) => this.#lone.noteOtherEnd(peer),
    });
    this.#targets = new TargetRumours({
      ...spreading,
      probing: this.#options.targets,
      nodes: () => peers.directory.size,
      isListed: (node) => peers.directory.get(node) !== undefined,
      askWitness: (node) => this.#rowAsker?.askOne(node),
      askForRows: (most) => this.#rowAsker?.ask(most),
    });
    this.#sentRow = new SentRow({
      clock,
      processId,
      ownRow: () => this.#ownRow(),
      doubts: () => this.#targets.doubts(),
    });
  }

  /** Begins to follow and to spread hints, with these probes. Before that, hints are only counted. */
  start(probing: ExchangeProbing): void {
    const { clock } = this.#options;
    const { directory } = this.#peers;
    this.#probing = probing;
    const bringForward = (peer: string): void => {
      const path = directory.primaryPath(peer, 'host');
      if (path) probing.probeNow(path, 'http');
    };
    this.#spreader = new NewsSpreader({
      clock,
      nextPeer: () => this.#peerWithoutNews(),
      bringForward,
    });
    this.#refuter = new Refuter({
      clock,
      refutation: () =>
        refutationOf(this.#peers.ownRow.prepared.sent.httpIntervalMs, directory.size - 1),
      isStarved: this.#options.isStarved,
      peers: () => this.#talking.inRandomOrder(),
      bringForward,
    });
    this.#rowAsker = new RowAsker({
      clock,
      confirmed: () => this.#peers.observers.confirmed(),
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

  /** Takes a new node list, which the peers have taken, and which of the paths came and went. */
  update({ removed }: PathChanges): void {
    const { directory } = this.#peers;
    const isListed = (name: string): boolean => directory.get(name) !== undefined;
    for (const path of removed) {
      this.#doubt.forget(path);
      const { node, plane } = path;
      if (isListed(node))
        for (const protocol of protocols) this.#lone.noteEnd({ node, plane, protocol });
    }
    this.#paths.retain(({ node }) => isListed(node));
    this.#talking.retain(isListed);
    this.#lone.retain(isListed);
    this.#otherEnd.retain(isListed);
    this.#challenges.retain(isListed);
  }

  /** Takes the result of a probe of this agent. */
  noteSample(path: Path, protocol: Protocol, sample: Sample): void {
    if (path.node === this.#localName || sample.outcome === 'not-sent') return;
    const failed = sample.outcome === 'failure';
    if (failed && sample.tainted === true) return;
    this.#doubt.note(path, protocol, failed);
    if (path.plane !== 'host' || (failed && this.#options.isStarved())) return;
    this.#lone.noteUnanswered(this.#doubt.isUnanswered(this.#peers.directory.size - 1));
  }

  /**
   * Takes a changed state of an active node's path. Peers are told if it became unreachable or
   * reachable again.
   */
  noteTransition(path: Path, protocol: Protocol, before: PathState, after: PathState): void {
    const change = changeBetween(before, after);
    const { isStarved } = this.#options;
    const { node, plane } = path;
    if (!change || node === this.#localName || !this.#peers.directory.isPrimary(path)) return;
    // An answer is one, whatever is doubtful: only failures may be this agent's own fault.
    if (change === 'recovery') this.#lone.noteEnd({ node, plane, protocol });
    if (this.#doubt.isDoubtful(plane, protocol) || isStarved()) return;
    // What this agent told itself before does not count: it may have been starved when it reached the node in between.
    const told = this.#paths.find({ node, plane, protocol }, change);
    const isFirst = !this.#isWitnessed(told);
    this.#paths.witness({ node, plane, protocol }, change);
    if (isFirst && change === 'failure')
      this.#lone.noteFailure({ node, plane, protocol }, this.#otherEnd.isTelling(node));
    this.#options.onNews(node);
    this.#spreader?.start();
  }

  /** Takes a suspicion: the same node's path on the other plane is then probed too. */
  noteSuspicion(path: Path, protocol: Protocol, change: HintChange): void {
    const plane: Plane = path.plane === 'host' ? 'endpoint' : 'host';
    if (this.#doubt.isDoubtful(plane, protocol)) return;
    this.#paths.lookNow({ node: path.node, plane, protocol }, change);
  }

  /** Takes a changed state of a target. Peers are told if it became unreachable or reachable again. */
  noteTarget({ target, digest, plane }: TargetSubject, before: PathState, after: PathState): void {
    const change = changeBetween(before, after);
    if (change) this.#noteTargetChange({ target, digest, plane }, change);
  }

  /** Takes that one DNS server of a target fails or answers again, while the target as a whole is well. */
  noteTargetServer({ change, ...subject }: TargetSubject & { readonly change: HintChange }): void {
    this.#noteTargetChange(subject, change);
  }

  #noteTargetChange(subject: TargetSubject, change: HintChange): void {
    this.#sentRow.renew();
    if (this.#options.isStarved()) return;
    // Where echoes are dropped everywhere, targets are reached all the same.
    if (this.#doubt.isDoubtful(subject.plane, 'http')) return;
    if (this.#targets.rumours.witness(subject, change)) this.#spreader?.start();
  }

  /** Whether another node lately told that a target changed in the same way. */
  isTargetSeenByOthers(subject: TargetSubject, before: PathState, after: PathState): boolean {
    const change = changeBetween(before, after);
    return change !== undefined && this.#targets.isSeenByOthers(subject, change);
  }

  /** What a GET to that path carries; undefined if no agent answers there. */
  ask(path: Path): OutgoingExchange | undefined {
    const { createNonce, keys } = this.#options;
    const from = this.#localName;
    const to = path.node;
    if (path.plane !== 'host' || to === from || !this.#peers.directory.get(to)) return undefined;
    const request: ExchangeRequest = {
      from,
      to,
      ...(this.#talking.has(to) ? this.#takeHints(to) : noHints),
      nonce: createNonce(),
      proof: keys.isKeyed ? this.#challenges.prove(to) : undefined,
      rowTag: this.#peers.observers.tagOf(to),
      wholeRow: this.#talking.has(to) ? this.#peers.wholeRows.want(to) : undefined,
    };
    return {
      name: exchangeHeader,
      header: encodeRequest(request, keys),
      localAddress: this.#loopbackAddressFor(path.ip),
      onAnswer: (header, body, times) => this.#onAnswer(request, header, body, times),
    };
  }

  /**
   * Takes a peer's GET and returns what the answer carries. Undefined if it is to be answered like
   * any GET.
   * @param sourceIp where it came from. Without a key it must be a host address of the node that the
   * GET names, or a trusted one
   */
  answer(header: string, sourceIp: string): ExchangeReply | undefined {
    const { keys, clock, onKey } = this.#options;
    const [receivedMs, cameMs] = [clock.wallMs(), clock.nowMs()];
    // Without a node list no peer can be told from a stranger.
    if (this.#peers.directory.size === 0) return undefined;
    const request = decodeRequest(header, keys);
    if (!request) return undefined;
    if ('refused' in request) {
      this.#refuse(request.refused);
      const sender = this.#sender.nodeAt(sourceIp);
      if (request.refused === 'unauthenticated' && sender !== undefined) onKey(sender, false);
      return undefined;
    }
    const { from, to } = request;
    if (!this.#sender.isFromPeer(from, sourceIp) || to !== this.#localName) {
      this.#refuse('source');
      return undefined;
    }
    this.#counter.messagesReceived++;
    onKey(from, keys.isKeyed || !isSigned(header));
    const isNew = this.#isNew(request);
    if (isNew) {
      this.#peers.observers.noteGet(from, clock.nowMs());
      this.#refuter?.noteGet(from);
    }
    // Whoever recorded a request may send it again from anywhere: that gets a challenge, and nothing else.
    const isAnswered = isNew || this.#sender.isFromItsAddress(from, sourceIp);
    if (isAnswered) {
      this.#talking.note(from);
      this.#hear(request.hints, request.targetHints, from);
    }
    const { tag, body } = this.#rowFor(request, isAnswered);
    const answer = {
      rowTag: tag,
      challenge: keys.isKeyed ? this.#challenges.issue() : undefined,
      ...(isAnswered ? this.#takeHints(from) : noHints),
      stamps: { receivedMs, heldMs: clock.nowMs() - cameMs },
    };
    return { header: encodeAnswer(answer, body, request, keys), body };
  }

  /** Whether a request was not sent before. Without a key its source address is all that tells. */
  #isNew({ from, proof }: ExchangeRequest): boolean {
    if (!this.#options.keys.isKeyed) return true;
    const holdsMs = freshForMs(this.#peers.ownRow.prepared.sent);
    return this.#challenges.accepts(from, proof, Math.max(holdsMs, leastProofMs));
  }

  /** The tag of the own row, and the body with what of it the asker lacks. */
  #rowFor({ from, rowTag, wholeRow }: ExchangeRequest, isAnswered: boolean) {
    const isSmall = this.#options.losesLarge(from);
    const row = isSmall ? this.#sentRow.currentSmall() : this.#sentRow.current();
    if (!isAnswered) return { tag: row.tag, body: '' };
    const whole =
      wholeRow === undefined || isSmall ? undefined : this.#peers.wholeRows.answer(wholeRow);
    const isKnown = row.tag === rowTag;
    return { tag: row.tag, body: encodeAnswerBody(isKnown ? undefined : row, whole) };
  }

  /** The own row, as recent as it can be had. It tells how this agent refutes as long as it can do so once more. */
  #ownRow(): PreparedRow {
    const prepared = this.#peers.ownRow.latest();
    const refutation = this.#refuter?.left();
    return refutation ? { ...prepared, sent: { ...prepared.sent, refutation } } : prepared;
  }

  counts(): ExchangeCounts {
    return this.#counter.counts();
  }

  stop(): void {
    this.#paths.stop();
    this.#lone.stop();
    this.#targets.stop();
    this.#spreader?.stop();
    this.#rowAsker?.stop();
    this.#refuter?.stop();
  }

  #onAnswer(
    request: ExchangeRequest,
    header: string | undefined,
    body: string,
    times: ExchangeTimes | undefined,
  ): void {
    const { keys, clock, onKey } = this.#options;
    const peer = request.to;
    if (header === undefined) {
      this.#peers.observers.notePlainAnswer(peer, clock.nowMs());
      return;
    }
    // The peer may have left the list since it was asked.
    if (!this.#peers.directory.get(peer)) return;
    const answer = decodeAnswer(header, body, request, keys);
    if (!answer) return;
    if ('refused' in answer) {
      this.#refuse(answer.refused);
      if (answer.refused === 'unauthenticated') onKey(peer, false);
      return;
    }
    const nowMs = clock.nowMs();
    const told = decodeAnswerBody(body);
    const row = told?.row === undefined ? undefined : this.#peers.observers.read(peer, told.row);
    const { wholeRow } = request;
    if (
      !told ||
      (told.row !== undefined && !row) ||
      (told.whole !== undefined && !this.#peers.wholeRows.keep(peer, wholeRow, told.whole))
    ) {
      this.#refuse('malformed');
      return;
    }
    this.#counter.messagesReceived++;
    this.#talking.note(peer);
    if (answer.challenge !== undefined) this.#challenges.keep(peer, answer.challenge);
    this.#peers.observers.noteAnswer(peer, nowMs);
    if (times && answer.stamps) this.#options.onStamps(peer, times, answer.stamps);
    if (row) {
      this.#counter.rowsReceived++;
      this.#peers.observers.keep(row, answer.rowTag, told.ageMs, nowMs);
      this.#otherEnd.noteRow(row);
    } else this.#peers.observers.confirm(peer, answer.rowTag, nowMs);
    this.#hear(answer.hints, answer.targetHints, peer);
  }

  /** Whether a peer told that it saw a path to a node fail. */
  #isSeenByOthers(node: string): boolean {
    return channels.some(({ plane, protocol }) => {
      return this.#isWitnessed(this.#paths.find({ node, plane, protocol }, 'failure'));
    });
  }

  /** Whether another agent saw a change itself. A node that calls says nothing of its paths. */
  #isWitnessed(told: Rumour<HintSubject> | undefined): boolean {
    if (!told) return false;
    const isOther = (name: string): boolean =>
      name !== this.#localName && name !== told.subject.node;
    return [...told.witnesses].some(isOther);
  }

  /** Of how many other nodes hints tell that paths to them fail, or that they call. */
  #failingNodes(): number {
    const told = this.#paths
      .ofChange('failure')
      .filter(({ witnesses }) => witnesses.size !== 1 || !witnesses.has(this.#localName));
    return new Set(told.map(({ subject }) => subject.node)).size;
  }

  /** Asks all peers to look at this agent. A hint about its own sender says nothing of its paths; who looks gets its row. */
  #call(): void {
    this.#sentRow.renew();
    this.#paths.witness({ node: this.#localName, plane: 'host', protocol: 'http' }, 'failure');
    this.#spreader?.start();
  }

  #hear(hints: readonly Hint[], targetHints: readonly TargetHint[], from: string): void {
    this.#counter.hintsReceived += hints.length + targetHints.length;
    let hasNews = this.#targets.hear(targetHints, from);
    for (const hint of hints) {
      if (!this.#paths.hear(hint, from)) continue;
      hasNews = true;
      this.#options.onNews(hint.node);
    }
    if (hasNews) this.#spreader?.start();
  }

  /** What a peer is told, of paths and of targets. What may be this agent's own fault is withdrawn. */
  #takeHints(to: string): Pick<ExchangeRequest, 'hints' | 'targetHints'> {
    this.#paths.withdraw(
      ({ node, plane, protocol }) =>
        node !== this.#localName && this.#doubt.isDoubtful(plane, protocol),
    );
    const hints = this.#paths.take(to);
    const targetHints = this.#targets.rumours.take(to);
    this.#counter.hintsSent += hints.length + targetHints.length;
    return { hints, targetHints };
  }

  /** From one loopback address to another the kernel sends as 127.0.0.1, and the peer would not know us. */
  #loopbackAddressFor(ip: string): string | undefined {
    if (!isLoopback(ip)) return undefined;
    const own = this.#peers.directory.hostIps(this.#localName);
    return own.find((one) => isLoopback(one) && isIPv6(one) === isIPv6(ip));
  }

  #peerWithoutNews(): string | undefined {
    const nowMs = this.#options.clock.nowMs();
    const told = [this.#paths, this.#targets.rumours];
    if (!told.some((rumours) => rumours.hasNews())) return undefined;
    const failing = new Set(
      this.#paths.current().flatMap((one) => (one.change === 'failure' ? one.subject.node : [])),
    );
    const isFit = (peer: string): boolean =>
      !failing.has(peer) &&
      nowMs - (this.#peers.observers.heardMs(peer) ?? -Infinity) < talksForMs &&
      told.some((rumours) => rumours.hasNewsFor(peer));
    return this.#talking.choose(isFit);
  }

  #refuse(reason: Refusal): void {
    this.#counter.messagesRefused[reason]++;
  }
}

const noHints = { hints: [], targetHints: [] } as const;

const noTargets: TargetProbing = {
  isKnown: () => false,
  activity: () => undefined,
  look: () => undefined,
  spreadMs: () => Infinity,
};

function changeBetween({ state: before }: PathState, { state }: PathState): HintChange | undefined {
  if (state === 'unreachable') return 'failure';
  return state === 'reachable' && before === 'unreachable' ? 'recovery' : undefined;
}

function isLoopback(ip: string): boolean {
  return ip === '::1' || ip.startsWith('127.');
}
