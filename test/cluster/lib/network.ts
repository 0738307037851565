import { ip, run } from '../../lab/lib/command.js';
import {
  addressOfControl,
  addressOfFabric,
  allNodes,
  control,
  fabric,
  type ClusterNode,
} from './place.js';

/** Makes the cable between all, and the control plane's place at it. */
export async function makeFabric(): Promise<void> {
  await run('ip', ['netns', 'add', fabric]);
  await ip(fabric, [
    'link set lo up',
    'link add br0 type bridge mcast_snooping 0',
    `addr add ${addressOfFabric}/24 dev br0`,
    'link set br0 up',
  ]);
  await join(control, addressOfControl);
}

/** Puts a new namespace for a node at the cable. */
export async function makeNodeNetwork({ namespace, address, name }: ClusterNode): Promise<void> {
  await join(namespace, address, name);
}

/** What pulling the cable of a node does. */
export async function setLink({ name }: ClusterNode, state: 'up' | 'down'): Promise<void> {
  await ip(fabric, [`link set ${name} ${state}`]);
}

async function join(namespace: string, address: string, port = 'control'): Promise<void> {
  await run('ip', ['netns', 'add', namespace]);
  await ip(fabric, [
    `link add ${port} type veth peer name eth0 netns ${namespace}`,
    `link set ${port} master br0 up`,
  ]);
  await ip(namespace, [
    'link set lo up',
    `addr add ${address}/24 dev eth0`,
    'link set eth0 up',
    `route add default via ${addressOfFabric}`,
    ...allNodes
      .filter((node) => node.namespace !== namespace)
      .map((node) => `route add ${node.podCidr} via ${node.address}`),
  ]);
  await run('nsenter', [
    `--net=/run/netns/${namespace}`,
    ...['sysctl', '-qw', 'net.ipv4.ip_forward=1'],
    ...['net.ipv4.conf.all.rp_filter=0', 'net.ipv4.conf.default.rp_filter=0'],
  ]);
}
