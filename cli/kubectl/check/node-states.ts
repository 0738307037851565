/** What the API server says of a node, a pod and an Event, as far as it is needed. */
export interface NodeObject {
  readonly metadata: {
    readonly name: string;
    readonly labels?: Readonly<Record<string, string>>;
  };
  readonly status?: { readonly conditions?: readonly ConditionObject[] };
}

interface ConditionObject {
  readonly type: string;
  readonly status: string;
  readonly message?: string;
}

interface ContainerState {
  readonly running?: object;
  readonly waiting?: { readonly reason?: string; readonly message?: string };
  readonly terminated?: { readonly reason?: string; readonly exitCode?: number };
}

export interface PodObject {
  readonly metadata: {
    readonly name: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly deletionTimestamp?: string;
  };
  readonly spec?: {
    readonly nodeName?: string;
    readonly affinity?: {
      readonly nodeAffinity?: {
        readonly requiredDuringSchedulingIgnoredDuringExecution?: {
          readonly nodeSelectorTerms?: readonly {
            readonly matchFields?: readonly { readonly values?: readonly string[] }[];
          }[];
        };
      };
    };
  };
  readonly status?: {
    readonly conditions?: readonly ConditionObject[];
    readonly containerStatuses?: readonly { readonly state?: ContainerState }[];
  };
}

export interface EventObject {
  readonly reason?: string;
  readonly message?: string;
}

/** How far the two pods of a node are. */
export interface NodeState {
  readonly node: string;
  /** The pod of the agent, where it runs. */
  readonly agentPod: string | undefined;
  readonly hasEndpoint: boolean;
  /** Why not both run; undefined: they do. */
  readonly why: string | undefined;
  /** Waiting may not help: an image that cannot be pulled, no room. */
  readonly isStuck: boolean;
  /** Agents are for Linux. */
  readonly isForeign: boolean;
}

const component = 'app.kubernetes.io/component';
/** The kubelet is at work. */
const atWork: ReadonlySet<string> = new Set(['ContainerCreating', 'PodInitializing']);

/** Tells of each node how far its pods are. */
export function nodeStates(
  nodes: readonly NodeObject[],
  pods: readonly PodObject[],
  events: readonly EventObject[],
): NodeState[] {
  // Each later one is of another pod, with the same reason.
  const refused = events.find(({ reason }) => reason === 'FailedCreate')?.message;
  const podOf = new Map<string, PodObject>();
  for (const pod of pods) {
    if (pod.metadata.deletionTimestamp !== undefined) continue;
    podOf.set(`${pod.metadata.labels?.[component] ?? ''} ${nodeOf(pod) ?? ''}`, pod);
  }
  return nodes.map(({ metadata: { name, labels }, status }) => {
    const os = labels?.['kubernetes.io/os'] ?? 'linux';
    if (os !== 'linux') {
      const why = `it runs ${os}, and the agent is for Linux`;
      return {
        node: name,
        agentPod: undefined,
        hasEndpoint: false,
        why,
        isStuck: true,
        isForeign: true,
      };
    }
    const ready = status?.conditions?.find(({ type }) => type === 'Ready');
    const [agent, endpoint] = (['agent', 'endpoint'] as const).map((part) =>
      podState(podOf.get(`${part} ${name}`), part, refused),
    ) as [PodState, PodState];
    const first = agent.why === undefined ? endpoint : agent;
    const notReady =
      ready && ready.status !== 'True' ? `the node is not ready (${ready.message ?? ''})` : '';
    return {
      node: name,
      agentPod: agent.pod,
      hasEndpoint: endpoint.pod !== undefined,
      why: first.why === undefined || notReady === '' ? first.why : `${notReady}, ${first.why}`,
      isStuck: first.why !== undefined && (first.isStuck || notReady !== ''),
      isForeign: false,
    };
  });
}

interface PodState {
  readonly pod?: string;
  readonly why?: string;
  readonly isStuck: boolean;
}

function podState(pod: PodObject | undefined, part: string, refused: string | undefined): PodState {
  if (!pod) {
    return refused === undefined
      ? { why: `its ${part} was not made yet`, isStuck: false }
      : { why: `its ${part} was refused: ${refused}`, isStuck: true };
  }
  const { conditions = [], containerStatuses = [] } = pod.status ?? {};
  const unscheduled = conditions.find(
    ({ type, status }) => type === 'PodScheduled' && status === 'False',
  );
  if (unscheduled) {
    return { why: `no room for its ${part}: ${unscheduled.message ?? ''}`, isStuck: true };
  }
  const state = containerStatuses[0]?.state;
  if (state?.running) return { pod: pod.metadata.name, isStuck: false };
  if (state?.terminated) {
    const { reason = 'ended', exitCode } = state.terminated;
    return { why: `its ${part} ended: ${reason}, exit code ${exitCode ?? '?'}`, isStuck: true };
  }
  const { reason = '', message = '' } = state?.waiting ?? {};
  if (reason === '' || atWork.has(reason)) {
    return { why: `its ${part} is starting`, isStuck: false };
  }
  return {
    why: `its ${part} does not start: ${reason}${message === '' ? '' : `: ${message}`}`,
    isStuck: true,
  };
}

/** A pod of a DaemonSet that is not scheduled yet says for which node it is. */
function nodeOf({ spec }: PodObject): string | undefined {
  const terms =
    spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
  return spec?.nodeName ?? terms?.[0]?.matchFields?.[0]?.values?.[0];
}
