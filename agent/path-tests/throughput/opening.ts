import { splitFields, withMac, type Signer } from '../../model/signed-fields.js';
import { version } from './message-link.js';

/** What is asked for: `GET /throughput` with `Upgrade: meshprobe-throughput`. */
export const throughputPath = '/throughput';
export const throughputProtocol = 'meshprobe-throughput';

const namePattern = /^[A-Za-z0-9_.-]{1,253}\/[A-Za-z0-9_.-]{1,253}$/;
const noncePattern = /^[A-Za-z0-9_-]{16}$/;
const maxHeaderBytes = 1024;

/** Opens a session: who asks whom, and a nonce that the answer signs. */
export interface Opening {
  readonly from: string;
  readonly to: string;
  readonly nonce: string;
  /**
   * Drawn for the whole test, so that an agent knows two sessions of one test. An older agent does not look at it, and an
   * older asker does not send it.
   */
  readonly test?: string | undefined;
}

/** Joins a session as one of its streams. The token is of one measurement. */
export interface Joining {
  readonly token: string;
  readonly stream: number;
}

export function encodeOpening({ from, to, nonce, test }: Opening, keys: Signer): string {
  const ofTest = test === undefined ? [] : [`test=${test}`];
  return signed('open', [`from=${from}`, `to=${to}`, `nonce=${nonce}`, ...ofTest], keys);
}

export function encodeJoining({ token, stream }: Joining, keys: Signer): string {
  return signed('join', [`token=${token}`, `stream=${stream}`], keys);
}

/** Reads what a connection is for. */
export function decodeRequest(
  header: string,
  keys: Signer,
): { readonly opening: Opening } | { readonly joining: Joining } | 'malformed' | 'key' {
  const message = header.length > maxHeaderBytes ? undefined : splitFields(header, version);
  if (!message || message === 'other-version') return 'malformed';
  const { fields, text, mac } = message;
  const field = (name: string): string => fields.get(name) ?? '';
  const isAccepted = (kind: string): boolean => keys.accepts(`throughput-${kind}\n${text}`, mac);
  if (fields.has('token')) {
    const [token, stream] = [field('token'), field('stream')];
    if (!noncePattern.test(token) || !/^\d{1,2}$/.test(stream)) return 'malformed';
    return isAccepted('join') ? { joining: { token, stream: Number(stream) } } : 'key';
  }
  const [from, to, nonce] = [field('from'), field('to'), field('nonce')];
  if (!namePattern.test(from) || !namePattern.test(to) || !noncePattern.test(nonce)) {
    return 'malformed';
  }
  const test = fields.get('test');
  if (test !== undefined && !noncePattern.test(test)) return 'malformed';
  return isAccepted('open') ? { opening: { from, to, nonce, test } } : 'key';
}

/** The answer to an opening: the nonce of the other end, signed together with that of the asker. */
export function encodeOpened(nonce: string, opening: Opening, keys: Signer): string {
  const text = `${version};nonce=${nonce}`;
  return withMac(text, keys.sign(openedText(text, opening)));
}

/** Reads the nonce of an answer; undefined where the mesh key has not signed it. */
export function decodeOpened(header: string, opening: Opening, keys: Signer): string | undefined {
  const message = header.length > maxHeaderBytes ? undefined : splitFields(header, version);
  if (!message || message === 'other-version') return undefined;
  const nonce = message.fields.get('nonce') ?? '';
  const isSigned = keys.accepts(openedText(message.text, opening), message.mac);
  return isSigned && noncePattern.test(nonce) ? nonce : undefined;
}

/** Why there is no session: nobody signs it, so it is a hint for people alone. */
export function encodeRefused(why: string): string {
  return `${version};refused=${why}`;
}

/** Why there is no session, as the other end says it. */
export function decodeRefused(header: string): string | undefined {
  const message = header.length > maxHeaderBytes ? undefined : splitFields(header, version);
  return message && message !== 'other-version' ? message.fields.get('refused') : undefined;
}

function signed(kind: string, fields: readonly string[], keys: Signer): string {
  const text = [version, ...fields].join(';');
  return withMac(text, keys.sign(`throughput-${kind}\n${text}`));
}

function openedText(text: string, { from, to, nonce }: Opening): string {
  return ['throughput-opened', from, to, nonce, text].join('\n');
}
