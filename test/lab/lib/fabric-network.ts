import { bridge, ip, run, runIn } from './command.js';
import { leaves, spines, type FabricPlan, type Leaf, type PlannedHost } from './fabric-plan.js';
import { vxlanPort } from './network.js';

const prepare = `
for scope in all default; do
  echo 0 >/proc/sys/net/ipv4/conf/$scope/rp_filter
  folder=/proc/sys/net/ipv6/conf/$scope
  [ -d $folder ] || continue
  echo 0 >$folder/disable_ipv6
  echo 0 >$folder/accept_dad
  echo 0 >$folder/accept_ra
done
`;

// The hash is of addresses, protocol and ports, read from each packet. Policy 1 would take the random number
// that the sender's socket gave each connection, because a veth passes it on: no network does that.
const forward = `
echo 1 >/proc/sys/net/ipv4/ip_forward
for folder in /proc/sys/net/ipv4 /proc/sys/net/ipv6; do
  [ -d $folder ] || continue
  echo 3 >$folder/fib_multipath_hash_policy
  echo 0x37 >$folder/fib_multipath_hash_fields
done
[ ! -d /proc/sys/net/ipv6 ] || echo 1 >/proc/sys/net/ipv6/conf/all/forwarding
`;

export const usualMtu = 1500;
const tcpHeadersBytes = { 4: 40, 6: 60 } as const;
/** What VXLAN adds to a packet, over IPv4. */
const vxlanBytes = 50;

export const routers = ['leaf1', 'leaf2', ...spines.map((spine) => `spine${spine}`)];

/** The name of the namespace of a host's endpoint. */
export const endpointOf = (host: string): string => `${host}e`;

/** The names of all hosts, endpoints and routers. */
export function namesOf({ hosts, overlayMtu }: FabricPlan): string[] {
  const names = hosts.map(({ name }): string => name);
  const endpoints = overlayMtu === undefined ? [] : names.map(endpointOf);
  return [...names, ...endpoints, ...routers];
}

/**
 * Builds the namespaces of a plan and all links between them.
 * @param namespace the namespace of a host, endpoint or router
 */
export async function buildFabric(
  plan: FabricPlan,
  namespace: (name: string) => string,
): Promise<void> {
  const names = namesOf(plan);
  const nodad = plan.family === 6 ? ' nodad' : '';
  // The links of the hosts take the packets of the overlay. What the links between routers take is another matter.
  const hostMtu = Math.max(usualMtu, (plan.overlayMtu ?? 0) + vxlanBytes);
  const runOn = (name: string, script: string) => runIn(namespace(name), ['sh', '-e'], script);
  const added = names.map((name) => `netns add ${namespace(name)}\n`);
  await run('ip', ['-batch', '-'], added.join(''));
  await Promise.all(names.map((name) => runOn(name, prepare)));
  await Promise.all(routers.map((name) => runOn(name, forward)));
  for (const leaf of leaves) await buildLeaf(leaf);
  for (const host of plan.hosts) await buildHost(host);
  await Promise.all(spines.map((spine) => addRoutesOf(spine)));
  for (const leaf of leaves) await addEqualRoutes(leaf);
  if (plan.overlayMtu !== undefined) {
    await Promise.all(plan.hosts.map((host) => buildOverlay(host, plan, namespace)));
  }

  async function buildLeaf(leaf: Leaf): Promise<void> {
    await ip(namespace(`leaf${leaf}`), [
      'link set lo up',
      'link add hosts type bridge mcast_snooping 0',
      `addr add ${plan.leaf(leaf)}/${plan.bits} dev hosts${nodad}`,
      'link set hosts up',
      ...spines.flatMap((spine) => [
        `link add spine${spine} type veth peer name leaf${leaf} netns ${namespace(`spine${spine}`)}`,
        `addr add ${plan.link(leaf, spine).leaf}/${plan.bits} dev spine${spine}${nodad}`,
        `link set spine${spine} up`,
      ]),
    ]);
    await Promise.all(
      spines.map((spine) =>
        ip(namespace(`spine${spine}`), [
          `addr add ${plan.link(leaf, spine).spine}/${plan.bits} dev leaf${leaf}${nodad}`,
          `link set leaf${leaf} up`,
        ]),
      ),
    );
  }

  async function buildHost({ name, leaf, address, pingGroups }: PlannedHost): Promise<void> {
    await ip(namespace(`leaf${leaf}`), [
      `link add ${name} type veth peer name eth0 netns ${namespace(name)}`,
      `link set ${name} mtu ${hostMtu} master hosts up`,
    ]);
    await ip(namespace(name), [
      'link set lo up',
      `addr add ${address}/${plan.bits} dev eth0${nodad}`,
      `link set eth0 mtu ${hostMtu} up`,
      // As leaves with a smaller link behind them clamp it: TCP between hosts fits.
      `route add default via ${plan.leaf(leaf)} advmss ${usualMtu - tcpHeadersBytes[plan.family]}`,
    ]);
    await runOn(name, `echo '${pingGroups}' >/proc/sys/net/ipv4/ping_group_range\n`);
  }

  function addRoutesOf(spine: (typeof spines)[number]): Promise<void> {
    const routes = leaves.map(
      (leaf) => `route add ${plan.network(leaf)} via ${plan.link(leaf, spine).leaf}`,
    );
    return ip(namespace(`spine${spine}`), ['link set lo up', ...routes]);
  }

  async function addEqualRoutes(leaf: Leaf): Promise<void> {
    const other = leaf === 1 ? 2 : 1;
    const hops = spines.map((spine) => `nexthop via ${plan.link(leaf, spine).spine}`).join(' ');
    await ip(namespace(`leaf${leaf}`), [`route add ${plan.network(other)} ${hops}`]);
  }
}

/** Gives a host an endpoint, and both a way to all others in VXLAN packets, which no router may cut in pieces. */
async function buildOverlay(
  { name, address, overlay }: PlannedHost,
  { family, hosts, overlayBits, overlayMtu }: FabricPlan,
  namespace: (name: string) => string,
): Promise<void> {
  const nodad = family === 6 ? ' nodad' : '';
  const endpoint = namespace(endpointOf(name));
  const mtu = `mtu ${overlayMtu}`;
  await ip(namespace(name), [
    'link add overlay type bridge mcast_snooping 0',
    `link add vxlan type vxlan id 42 local ${address} dstport ${vxlanPort} df set`,
    `link set vxlan ${mtu} master overlay up`,
    `link add endpoint type veth peer name eth0 netns ${endpoint}`,
    `link set endpoint ${mtu} master overlay up`,
    `addr add ${overlay.host}/${overlayBits} dev overlay${nodad}`,
    `link set overlay ${mtu} up`,
  ]);
  await ip(endpoint, [
    'link set lo up',
    `addr add ${overlay.endpoint}/${overlayBits} dev eth0${nodad}`,
    `link set eth0 ${mtu} up`,
  ]);
  const others = hosts.filter((other) => other.name !== name);
  await bridge(
    namespace(name),
    others.map((other) => `fdb append 00:00:00:00:00:00 dev vxlan dst ${other.address}`),
  );
}
