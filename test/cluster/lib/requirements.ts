import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { whyNoKubernetes } from '../../../scripts/kubernetes-tools.js';
import { toolsFolder } from '../../../scripts/go-tools.js';
import { isThere } from '../../image/lib/command.js';
import { cniFolder } from './node-config.js';

/** What it takes beside Kubernetes' own programs, as command and Debian's package. */
const commands = {
  ip: 'iproute2',
  nft: 'nftables',
  conntrack: 'conntrack',
  openssl: 'openssl',
  containerd: 'containerd',
  runc: 'runc',
  buildah: 'buildah',
  busybox: 'busybox-static',
};

/**
 * Why no cluster can be started here; undefined if one can.
 * @param baseImage whether the image that meshprobe's begins with is given, and need not be made
 */
export function whyNoCluster(baseImage: boolean): string | undefined {
  if (process.platform !== 'linux') return 'it takes Linux';
  if (process.getuid?.() !== 0) return 'it takes root';
  if (!existsSync('/sys/fs/cgroup') || readdirSync('/sys/fs/cgroup').length === 0) {
    return 'no cgroups in /sys/fs/cgroup here';
  }
  const wanted = { ...commands, ...(baseImage ? {} : { debootstrap: 'debootstrap' }) };
  const packages = Object.entries(wanted).filter(([command]) => !isThere(command));
  if (packages.length > 0) {
    const list = packages.map(([command, name]) => `${command} (Debian package ${name})`);
    return `no ${list.join(', no ')} here`;
  }
  if (!existsSync(join(cniFolder, 'ptp'))) {
    return `no ${join(cniFolder, 'ptp')} here (Debian package containernetworking-plugins)`;
  }
  if (!existsSync(join(toolsFolder, 'helm'))) return 'no helm here: `npm run tools` builds it';
  return whyNoKubernetes();
}
