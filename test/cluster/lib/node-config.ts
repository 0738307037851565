import { cgroupName, dnsAddress, type ClusterNode } from './place.js';
import { images } from './image-names.js';

/** Where Debian's and other packages have the plug-ins of the pod network. */
export const cniFolder = '/usr/lib/cni';

/**
 * The pod network: each pod has a cable of its own to its node, and nodes know each other's pods by routes. Without a
 * bridge, so that no bridge netfilter is needed, which a namespace may not load.
 */
export function podNetworkConfig({ podCidr }: ClusterNode): object {
  const ipam = { type: 'host-local', subnet: podCidr, routes: [{ dst: '0.0.0.0/0' }] };
  return { cniVersion: '0.4.0', name: 'pods', plugins: [{ type: 'ptp', mtu: 1500, ipam }] };
}

/** Snapshotters that this machine lacks would be tried and cost a line in the log each. */
const withoutPlugins = ['zfs', 'btrfs', 'devmapper', 'aufs']
  .map((name) => `"io.containerd.snapshotter.v1.${name}"`)
  .join(', ');

/** `restrict_oom_score_adj`: a container of a sandbox has no CAP_SYS_RESOURCE to give to the pods. */
export const containerdConfig = `version = 2
root = "/var/lib/containerd"
state = "/run/containerd"
disabled_plugins = [${withoutPlugins}]
[grpc]
address = "/run/containerd/containerd.sock"
[plugins."io.containerd.grpc.v1.cri"]
sandbox_image = "${images.pause}"
disable_apparmor = true
restrict_oom_score_adj = true
[plugins."io.containerd.grpc.v1.cri".cni]
bin_dir = "${cniFolder}"
conf_dir = "/etc/cni/net.d"
[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
runtime_type = "io.containerd.runc.v2"
[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options]
SystemdCgroup = false
`;

/** @param taints as `key=value:effect` */
export function kubeletConfig({ name }: ClusterNode, taints: readonly string[]): object {
  return {
    apiVersion: 'kubelet.config.k8s.io/v1beta1',
    kind: 'KubeletConfiguration',
    authentication: { anonymous: { enabled: true }, webhook: { enabled: false } },
    authorization: { mode: 'AlwaysAllow' },
    cgroupDriver: 'cgroupfs',
    // A cgroup root for each: a kubelet ends what it does not know in its own.
    cgroupRoot: `/${cgroupName}/${name}`,
    enforceNodeAllocatable: [],
    failSwapOn: false,
    failCgroupV1: false,
    clusterDNS: [dnsAddress],
    clusterDomain: 'cluster.local',
    containerRuntimeEndpoint: 'unix:///run/containerd/containerd.sock',
    resolvConf: '',
    makeIPTablesUtilChains: false,
    // The disk and the memory are those of the machine, which has much else.
    evictionHard: {
      'memory.available': '1Mi',
      'nodefs.available': '0%',
      'imagefs.available': '0%',
      'nodefs.inodesFree': '0%',
    },
    imageGCHighThresholdPercent: 100,
    // It lets a kubelet go on that may not change the machine's settings.
    featureGates: { KubeletInUserNamespace: true },
    // So a trial need not wait for minutes until a kubelet stops following what nobody asks for.
    syncFrequency: '20s',
    registerWithTaints: taints.map((taint) => {
      const [, key = '', value = '', effect = ''] = /^([^=]+)=([^:]*):(.+)$/.exec(taint) ?? [];
      return { key, value, effect };
    }),
  };
}
