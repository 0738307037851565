import { listOf, mappingOf, textOf, timeOf } from '../discovery/object-fields.js';
import { networkProgramOf, type NetworkProgram } from './known-pods.js';

/** One container of a pod, as its kubelet reports it. */
export interface PodContainer {
  readonly name: string;
  /** Of its image: the tag, or the begin of the digest; `?` where neither is known. */
  readonly version: string;
  /** What the container runtime calls it; another one after each start. Undefined where it does not run. */
  readonly runs: string | undefined;
  /** Epoch milliseconds, in whole seconds, of its start, or where it does not run of its end. */
  readonly sinceAt: number | undefined;
  readonly restarts: number;
}

/** A pod of kube-proxy or of a network plugin. */
export interface NetworkPod extends NetworkProgram {
  readonly uid: string;
  /** Its main container first. */
  readonly containers: readonly PodContainer[];
}

const defaultContainer = 'kubectl.kubernetes.io/default-container';
const mostContainers = 16;

/** What is needed of a pod; undefined for one that is none of kube-proxy and network plugins. */
export function projectNetworkPod(object: unknown): NetworkPod | undefined {
  const { metadata, spec, status } = mappingOf(object);
  const { labels, uid, annotations } = mappingOf(metadata);
  const program = networkProgramOf(labels);
  if (!program || textOf(uid) === '') return undefined;
  const statuses = listOf(mappingOf(status)['containerStatuses']).map(mappingOf);
  const main = textOf(mappingOf(annotations)[defaultContainer]);
  const containers = listOf(mappingOf(spec)['containers'])
    .slice(0, mostContainers)
    .map(mappingOf)
    .map(({ name, image }) =>
      containerOf(
        textOf(name),
        textOf(image),
        statuses.find((one) => one['name'] === name),
      ),
    );
  containers.sort((a, b) => Number(b.name === main) - Number(a.name === main));
  return { ...program, uid: textOf(uid), containers };
}

function containerOf(
  name: string,
  image: string,
  { state, lastState, containerID, restartCount }: Readonly<Record<string, unknown>> = {},
): PodContainer {
  const { running, terminated } = mappingOf(state);
  const isRunning = typeof running === 'object' && running !== null;
  // One that waits for its next start says there how it ended.
  const ended = terminated ?? mappingOf(lastState)['terminated'];
  const at = isRunning ? mappingOf(running)['startedAt'] : mappingOf(ended)['finishedAt'];
  return {
    name,
    version: versionOf(image),
    runs: isRunning ? textOf(containerID) || textOf(at) : undefined,
    sinceAt: timeOf(at),
    restarts: Number.isSafeInteger(restartCount) ? Math.max(Number(restartCount), 0) : 0,
  };
}

const longestTag = 24;
const digestDigits = 12;

/** What tells an image from the one before: `v1.34.1` of `registry.k8s.io/kube-proxy:v1.34.1@sha256:ab...`. */
export function versionOf(image: string): string {
  const [, name = '', digest] = /^([^@]*)(?:@sha256:([0-9a-f]+))?/.exec(image) ?? [];
  const tag = /:([\w.-]+)$/.exec(name)?.[1];
  if (tag !== undefined) return tag.slice(0, longestTag);
  return digest === undefined ? '?' : `sha256:${digest.slice(0, digestDigits)}`;
}
