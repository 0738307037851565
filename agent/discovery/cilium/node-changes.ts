import type { Node } from '../../model/node.js';
import { withoutAddress } from '../../model/without-address.js';
import { addressesOf, mappingOf, nodeNameOf, textOf } from '../object-fields.js';

/** The most nodes that are taken from an answer. */
const mostNodes = 100_000;

/** Cilium draws it from 63 bits. In a text of JSON the quotes would be escaped. */
const clientIdPattern = /"client-id"\s*:\s*(\d{1,19})\s*[,}]/;

/** One answer of `GET /v1/cluster/nodes`. */
export interface NodeChanges {
  /** As text: it has up to 63 bits, more than a number of JavaScript can tell apart. */
  readonly clientId: string;
  readonly added: readonly Node[];
  readonly removed: readonly string[];
}

/**
 * Reads an answer; nodes without a sound name are passed over.
 * @param clusterName goes before names that carry no cluster
 * @throws Error where it is no such answer
 */
export function readNodeChanges(text: string, clusterName: string): NodeChanges {
  const answer = mappingOf(parse(text));
  const clientId = clientIdPattern.exec(text)?.[1];
  if (typeof answer['client-id'] !== 'number' || clientId === undefined) {
    throw new Error('expected an answer with a client-id, got none');
  }
  const listed = (key: string): readonly unknown[] => {
    const list = answer[key] ?? [];
    if (!Array.isArray(list) || list.length > mostNodes) {
      throw new Error(`expected ${key} to be a list of at most ${mostNodes} nodes`);
    }
    return list;
  };
  return {
    clientId,
    added: listed('nodes-added').flatMap((element) => readNode(mappingOf(element), clusterName)),
    removed: listed('nodes-removed').flatMap(
      (element) => readName(mappingOf(element)['name'], clusterName) ?? [],
    ),
  };
}

function readNode(element: Readonly<Record<string, unknown>>, clusterName: string): Node | [] {
  const name = readName(element['name'], clusterName);
  if (name === undefined) return [];
  const secondary = element['secondary-addresses'];
  const further = (Array.isArray(secondary) ? secondary.slice(0, 64) : []).map(mappingOf);
  const host = addressesOf([...ipsOf(element['primary-address']), ...further.map(({ ip }) => ip)]);
  const endpoint = addressesOf(ipsOf(element['health-endpoint-address']));
  return { name, host, endpoint, ...(host.length === 0 && { lifecycle: withoutAddress }) };
}

function readName(value: unknown, clusterName: string): string | undefined {
  const [name, cluster = clusterName, ...rest] = textOf(value).split('/').reverse();
  const isSound = rest.length === 0 && nodeNameOf(name) !== undefined && nodeNameOf(cluster);
  return isSound ? `${cluster}/${name ?? ''}` : undefined;
}

function ipsOf(value: unknown): unknown[] {
  const { ipv4, ipv6 } = mappingOf(value);
  return [ipv4, ipv6]
    .map(mappingOf)
    .filter(({ enabled }) => enabled !== false)
    .map(({ ip }) => ip);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error('expected an answer in JSON, got something else');
  }
}
