import { decodeHints, encodeHints } from '../hints/hint-codec.js';
import type { Hint } from '../hints/hint.js';
import { decodeTargetHints, encodeTargetHints, type TargetHint } from '../hints/target-hint.js';
import type { PeerStamps } from '../../model/clock-stamps.js';
import { splitFields, withMac } from '../../model/signed-fields.js';
import { challengePattern, proofPattern } from './challenges.js';
import type { MeshKeys } from './mesh-keys.js';

/** The version of the protocol, in front of every header. */
const version = '1';

/** The longest header: two names, a nonce, a tag and the hints. A responder of version 0.1.0 reads 4 KB in all. */
export const maxHeaderBytes = 3584;

/** A signature in base64url. */
const macLength = 22;

const namePattern = /^[A-Za-z0-9_.-]{1,253}\/[A-Za-z0-9_.-]{1,253}$/;
const noncePattern = /^[A-Za-z0-9_-]{16}$/;
const tagPattern = /^[a-z0-9]{1,16}\.[0-9]{1,15}$/;
/** When the request came by the clock of who answers, and how much later the answer went. */
const stampsPattern = /^([0-9]{1,15})\.([0-9]{1,6})$/;
const wantPattern = /^[a-z0-9.]{1,32}$/;

/** What a request asks of a peer, beside `GET /hello` itself. */
export interface ExchangeRequest {
  readonly from: string;
  readonly to: string;
  /** New for each request: an answer to another request is not accepted. */
  readonly nonce: string;
  /** Shows that the request is new (`challenges.ts`); undefined where the asker has no challenge of the peer. */
  readonly proof?: string | undefined;
  /** The tag of the row that the asker has of the peer; undefined where it has none. */
  readonly rowTag: string | undefined;
  /** What the asker wants of the peer's whole row; undefined where it wants nothing. */
  readonly wholeRow: string | undefined;
  readonly hints: readonly Hint[];
  /** Agents of version 0.1.0 skip them. */
  readonly targetHints: readonly TargetHint[];
}

/**
 * What a peer answers: the tag of its row, and hints. The body is its row if the asker does not
 * have it.
 */
export interface ExchangeAnswer {
  readonly rowTag: string;
  /** For the next request of the asker; undefined without a key. Agents of version 0.1.0 tell none. */
  readonly challenge?: string | undefined;
  readonly hints: readonly Hint[];
  readonly targetHints: readonly TargetHint[];
  /** Agents of version 0.1.0 tell none, and skip them. */
  readonly stamps?: PeerStamps | undefined;
}

export const noHints = { hints: [], targetHints: [] } as const;

/** Why a received message is not accepted. */
export type Refusal = 'malformed' | 'unauthenticated' | 'source';

export function encodeRequest(request: ExchangeRequest, keys: MeshKeys): string {
  const { from, to, nonce, proof, rowTag, wholeRow, hints, targetHints } = request;
  const fields = [version, `from=${from}`, `to=${to}`, `nonce=${nonce}`];
  if (proof !== undefined) fields.push(`proof=${proof}`);
  if (rowTag !== undefined) fields.push(`row=${rowTag}`);
  if (wholeRow !== undefined) fields.push(`whole=${wholeRow}`);
  if (hints.length > 0) fields.push(`hints=${encodeHints(hints)}`);
  const text = withTargetHints(fields.join(';'), targetHints);
  return withMac(text, keys.sign(`request\n${text}`));
}

