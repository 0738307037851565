import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** All that a cluster writes is in this folder, so that whoever comes later can end what is left of it. */
export const stateFolder = '/var/lib/meshprobe-cluster';
/** The images as archives. They are kept between clusters. */
export const imagesFolder = join(
  process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'),
  'meshprobe',
  'cluster-images',
);
export const programsFolder = join(stateFolder, 'bin');
export const kubeconfig = join(stateFolder, 'kubeconfig');
export const pkiFolder = join(stateFolder, 'pki');

/** The network namespaces: of the cable between all, of the control plane, and one a node. */
export const fabric = 'mpc-fabric';
export const control = 'mpc-control';
/** Every cgroup of the cluster is below one of this name. */
export const cgroupName = 'meshprobe-cluster';

/** The addresses are for documents and private networks (RFC 5737, RFC 1918), and nothing has a route out. */
export const addressOfControl = '198.51.100.100';
export const addressOfFabric = '198.51.100.254';
export const apiUrl = `https://${addressOfControl}:6443`;
export const serviceCidr = '10.96.0.0/16';
export const dnsAddress = '10.96.0.10';
export const maxNodes = 16;

/** A node of the cluster: a network and a mount namespace with containerd, kubelet and kube-proxy. */
export interface ClusterNode {
  readonly number: number;
  readonly name: string;
  readonly namespace: string;
  readonly address: string;
  readonly podCidr: string;
  readonly folder: string;
}

/** @param number from 1 to `maxNodes` */
export function nodeOf(number: number): ClusterNode {
  const name = `node${number}`;
  return {
    number,
    name,
    namespace: `mpc-${name}`,
    address: `198.51.100.${number}`,
    podCidr: `10.244.${number}.0/24`,
    folder: join(stateFolder, name),
  };
}

/** Every node that could be there. */
export const allNodes = Array.from({ length: maxNodes }, (_, index) => nodeOf(index + 1));

/**
 * The command that runs another one in the network namespace of the control plane. `ip netns exec` would give it a
 * /sys without cgroups.
 */
export function inControl(command: readonly string[]): readonly [string, ...string[]] {
  return ['nsenter', `--net=/run/netns/${control}`, '--', ...command];
}

/**
 * The command that runs another one in all namespaces of a node.
 * @throws Error if the node is not running
 */
export function inNode(
  node: ClusterNode,
  command: readonly string[],
): readonly [string, ...string[]] {
  const holder = join(node.folder, 'holder.pid');
  if (!existsSync(holder)) throw new Error(`${node.name} is not running`);
  const pid = readFileSync(holder, 'utf8').trim();
  return ['nsenter', '-t', pid, '--net', '--mount', '--uts', '--', ...command];
}
