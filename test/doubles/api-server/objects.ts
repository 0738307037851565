import { randomUUID } from 'node:crypto';
import type { Stored } from './collection.js';

export interface NodeOptions {
  readonly internal?: readonly string[];
  readonly external?: readonly string[];
  readonly uid?: string;
  readonly labels?: Readonly<Record<string, string>>;
  /** What its kubelet says of its host. */
  readonly info?: Readonly<Record<string, string>>;
  readonly isReady?: boolean | 'unknown';
  /** When its kubelet reported last; left out, no condition says so. */
  readonly reportedAt?: Date;
  /** When the Ready condition changed last; by default at the node's creation. */
  readonly readyChangedAt?: Date;
  readonly isCordoned?: boolean;
  /** The keys of its taints. */
  readonly taints?: readonly string[];
  readonly createdAt?: Date;
  readonly deletedAt?: Date;
  /** As many bytes of what nobody needs, as real nodes carry. */
  readonly ballastBytes?: number;
}

/** A node as the API server shows it. */
export function nodeObject(name: string, options: NodeOptions = {}): Stored {
  const { internal = [], external = [], taints = [], isReady = true, ballastBytes = 0 } = options;
  const createdAt = options.createdAt ?? new Date('2026-01-01T00:00:00Z');
  const address = (type: string) => (ip: string) => ({ type, address: ip });
  const status = isReady === 'unknown' ? 'Unknown' : isReady ? 'True' : 'False';
  return {
    metadata: {
      name,
      uid: options.uid ?? randomUUID(),
      labels: { 'kubernetes.io/hostname': name, ...options.labels },
      creationTimestamp: createdAt.toISOString(),
      ...(options.deletedAt ? { deletionTimestamp: options.deletedAt.toISOString() } : {}),
    },
    spec: {
      podCIDR: '10.244.0.0/24',
      ...(options.isCordoned ? { unschedulable: true } : {}),
      ...(taints.length > 0
        ? { taints: taints.map((key) => ({ key, effect: 'NoSchedule' })) }
        : {}),
    },
    status: {
      ...(options.info && { nodeInfo: options.info }),
      addresses: [
        { type: 'Hostname', address: name },
        ...external.map(address('ExternalIP')),
        ...internal.map(address('InternalIP')),
      ],
      conditions: [
        { type: 'MemoryPressure', status: 'False', reason: 'KubeletHasSufficientMemory' },
        {
          type: 'Ready',
          status,
          reason: isReady === true ? 'KubeletReady' : 'KubeletNotReady',
          lastTransitionTime: wholeSeconds(options.readyChangedAt ?? createdAt),
          ...(options.reportedAt && { lastHeartbeatTime: wholeSeconds(options.reportedAt) }),
        },
      ],
      images: imagesOf(Math.round(ballastBytes / 200)),
    },
  };
}

export interface PodOptions {
  readonly node: string;
  readonly ips?: readonly string[];
  readonly labels?: Readonly<Record<string, string>>;
  readonly namespace?: string;
  readonly phase?: string;
  readonly deletedAt?: Date;
  readonly uid?: string;
  readonly hostNetwork?: boolean;
  readonly container?: ContainerOptions;
}

/** The one container of a pod, as its kubelet reports it. */
export interface ContainerOptions {
  readonly image: string;
  readonly id: string;
  readonly startedAt: Date;
  /** It does not run any more. */
  readonly finishedAt?: Date;
  readonly restarts?: number;
}

const endpointLabels = {
  'app.kubernetes.io/name': 'meshprobe',
  'app.kubernetes.io/component': 'endpoint',
};

/** A pod as the API server shows it, by default one of the endpoint DaemonSet. */
export function podObject(name: string, options: PodOptions): Stored {
  const { node, ips = [], labels = endpointLabels, namespace = 'meshprobe', container } = options;
  return {
    metadata: {
      name,
      namespace,
      uid: options.uid ?? randomUUID(),
      labels,
      ...(options.deletedAt ? { deletionTimestamp: options.deletedAt.toISOString() } : {}),
    },
    spec: {
      nodeName: node,
      ...(options.hostNetwork && { hostNetwork: true }),
      ...(container && { containers: [{ name: 'main', image: container.image }] }),
    },
    status: {
      phase: options.phase ?? 'Running',
      ...(container && { containerStatuses: [containerStatus(container)] }),
      ...(ips.length > 0 ? { podIP: ips[0], podIPs: ips.map((ip) => ({ ip })) } : {}),
    },
  };
}

function containerStatus({ image, id, startedAt, finishedAt, restarts = 0 }: ContainerOptions) {
  const state = finishedAt
    ? { terminated: { exitCode: 0, finishedAt: wholeSeconds(finishedAt) } }
    : { running: { startedAt: wholeSeconds(startedAt) } };
  return { name: 'main', image, containerID: `containerd://${id}`, restartCount: restarts, state };
}

/** A node as Cilium describes it. */
export function ciliumNodeObject(name: string, health: { ipv4?: string; ipv6?: string }): Stored {
  return { metadata: { name, uid: randomUUID() }, spec: { health } };
}

/** A time as the API server gives it. */
function wholeSeconds(at: Date): string {
  return at.toISOString().replace(/\.\d+Z$/, 'Z');
}

/** Images of a node, some 200 bytes each: the bulk of a real node object. */
export function imagesOf(count: number): object[] {
  return Array.from({ length: count }, (_, index) => ({
    names: [
      `registry.example/team-${index}/application@sha256:${String(index).padStart(64, 'ab')}`,
      `registry.example/team-${index}/application:v1.${index}.0`,
    ],
    sizeBytes: 100_000_000 + index,
  }));
}
