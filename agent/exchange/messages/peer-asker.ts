import { isIPv6 } from 'node:net';
import type { ExchangeTimes, PeerStamps } from '../../model/clock-stamps.js';
import { exchangeHeader } from '../../model/hello-headers.js';
import type { Path } from '../../model/path.js';
import type { Row } from '../../model/row.js';
import type { Peers } from '../../peers/peers.js';
import type { Clock } from '../../platform/clock.js';
import type { ExchangeCounter } from '../exchange-counts.js';
import type { Gossip } from '../hints/gossip.js';
import type { TalkingPeers } from '../hints/talking-peers.js';
import { decodeAnswerBody } from './answer-body.js';
import type { Challenges } from './challenges.js';
import type { MeshKeys } from './mesh-keys.js';
import { decodeAnswer, encodeRequest, noHints, type ExchangeRequest } from './message.js';

export interface PeerAskerOptions {
  readonly clock: Clock;
  readonly keys: MeshKeys;
  readonly peers: Pick<Peers, 'localName' | 'directory' | 'observers' | 'wholeRows'>;
  readonly challenges: Pick<Challenges, 'prove' | 'keep'>;
  readonly talking: TalkingPeers;
  readonly gossip: Pick<Gossip, 'take' | 'hear'>;
  readonly counter: ExchangeCounter;
  /** Sixteen characters of base64url that no one can guess. */
  readonly createNonce: () => string;
  /** Called with each row that came. */
  readonly onRow: (row: Row) => void;
  readonly onStamps: (peer: string, times: ExchangeTimes, stamps: PeerStamps) => void;
  /** Called with each peer that answered, and whether the two believe each other by their keys. */
  readonly onKey: (peer: string, fits: boolean) => void;
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

/** What a GET to that path carries; undefined if no agent answers there. */
export type AskPeer = (path: Path) => OutgoingExchange | undefined;

/** Makes what asks peers with each GET, for their rows and with hints, and takes what they answer. */
export function createPeerAsker(options: PeerAskerOptions): AskPeer {
  const { clock, keys, peers, challenges, talking, gossip, counter } = options;
  const { createNonce, onRow, onStamps, onKey } = options;
  const { localName, directory, observers, wholeRows } = peers;

  /** From one loopback address to another the kernel sends as 127.0.0.1, and the peer would not know us. */
  const loopbackAddressFor = (ip: string): string | undefined => {
    if (!isLoopback(ip)) return undefined;
    const own = directory.hostIps(localName);
    return own.find((one) => isLoopback(one) && isIPv6(one) === isIPv6(ip));
  };

  const takeAnswer = (
    request: ExchangeRequest,
    header: string | undefined,
    body: string,
    times: ExchangeTimes | undefined,
  ): void => {
    const peer = request.to;
    if (header === undefined) {
      observers.notePlainAnswer(peer, clock.nowMs());
      return;
    }
    // The peer may have left the list since it was asked.
    if (!directory.get(peer)) return;
    const answer = decodeAnswer(header, body, request, keys);
    if (!answer) return;
    if ('refused' in answer) {
      counter.messagesRefused[answer.refused]++;
      if (answer.refused === 'unauthenticated') onKey(peer, false);
      return;
    }
    const nowMs = clock.nowMs();
    const decoded = decodeAnswerBody(body);
    const row = decoded?.row === undefined ? undefined : observers.read(peer, decoded.row);
    const { wholeRow } = request;
    if (
      !decoded ||
      (decoded.row !== undefined && !row) ||
      (decoded.whole !== undefined && !wholeRows.keep(peer, wholeRow, decoded.whole))
    ) {
      counter.messagesRefused.malformed++;
      return;
    }
    counter.messagesReceived++;
    talking.note(peer);
    if (answer.challenge !== undefined) challenges.keep(peer, answer.challenge);
    observers.noteAnswer(peer, nowMs);
    if (times && answer.stamps) onStamps(peer, times, answer.stamps);
    if (row) {
      counter.rowsReceived++;
      observers.keep(row, answer.rowTag, decoded.ageMs, nowMs);
      onRow(row);
    } else observers.confirm(peer, answer.rowTag, nowMs);
    gossip.hear(answer, peer);
  };

  return (path) => {
    const from = localName;
    const to = path.node;
    if (path.plane !== 'host' || to === from || !directory.get(to)) return undefined;
    const request: ExchangeRequest = {
      from,
      to,
      ...(talking.has(to) ? gossip.take(to) : noHints),
      nonce: createNonce(),
      proof: keys.isKeyed ? challenges.prove(to) : undefined,
      rowTag: observers.tagOf(to),
      wholeRow: talking.has(to) ? wholeRows.want(to) : undefined,
    };
    return {
      name: exchangeHeader,
      header: encodeRequest(request, keys),
      localAddress: loopbackAddressFor(path.ip),
      onAnswer: (header, body, times) => takeAnswer(request, header, body, times),
    };
  };
}

function isLoopback(ip: string): boolean {
  return ip === '::1' || ip.startsWith('127.');
}
