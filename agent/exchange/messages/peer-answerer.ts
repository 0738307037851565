import { freshForMs } from '../../model/row.js';
import { isSigned } from '../../model/signed-fields.js';
import type { Peers } from '../../peers/peers.js';
import type { Clock } from '../../platform/clock.js';
import type { ExchangeCounter } from '../exchange-counts.js';
import type { Gossip } from '../hints/gossip.js';
import type { TalkingPeers } from '../hints/talking-peers.js';
import type { SentRow } from '../rows/sent-row.js';
import { encodeAnswerBody } from './answer-body.js';
import type { Challenges } from './challenges.js';
import type { MeshKeys } from './mesh-keys.js';
import { decodeRequest, encodeAnswer, noHints, type ExchangeRequest } from './message.js';
import type { SenderCheck } from './sender-check.js';

export interface PeerAnswererOptions {
  readonly clock: Clock;
  readonly keys: MeshKeys;
  readonly peers: Pick<Peers, 'localName' | 'directory' | 'observers' | 'ownRow' | 'wholeRows'>;
  readonly sender: SenderCheck;
  readonly challenges: Pick<Challenges, 'issue' | 'accepts'>;
  readonly talking: TalkingPeers;
  readonly sentRow: SentRow;
  readonly gossip: Pick<Gossip, 'take' | 'hear'>;
  readonly counter: ExchangeCounter;
  /** Whether large packets to a peer are lost. */
  readonly losesLarge: (peer: string) => boolean;
  /** Called with each peer whose own GET came. */
  readonly onGet: (peer: string) => void;
  /** Called with each peer that asked, and whether the two believe each other by their keys. */
  readonly onKey: (peer: string, fits: boolean) => void;
}

/** What the answer to a peer's GET carries. */
export interface ExchangeReply {
  readonly header: string;
  readonly body: string;
}

/**
 * Takes a peer's GET and returns what the answer carries. Undefined if it is to be answered like any GET.
 * @param sourceIp where it came from. Without a key it must be a host address of the node that the GET names, or a trusted one
 */
export type AnswerPeer = (header: string, sourceIp: string) => ExchangeReply | undefined;

/** A challenge holds for so long at the least. Else it holds for as long as a row is fresh: until the next request but one. */
const leastProofMs = 60_000;

/** Makes what answers the GETs of peers with the own row and hints, where they come from agents of listed nodes. */
export function createPeerAnswerer(options: PeerAnswererOptions): AnswerPeer {
  const { clock, keys, peers, sender, challenges, talking, sentRow, gossip, counter } = options;
  const { losesLarge, onGet, onKey } = options;

  /** Whether a request was not sent before. Without a key its source address is all that tells. */
  const wasNotSent = ({ from, proof }: ExchangeRequest): boolean => {
    if (!keys.isKeyed) return true;
    const holdsMs = freshForMs(peers.ownRow.prepared.sent);
    return challenges.accepts(from, proof, Math.max(holdsMs, leastProofMs));
  };

  /** The tag of the own row, and the body with what of it the asker lacks. */
  const rowFor = ({ from, rowTag, wholeRow }: ExchangeRequest, isAnswered: boolean) => {
    const isSmall = losesLarge(from);
    const row = isSmall ? sentRow.currentSmall() : sentRow.current();
    if (!isAnswered) return { tag: row.tag, body: '' };
    const whole = wholeRow === undefined || isSmall ? undefined : peers.wholeRows.answer(wholeRow);
    const isKnown = row.tag === rowTag;
    return { tag: row.tag, body: encodeAnswerBody(isKnown ? undefined : row, whole) };
  };

  return (header, sourceIp) => {
    const [receivedMs, cameMs] = [clock.wallMs(), clock.nowMs()];
    // Without a node list no peer can be told from a stranger.
    if (peers.directory.size === 0) return undefined;
    const request = decodeRequest(header, keys);
    if (!request) return undefined;
    if ('refused' in request) {
      counter.messagesRefused[request.refused]++;
      const owner = sender.nodeAt(sourceIp);
      if (request.refused === 'unauthenticated' && owner !== undefined) onKey(owner, false);
      return undefined;
    }
    const { from, to } = request;
    if (!sender.isFromPeer(from, sourceIp) || to !== peers.localName) {
      counter.messagesRefused.source++;
      return undefined;
    }
    counter.messagesReceived++;
    onKey(from, keys.isKeyed || !isSigned(header));
    const isNew = wasNotSent(request);
    if (isNew) {
      peers.observers.noteGet(from, clock.nowMs());
      onGet(from);
    }
    // Whoever recorded a request may send it again from anywhere: that gets a challenge, and nothing else.
    const isAnswered = isNew || sender.isFromItsAddress(from, sourceIp);
    if (isAnswered) {
      talking.note(from);
      gossip.hear(request, from);
    }
    const { tag, body } = rowFor(request, isAnswered);
    const answer = {
      rowTag: tag,
      challenge: keys.isKeyed ? challenges.issue() : undefined,
      ...(isAnswered ? gossip.take(from) : noHints),
      stamps: { receivedMs, heldMs: clock.nowMs() - cameMs },
    };
    return { header: encodeAnswer(answer, body, request, keys), body };
  };
}
