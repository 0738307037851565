import { setTimeout as delay } from 'node:timers/promises';
import { runCommand } from '../../resources/program.js';
import { kubectl } from './control-plane.js';
import { namespace } from './install.js';
import { secondsSince } from './agents.js';

/** What of an object of Kubernetes is looked at here. */
export interface KubeObject {
  readonly kind?: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
  };
  readonly spec?: { readonly nodeName?: string };
  readonly status?: {
    readonly conditions?: readonly Condition[];
    readonly containerStatuses?: readonly ContainerStatus[];
    readonly phase?: string;
    readonly podIP?: string;
  };
  readonly endpoints?: readonly { readonly nodeName: string }[];
  readonly reason?: string;
  readonly note?: string;
  readonly message?: string;
  readonly type?: string;
  readonly regarding?: { readonly name: string; readonly kind: string };
}

export interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
}

interface ContainerState {
  readonly running?: { readonly startedAt: string };
  readonly terminated?: { readonly reason: string; readonly containerID?: string };
}

export interface ContainerStatus {
  readonly ready: boolean;
  readonly restartCount: number;
  readonly containerID?: string;
  readonly started?: boolean;
  readonly state?: ContainerState;
  readonly lastState?: ContainerState;
}

export async function list(...args: string[]): Promise<KubeObject[]> {
  return (JSON.parse(await kubectl(['get', ...args, '-o', 'json'])) as { items: KubeObject[] })
    .items;
}

export async function conditionOf(node: string, type: string): Promise<Condition | undefined> {
  const object = JSON.parse(await kubectl(['get', 'node', node, '-o', 'json'])) as KubeObject;
  return object.status?.conditions?.find((condition) => condition.type === type);
}

/** The pods of meshprobe; those of one node, or of one component, if that is given. */
export function pods(node?: string, component?: 'agent' | 'endpoint'): Promise<KubeObject[]> {
  const labels = ['app.kubernetes.io/name=meshprobe'];
  if (component !== undefined) labels.push(`app.kubernetes.io/component=${component}`);
  const of = node === undefined ? [] : [`--field-selector=spec.nodeName=${node}`];
  return list('pods', '-n', namespace, '-l', labels.join(','), ...of);
}

/** The one container of the pod that a component has on a node; undefined while there is none. */
export async function containerOf(
  node: string,
  component: 'agent' | 'endpoint',
): Promise<ContainerStatus | undefined> {
  return (await pods(node, component))[0]?.status?.containerStatuses?.[0];
}

/** Whether the agents may do something in a namespace: `yes` or `no`. */
export async function mayAgents(
  verb: string,
  resource: string,
  inNamespace: string,
): Promise<string> {
  const agent = `--as=system:serviceaccount:${namespace}:meshprobe`;
  const { stdout } = await runCommand('kubectl', [
    ...['auth', 'can-i', verb, resource, '-n', inNamespace, agent],
  ]);
  return stdout.trim();
}

/** The Events of the agents about a node, as their reasons. */
export async function eventsAbout(node: string): Promise<string[]> {
  const events = await list('events.events.k8s.io', '-n', 'default');
  return events
    .filter(({ regarding }) => regarding?.kind === 'Node' && regarding.name === node)
    .map(({ reason = '' }) => reason);
}

export async function warnings(): Promise<string[]> {
  const events = await list('events.events.k8s.io', '-n', namespace);
  return events
    .filter(({ type }) => type === 'Warning')
    .map(({ reason = '', note = '', regarding }) => `${regarding?.name} ${reason}: ${note}`);
}

/**
 * Asks again and again until the answer is the expected one.
 * @returns how long it took, in seconds
 * @throws Error with the last answer
 */
export async function untilAnswer<T>(
  question: () => Promise<T>,
  isExpected: (answer: T) => boolean,
  deadlineMs = 400_000,
): Promise<number> {
  const startedMs = performance.now();
  let last: string;
  for (;;) {
    try {
      const answer = await question();
      if (isExpected(answer)) return secondsSince(startedMs);
      last = JSON.stringify(answer);
    } catch (error) {
      last = (error as Error).message;
    }
    if (performance.now() - startedMs > deadlineMs) {
      throw new Error(`not as expected after ${deadlineMs / 1000} s: ${last.slice(0, 2000)}`);
    }
    await delay(500);
  }
}

/** Waits until the condition of the agents has this status, and returns the seconds. */
export function untilCondition(node: string, status: string, reason?: string): Promise<number> {
  return untilAnswer(
    () => conditionOf(node, 'MeshprobeNetworkHealthy'),
    (found) => found?.status === status && (reason === undefined || found.reason === reason),
  );
}