/** Reads a request's header. One of another version is no exchange: undefined. */
export function decodeRequest(
  header: string,
  keys: MeshKeys,
): ExchangeRequest | { readonly refused: Refusal } | undefined {
  if (header.length > maxHeaderBytes) return { refused: 'malformed' };
  const message = splitFields(header, version);
  if (message === 'other-version') return undefined;
  if (!message) return { refused: 'malformed' };
  const { fields, text, mac } = message;
  const [from = '', to = '', nonce = ''] = ['from', 'to', 'nonce'].map((key) => fields.get(key));
  if (!namePattern.test(from) || !namePattern.test(to) || !noncePattern.test(nonce))
    return { refused: 'malformed' };
  const proof = fields.get('proof');
  if (proof !== undefined && !proofPattern.test(proof)) return { refused: 'malformed' };
  const rowTag = fields.get('row');
  if (rowTag !== undefined && !tagPattern.test(rowTag)) return { refused: 'malformed' };
  const wholeRow = fields.get('whole');
  if (wholeRow !== undefined && !wantPattern.test(wholeRow)) return { refused: 'malformed' };
  if (!keys.accepts(`request\n${text}`, mac)) return { refused: 'unauthenticated' };
  const hints = decodeHints(fields.get('hints') ?? '');
  const targetHints = decodeTargetHints(fields.get('targets') ?? '');
  if (!hints || !targetHints) return { refused: 'malformed' };
  return { from, to, nonce, proof, rowTag, wholeRow, hints, targetHints };
}

/** @param to the request that is answered: its names and nonce are signed too */
export function encodeAnswer(
  { rowTag, challenge, hints, targetHints, stamps }: ExchangeAnswer,
  body: string,
  to: Pick<ExchangeRequest, 'from' | 'to' | 'nonce'>,
  keys: MeshKeys,
): string {
  const fields = [version, `row=${rowTag}`];
  if (challenge !== undefined) fields.push(`next=${challenge}`);
  if (stamps) fields.push(`clock=${wholeMs(stamps.receivedMs)}.${wholeMs(stamps.heldMs)}`);
  if (hints.length > 0) fields.push(`hints=${encodeHints(hints)}`);
  const text = withTargetHints(fields.join(';'), targetHints);
  return withMac(text, keys.sign(signedAnswer(text, body, to)));
}

/** Reads an answer's header. One of another version is no exchange: undefined. */
export function decodeAnswer(
  header: string,
  body: string,
  to: Pick<ExchangeRequest, 'from' | 'to' | 'nonce'>,
  keys: MeshKeys,
): ExchangeAnswer | { readonly refused: Refusal } | undefined {
  if (header.length > maxHeaderBytes) return { refused: 'malformed' };
  const message = splitFields(header, version);
  if (message === 'other-version') return undefined;
  if (!message) return { refused: 'malformed' };
  const { fields, text, mac } = message;
  const rowTag = fields.get('row') ?? '';
  if (!tagPattern.test(rowTag)) return { refused: 'malformed' };
  const challenge = fields.get('next');
  if (challenge !== undefined && !challengePattern.test(challenge)) return { refused: 'malformed' };
  if (!keys.accepts(signedAnswer(text, body, to), mac)) return { refused: 'unauthenticated' };
  const hints = decodeHints(fields.get('hints') ?? '');
  const targetHints = decodeTargetHints(fields.get('targets') ?? '');
  return hints && targetHints
    ? { rowTag, challenge, hints, targetHints, stamps: stampsOf(fields.get('clock')) }
    : { refused: 'malformed' };
}

/** Stamps that cannot be read are none: the rest of the answer is as good without them. */
function stampsOf(text = ''): PeerStamps | undefined {
  const [, received, held] = stampsPattern.exec(text) ?? [];
  return received === undefined
    ? undefined
    : { receivedMs: Number(received), heldMs: Number(held) };
}

/** A clock may stand before 1970. */
function wholeMs(ms: number): number {
  return Math.max(Math.round(ms), 0);
}

/** Adds as many hints about targets as the longest header has room for, with the signature. */
function withTargetHints(text: string, hints: readonly TargetHint[]): string {
  if (hints.length === 0) return text;
  const room = maxHeaderBytes - text.length - ';targets='.length - ';mac='.length - macLength;
  const encoded = encodeTargetHints(hints, room);
  return encoded === '' ? text : `${text};targets=${encoded}`;
}

function signedAnswer(
  text: string,
  body: string,
  { from, to, nonce }: Pick<ExchangeRequest, 'from' | 'to' | 'nonce'>,
): string {
  return `answer\n${from}\n${to}\n${nonce}\n${text}\n${body}`;
}
