import { splitFields, withMac, type Signer } from '../../model/signed-fields.js';
import { maxTargets, targetNamePattern } from '../../model/target.js';

/** The version of the protocol, in front of every header. */
const version = '1';
const maxHeaderBytes = 1536;
const maxNodes = 1_000_000;

const namePattern = /^[A-Za-z0-9_.-]{1,253}(?:\/[A-Za-z0-9_.-]{1,253})?$/;
const noncePattern = /^[A-Za-z0-9_-]{16}$/;
const sentPattern = /^[0-9]{1,15}$/;

/** What an agent asks of the endpoint of its node. */
export interface EndpointRequest {
  /** The name of the agent's node. */
  readonly node: string;
  /** How many nodes are listed: the intervals follow from it. */
  readonly nodes: number;
  /** The targets that it is to probe now, because the agent saw them change. */
  readonly toProbe: readonly string[];
  /** Whether the agent wants the signs of the network that the endpoint is in. Older endpoints skip it. */
  readonly signs: boolean;
  /** When it was sent, by the clock of the host that both are on: epoch milliseconds. Undefined: an older agent. */
  readonly sentAt: number | undefined;
  /** New for each request: an answer to another request is not accepted. */
  readonly nonce: string;
}

export function encodeEndpointRequest(request: EndpointRequest, keys: Signer): string {
  const { node, nodes, toProbe, signs, sentAt, nonce } = request;
  const text = [
    version,
    `node=${node}`,
    `nodes=${nodes}`,
    ...(toProbe.length > 0 ? [`look=${toProbe.join(',')}`] : []),
    ...(signs ? ['signs=1'] : []),
    ...(sentAt === undefined ? [] : [`sent=${sentAt}`]),
    `nonce=${nonce}`,
  ].join(';');
  return withMac(text, keys.sign(`endpoint-request\n${text}`));
}

/** Reads a request. Undefined where it is malformed or not signed by the key. */
export function decodeEndpointRequest(header: string, keys: Signer): EndpointRequest | undefined {
  const message = split(header);
  if (!message) return undefined;
  const { fields, text, mac } = message;
  const [node = '', nonce = ''] = [fields.get('node'), fields.get('nonce')];
  const nodes = Number(fields.get('nodes'));
  if (!namePattern.test(node) || !noncePattern.test(nonce)) return undefined;
  if (!Number.isInteger(nodes) || nodes < 1 || nodes > maxNodes) return undefined;
  const toProbe = fields.get('look')?.split(',') ?? [];
  if (toProbe.length > maxTargets || !toProbe.every((name) => targetNamePattern.test(name)))
    return undefined;
  const signs = fields.get('signs') === '1';
  const sent = fields.get('sent');
  if (sent !== undefined && !sentPattern.test(sent)) return undefined;
  const sentAt = sent === undefined ? undefined : Number(sent);
  return keys.accepts(`endpoint-request\n${text}`, mac)
    ? { node, nodes, toProbe, signs, sentAt, nonce }
    : undefined;
}

/**
 * The header of the answer. The body and the nonce of the request are signed with it.
 *
 * @param node the name of the endpoint's node; undefined where it was not told
 */
export function encodeEndpointAnswer(
  node: string | undefined,
  body: string,
  { nonce }: Pick<EndpointRequest, 'nonce'>,
  keys: Signer,
): string {
  const text = node === undefined ? version : `${version};node=${node}`;
  return withMac(text, keys.sign(`endpoint-answer\n${nonce}\n${text}\n${body}`));
}

/** Why an answer is not taken. */
export type EndpointRefusal = 'malformed' | 'unauthenticated';

/** Reads the header of an answer: the node that the endpoint says it is on. */
export function decodeEndpointAnswer(
  header: string,
  body: string,
  { nonce }: Pick<EndpointRequest, 'nonce'>,
  keys: Signer,
): { readonly node: string | undefined } | EndpointRefusal {
  const message = split(header);
  if (!message) return 'malformed';
  const { fields, text, mac } = message;
  const node = fields.get('node');
  if (node !== undefined && !namePattern.test(node)) return 'malformed';
  if (!keys.accepts(`endpoint-answer\n${nonce}\n${text}\n${body}`, mac)) return 'unauthenticated';
  return { node };
}

function split(header: string) {
  const message = header.length > maxHeaderBytes ? undefined : splitFields(header, version);
  return message === 'other-version' ? undefined : message;
}
