import { imagesOf } from '../../doubles/api-server/objects.js';

const conditionTypes = ['MemoryPressure', 'DiskPressure', 'PIDPressure', 'Ready'] as const;

function conditions(reportedAt: Date): object[] {
  return conditionTypes.map((type) => ({
    type,
    status: type === 'Ready' ? 'True' : 'False',
    lastHeartbeatTime: reportedAt.toISOString(),
    lastTransitionTime: '2026-01-01T00:00:00Z',
    reason: type === 'Ready' ? 'KubeletReady' : `KubeletHas${type}`,
    message: type === 'Ready' ? 'kubelet is posting ready status' : `kubelet has no ${type}`,
  }));
}

const resources = {
  cpu: '16',
  'ephemeral-storage': '203056560Ki',
  'hugepages-1Gi': '0',
  'hugepages-2Mi': '0',
  memory: '65535364Ki',
  pods: '110',
};

/** A Node as its kubelet registers it, with the fifty images that kubelets list by default: some 12 KB. */
export function kubeletNode(name: string, index: number, reportedAt: Date): object {
  const ip = `10.${1 + (index >> 16)}.${(index >> 8) & 255}.${index & 255}`;
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      labels: {
        'beta.kubernetes.io/arch': 'amd64',
        'beta.kubernetes.io/os': 'linux',
        'kubernetes.io/arch': 'amd64',
        'kubernetes.io/os': 'linux',
        'kubernetes.io/hostname': name,
        'node.kubernetes.io/instance-type': 'm5.4xlarge',
        'topology.kubernetes.io/region': 'west',
        'topology.kubernetes.io/zone': `west-${index % 3}`,
      },
      annotations: {
        'node.alpha.kubernetes.io/ttl': '0',
        'volumes.kubernetes.io/controller-managed-attach-detach': 'true',
      },
    },
    spec: { podCIDR: '10.244.0.0/24', podCIDRs: ['10.244.0.0/24'], providerID: `cloud:///${name}` },
    status: {
      addresses: [
        { type: 'InternalIP', address: ip },
        { type: 'Hostname', address: name },
      ],
      allocatable: resources,
      capacity: resources,
      conditions: conditions(reportedAt),
      daemonEndpoints: { kubeletEndpoint: { Port: 10_250 } },
      images: imagesOf(50),
      nodeInfo: {
        architecture: 'amd64',
        bootID: '0f5a3c0e-51c4-4c5e-9f2b-2f8a5f5a7f10',
        containerRuntimeVersion: 'containerd://1.7.27',
        kernelVersion: '6.1.0-37-amd64',
        kubeProxyVersion: '',
        kubeletVersion: 'v1.33.3',
        machineID: 'ec2b0f8f1c5c4a5d9a1b2c3d4e5f6071',
        operatingSystem: 'linux',
        osImage: 'Debian GNU/Linux 12 (bookworm)',
        systemUUID: 'ec2b0f8f-1c5c-4a5d-9a1b-2c3d4e5f6071',
      },
    },
  };
}

/** The patch by which a kubelet reports that nothing has changed. */
export function kubeletReport(reportedAt: Date): object {
  const lastHeartbeatTime = reportedAt.toISOString();
  return {
    status: {
      '$setElementOrder/conditions': conditionTypes.map((type) => ({ type })),
      conditions: conditionTypes.map((type) => ({ lastHeartbeatTime, type })),
    },
  };
}
