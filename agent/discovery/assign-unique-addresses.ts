import { isIPv4 } from 'node:net';
import type { Lifecycle, LostAddress, Node } from '../model/node.js';

/**
 * Assigns every address to one node only, and notes at each other node that lists it whose it is.
 * The first host address of a family is a node's own, whatever others claim. Then come the other
 * host addresses, then those of endpoints; among equals the first node gets it. A node that does not
 * have the first of its host addresses is excluded.
 */
export function assignUniqueAddresses(nodes: readonly Node[]): Node[] {
  const holders = new Map<string, string>();
  for (const { name, host } of nodes) {
    for (const ip of firstOfFamilies(host)) if (!holders.has(ip)) holders.set(ip, name);
  }
  const hosts = nodes.map(({ name, host }) => claim(holders, name, host));
  return nodes.map((node, index): Node => {
    const host = hosts[index] ?? claim(holders, node.name, []);
    const endpoint = claim(holders, node.name, node.endpoint);
    if (host.lost.length === 0 && endpoint.lost.length === 0) return node;
    return {
      ...node,
      host: host.own,
      endpoint: endpoint.own,
      lifecycle: withConflict(node, host.lost, endpoint.lost),
      lost: [...(node.lost ?? []), ...host.lost, ...endpoint.lost],
    };
  });
}

function firstOfFamilies(addresses: readonly string[]): string[] {
  return [addresses.find(isIPv4), addresses.find((ip) => !isIPv4(ip))].filter(
    (ip) => ip !== undefined,
  );
}

function claim(holders: Map<string, string>, name: string, addresses: readonly string[]) {
  const own: string[] = [];
  const lost: LostAddress[] = [];
  for (const ip of addresses) {
    const holder = holders.get(ip) ?? name;
    holders.set(ip, holder);
    if (holder !== name) lost.push({ ip, holder });
    else if (!own.includes(ip)) own.push(ip);
  }
  return { own, lost };
}

function withConflict(
  { host: listed, lifecycle = { phase: 'active' } }: Node,
  [host]: readonly LostAddress[],
  [endpoint]: readonly LostAddress[],
): Lifecycle {
  if (lifecycle.phase === 'excluded') return lifecycle;
  const reasonOf = ({ ip, holder }: LostAddress) => `address ${ip} belongs to ${holder}`;
  if (host !== undefined && host.ip === listed[0]) {
    return { phase: 'excluded', reason: reasonOf(host) };
  }
  if (lifecycle.reason !== undefined) return lifecycle;
  if (host !== undefined) return { ...lifecycle, reason: reasonOf(host) };
  return endpoint ? { ...lifecycle, reason: `endpoint ${reasonOf(endpoint)}` } : lifecycle;
}
