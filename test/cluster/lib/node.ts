import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { dirname, join } from 'node:path';
import { run } from '../../lab/lib/command.js';
import { makeCgroups, processesInCgroups, removeCgroups } from './cgroups.js';
import { endProcesses } from './end.js';
import { makeNodeNetwork } from './network.js';
import { containerdConfig, kubeletConfig, podNetworkConfig } from './node-config.js';
import { imagesFolder, inNode, kubeconfig, programsFolder, type ClusterNode } from './place.js';
import { startProgram, until } from './spawn.js';

/** What a node has for itself. The rest of the file system is the machine's. */
const ownFolders = [
  '/run',
  '/var/lib/kubelet',
  '/var/lib/containerd',
  '/var/lib/cni',
  '/var/log/pods',
  '/var/log/containers',
  '/etc/cni/net.d',
  '/opt/cni',
];

export interface NodeOptions {
  /** Taints that the node registers with, as `key=value:effect`. */
  readonly taints?: readonly string[];
}

/** Boots a node, new or switched off before. It is in the cluster when its kubelet says so. */
export async function bootNode(node: ClusterNode, options: NodeOptions = {}): Promise<void> {
  for (const folder of ownFolders) {
    mkdirSync(join(node.folder, 'fs', folder), { recursive: true });
    mkdirSync(folder, { recursive: true });
  }
  mkdirSync(join(node.folder, 'fs/run/lock'), { recursive: true });
  await makeNodeNetwork(node);
  makeCgroups(node.name);
  await holdNamespaces(node);
  const at = (name: string) => join(node.folder, name);
  writeFileSync(
    join(node.folder, 'fs/etc/cni/net.d/10-pods.conflist'),
    JSON.stringify(podNetworkConfig(node)),
  );
  writeFileSync(at('containerd.toml'), containerdConfig);
  writeFileSync(at('kubelet.json'), JSON.stringify(kubeletConfig(node, options.taints ?? [])));
  startProgram(
    `containerd-${node.name}`,
    inNode(node, ['containerd', '--config', at('containerd.toml')]),
  );
  const socket = join(node.folder, 'fs/run/containerd/containerd.sock');
  await until(`containerd of ${node.name} answers`, 180_000, () => existsSync(socket));
  await importImages(node);
  startKubelet(node);
  startKubeProxy(node);
}

function startKubelet(node: ClusterNode): void {
  startProgram(
    `kubelet-${node.name}`,
    inNode(node, [
      join(programsFolder, 'kubelet'),
      `--kubeconfig=${kubeconfig}`,
      `--config=${join(node.folder, 'kubelet.json')}`,
      `--hostname-override=${node.name}`,
      `--node-ip=${node.address}`,
    ]),
  );
}

export function startKubeProxy(node: ClusterNode): void {
  startProgram(`kube-proxy-${node.name}`, inNode(node, kubeProxy(node)));
}

/** The command that runs kube-proxy on a node. */
export function kubeProxy(node: ClusterNode): [string, ...string[]] {
  return [
    join(programsFolder, 'kube-proxy'),
    `--kubeconfig=${kubeconfig}`,
    '--proxy-mode=nftables',
    `--hostname-override=${node.name}`,
    '--cluster-cidr=10.244.0.0/16',
    // These settings belong to the machine, which does not let them be changed from a namespace.
    '--conntrack-max-per-core=0',
    '--conntrack-tcp-timeout-established=0',
    '--conntrack-tcp-timeout-close-wait=0',
  ];
}

/**
 * Switches a node off: all its processes end at once, and its network is gone. What it has on its disk stays, but for
 * /run, which a real one has in memory.
 */
export async function switchOff(node: ClusterNode): Promise<void> {
  rmSync(join(node.folder, 'holder.pid'), { force: true });
  await endProcesses([node.namespace], () => processesInCgroups(node.name));
  await run('ip', ['netns', 'del', node.namespace]);
  await until(
    `the cgroups of ${node.name} are gone`,
    120_000,
    () => removeCgroups(node.name) === 0,
  );
  rmSync(join(node.folder, 'fs/run'), { recursive: true, force: true });
}

/** Switches a node off, if it is on, and forgets its disk. */
export async function removeNode(node: ClusterNode): Promise<void> {
  if (existsSync(join(node.folder, 'holder.pid'))) await switchOff(node);
  rmSync(node.folder, { recursive: true, force: true });
}

/** Gives the images to a node that is running. */
async function importImages(node: ClusterNode): Promise<void> {
  for (const archive of readdirSync(imagesFolder).filter((name) => name.endsWith('.tar'))) {
    const [command, ...args] = inNode(node, ['ctr', '-n', 'k8s.io', 'images', 'import']);
    await run(command, [...args, join(imagesFolder, archive)]);
  }
}

/** Starts a process that keeps the namespaces of a node, in which its own folders are where they belong. */
async function holdNamespaces(node: ClusterNode): Promise<void> {
  const own = join(node.folder, 'fs');
  const pidFile = join(node.folder, 'holder.pid');
  const bootId = join(node.folder, 'boot-id');
  writeFileSync(bootId, `${randomUUID()}\n`);
  const script = [
    'set -e',
    'mount --make-rprivate /',
    // The mounts of pods must be seen by containerd, the kubelet and the containers alike.
    'mount --make-rshared /',
    // By it a kubelet tells that the machine was booted anew.
    `mount --bind ${bootId} /proc/sys/kernel/random/boot_id`,
    ...ownFolders.map((folder) => `mount --bind ${join(own, folder)} ${folder}`),
    `hostname ${node.name}`,
    `echo $$ >${pidFile}.new`,
    `mv ${pidFile}.new ${pidFile}`,
    'exec sleep infinity',
  ].join('\n');
  mkdirSync(dirname(pidFile), { recursive: true });
  startProgram(`holder-${node.name}`, [
    ...(['nsenter', `--net=/run/netns/${node.namespace}`] as const),
    ...['unshare', '--mount', '--uts', 'sh', '-c', script],
  ]);
  await until(`the namespaces of ${node.name} are there`, 120_000, () => existsSync(pidFile));
}
