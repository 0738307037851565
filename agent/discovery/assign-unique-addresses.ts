import type { Lifecycle, Node } from '../model/node.js';

/**
 * Assigns every address to one node only. If several nodes list it, the first one gets it, and the
 * lifecycle of the others says so. Host addresses go before endpoint addresses.
 */
export function assignUniqueAddresses(nodes: readonly Node[]): Node[] {
  const holders = new Map<string, string>();
  const hosts = nodes.map(({ name, host }) => claim(holders, name, host));
  return nodes.map((node, index): Node => {
    const host = hosts[index] ?? claim(holders, node.name, []);
    const endpoint = claim(holders, node.name, node.endpoint);
    const isWhole = host.own.length === node.host.length;
    if (isWhole && endpoint.own.length === node.endpoint.length) return node;
    return {
      ...node,
      host: host.own,
      endpoint: endpoint.own,
      lifecycle: withConflict(node.lifecycle, host.conflict, endpoint.conflict),
    };
  });
}

function claim(holders: Map<string, string>, name: string, addresses: readonly string[]) {
  const own: string[] = [];
  let conflict: string | undefined;
  for (const ip of addresses) {
    const holder = holders.get(ip);
    if (holder === undefined) {
      holders.set(ip, name);
      own.push(ip);
    } else if (holder !== name) {
      conflict ??= `${ip} belongs to ${holder}`;
    }
  }
  return { own, conflict };
}

function withConflict(
  lifecycle: Lifecycle = { phase: 'active' },
  host: string | undefined,
  endpoint: string | undefined,
): Lifecycle {
  if (lifecycle.phase === 'excluded') return lifecycle;
  if (host !== undefined) return { phase: 'excluded', reason: `address ${host}` };
  if (endpoint === undefined || lifecycle.reason !== undefined) return lifecycle;
  return { ...lifecycle, reason: `endpoint address ${endpoint}` };
}
