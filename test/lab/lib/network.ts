import { bridge, ip, run, runIn } from './command.js';
import type { Host, Plan } from './plan.js';

/** The UDP port of VXLAN packets. */
export const vxlanPort = 8472;
const vxlanId = 42;

/**
 * A lab with more hosts has permanent neighbour entries only, which have no limit. Smaller labs
 * learn their neighbours, and n hosts need 3 n^2 entries. All namespaces of a machine share a table
 * of 1,024 entries (gc_thresh3, man 7 arp).
 */
const maxHostsThatLearn = 12;

// IPv6 may be switched off on the machine. Duplicate address detection would delay each address by
// a second.
const prepareIpv6 = `
for scope in all default lo; do
  folder=/proc/sys/net/ipv6/conf/$scope
  [ -d $folder ] || continue
  echo 0 >$folder/disable_ipv6
  echo 0 >$folder/accept_dad
  echo 0 >$folder/accept_ra
done
`;

/**
 * Builds the namespaces of a plan and all links between them. The underlay is a bridge in a
 * namespace of its own. Each host has a second bridge, which joins its endpoint and a VXLAN port
 * that floods to all peers. No link leads to the machine's own namespace, and there is no route
 * out.
 */
export async function buildNetwork(plan: Plan): Promise<void> {
  const namespaces = namespacesOf(plan);
  await run('ip', ['-batch', '-'], namespaces.map((name) => `netns add ${name}\n`).join(''));
  await Promise.all(namespaces.map((name) => runIn(name, ['sh', '-e'], prepareIpv6)));
  const noDad = plan.family === 6 ? ' nodad' : '';
  await ip(plan.underlayNamespace, [
    'link set lo up',
    'link add underlay type bridge mcast_snooping 0',
    `addr add ${plan.underlayIp}/${plan.nodePrefixBits} dev underlay${noDad}`,
    'link set underlay up',
    ...plan.hosts.flatMap(({ name, namespace, nodeMac }) => [
      `link add ${name} type veth peer name eth0 address ${nodeMac} netns ${namespace}`,
      `link set ${name} master underlay up`,
    ]),
  ]);
  await Promise.all(plan.hosts.map((host) => buildHost(host, plan)));
}

/** The names of all namespaces of a plan. */
export function namespacesOf({ underlayNamespace, hosts }: Plan): string[] {
  return [
    underlayNamespace,
    ...hosts.flatMap(({ namespace, endpointNamespace }) => [namespace, endpointNamespace]),
  ];
}

async function buildHost(host: Host, plan: Plan): Promise<void> {
  const { nodePrefixBits, overlayPrefixBits } = plan;
  const noDad = plan.family === 6 ? ' nodad' : '';
  await ip(host.namespace, [
    'link set lo up',
    `addr add ${host.nodeIp}/${nodePrefixBits} dev eth0${noDad}`,
    'link set eth0 up',
    `link add overlay address ${host.overlayMac} type bridge mcast_snooping 0`,
    `link add vxlan type vxlan id ${vxlanId} local ${host.nodeIp} dev eth0 dstport ${vxlanPort}`,
    'link set vxlan master overlay up',
    `link add endpoint type veth peer name eth0 address ${host.endpointMac} netns ${host.endpointNamespace}`,
    'link set endpoint master overlay up',
    `addr add ${host.overlayIp}/${overlayPrefixBits} dev overlay${noDad}`,
    'link set overlay up',
  ]);
  if (host.icmp === 'kernel-datagram') {
    const file = '/proc/sys/net/ipv4/ping_group_range';
    await runIn(host.namespace, ['sh', '-e'], `echo '0 2147483647' >${file}\n`);
  }
  const peers = plan.hosts.filter((peer) => peer !== host);
  await bridge(
    host.namespace,
    peers.map((peer) => `fdb append 00:00:00:00:00:00 dev vxlan dst ${peer.nodeIp}`),
  );
  await ip(host.endpointNamespace, [
    'link set lo up',
    `addr add ${host.endpointIp}/${overlayPrefixBits} dev eth0${noDad}`,
    'link set eth0 up',
  ]);
  if (plan.hosts.length > maxHostsThatLearn) await knowNeighbours(host, plan);
}

async function knowNeighbours(host: Host, { hosts }: Plan): Promise<void> {
  const entry = (ip: string, mac: string, device: string) =>
    `neigh replace ${ip} lladdr ${mac} dev ${device} nud permanent`;
  const peers = hosts.filter((peer) => peer !== host);
  await ip(host.namespace, [
    ...peers.map(({ nodeIp, nodeMac }) => entry(nodeIp, nodeMac, 'eth0')),
    ...hosts.map(({ endpointIp, endpointMac }) => entry(endpointIp, endpointMac, 'overlay')),
  ]);
  await ip(
    host.endpointNamespace,
    hosts.map(({ overlayIp, overlayMac }) => entry(overlayIp, overlayMac, 'eth0')),
  );
}
