import type { Node } from '../../model/node.js';
import type { NodeSource } from '../node-source.js';
import type { ReportSourceState } from '../source-state.js';
import type { ApiReader } from './api-client.js';
import { systemClock } from '../../platform/clock.js';
import { EmptyListGuard } from '../empty-list-guard.js';
import { projectCiliumNode, projectPod, type ProjectedEndpoint } from './endpoint-projection.js';
import { joinNodes } from './join-nodes.js';
import type { Labels } from './label-selector.js';
import type { GracePeriods } from './lifecycle.js';
import { defaultTimings, type ListWatchTimings } from './list-watch-timings.js';
import { ListWatch } from './list-watch.js';
import { createNodeProjection, type ProjectedNode } from './node-projection.js';
import { NodeRows } from './node-rows.js';
import { PodRows } from './pod-rows.js';

/** Where the health endpoints' addresses come from. */
export type EndpointSource =
  | { readonly kind: 'pods'; readonly namespace: string; readonly selector: string }
  | { readonly kind: 'ciliumnodes' }
  /** Endpoints are not probed, so they are not listed. */
  | { readonly kind: 'none' };

/** The nodes as the API server shows them, for whoever writes onto them. */
export interface ListedNodes {
  /** By name. */
  readonly nodes: ReadonlyMap<string, ProjectedNode>;
  /** Whether the server answers now, so that this is how they are. */
  readonly isCurrent: boolean;
}

/** In milliseconds. */
export interface KubernetesTimings {
  /** Changes within this time are emitted as one list. */
  readonly debounceMs: number;
  /** How long the first list waits for the endpoints once the nodes are there. */
  readonly endpointWaitMs: number;
  /** How long a list must stay empty to be accepted after a full one. */
  readonly emptyGraceMs: number;
  readonly gracePeriods: GracePeriods;
  readonly listWatch: Partial<ListWatchTimings>;
}

const defaults: KubernetesTimings = {
  debounceMs: 300,
  endpointWaitMs: 5000,
  emptyGraceMs: 60_000,
  gracePeriods: { joinMs: 120_000, leaveMs: 60_000 },
  listWatch: {},
};

export interface KubernetesSourceOptions {
  readonly clusterName: string;
  readonly client: ApiReader;
  readonly endpoints: EndpointSource;
  readonly isDeselected?: (labels: Labels) => boolean;
  /** The labels that nodes keep; left out, none. */
  readonly groupBy?: readonly string[] | undefined;
  readonly report: ReportSourceState;
  /** Called whenever the nodes or the state of the connection may have changed. */
  readonly onListedNodes?: ((listed: ListedNodes) => void) | undefined;
  /** Whether changes come as whole nodes: who writes onto them must see at once what is written there. Left out, as rows. */
  readonly watchesWhole?: boolean | undefined;
  /** Checked once before anything is asked. */
  readonly check?: () => Promise<void>;
  readonly timings?: Partial<KubernetesTimings>;
}

/**
 * The nodes of a Kubernetes cluster with their health endpoints. It waits for the API server as
 * long as needed, and keeps the last list while the server is away.
 */
export class KubernetesSource implements NodeSource {
  readonly #options: KubernetesSourceOptions;
  readonly #timings: KubernetesTimings;
  readonly #nodes: ListWatch<ProjectedNode>;
  readonly #endpoints: ListWatch<ProjectedEndpoint> | undefined;
  readonly #believed: {
    readonly nodes: EmptyListGuard<ProjectedNode>;
    readonly endpoints: EmptyListGuard<ProjectedEndpoint>;
  };
  #listedNodes: ReadonlyMap<string, ProjectedNode> | undefined;
  #listedEndpoints: ReadonlyMap<string, ProjectedEndpoint> | undefined;
  /** Monotonic, as all times of this class are, but those that people read and that the API server wrote. */
  #endpointsDueMs = Infinity;
  #onNodes: ((nodes: readonly Node[]) => void) | undefined;
  #emitted: string | undefined;
  #timer: NodeJS.Timeout | undefined;
  #timerMs = Infinity;
  #startedAt = 0;
  #isStopped = false;

  constructor(options: KubernetesSourceOptions) {
    this.#options = options;
    this.#timings = { ...defaults, ...options.timings };
    const { emptyGraceMs, endpointWaitMs, listWatch: timings } = this.#timings;
    const { client, endpoints, isDeselected, groupBy } = options;
    this.#believed = {
      nodes: new EmptyListGuard(emptyGraceMs),
      endpoints: new EmptyListGuard(emptyGraceMs),
    };
    const onState = (): void => {
      this.#report();
      this.#tellListed();
    };
    this.#nodes = new ListWatch({
      client,
      path: '/api/v1/nodes',
      project: createNodeProjection({ isDeselected, groupBy }),
      rows: options.watchesWhole === true ? undefined : new NodeRows(),
      timings,
      onState,
      onObjects: (nodes) => {
        if (!this.#listedNodes) this.#endpointsDueMs = systemClock.nowMs() + endpointWaitMs;
        this.#listedNodes = nodes;
        this.#tellListed();
        this.#schedule();
      },
    });
    const request = requestFor(endpoints);
    if (!request) this.#listedEndpoints = new Map();
    this.#endpoints =
      request &&
      new ListWatch({
        client,
        ...request,
        // Whole lists of them would be the most of what an agent is sent.
        timings: {
          ...timings,
          relistMs: timings.relistRarelyMs ?? defaultTimings.relistRarelyMs,
        },
        onState,
        onObjects: (listed) => {
          this.#listedEndpoints = listed;
          this.#schedule();
        },
      });
  }

  async start(onNodes: (nodes: readonly Node[]) => void): Promise<void> {
    await this.#options.check?.();
    if (this.#isStopped) return;
    this.#onNodes = onNodes;
    this.#startedAt = systemClock.wallMs();
    this.#report();
    this.#nodes.start();
    this.#endpoints?.start();
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    this.#nodes.stop();
    this.#endpoints?.stop();
    this.#options.client.close();
  }

  /** Makes the list within the debounce time; the first one at once. */
  #schedule(): void {
    this.#wakeAt(
      systemClock.nowMs() + (this.#emitted === undefined ? 0 : this.#timings.debounceMs),
    );
  }

  #wakeAt(dueMs: number | undefined): void {
    if (this.#isStopped || dueMs === undefined || dueMs >= this.#timerMs) return;
    clearTimeout(this.#timer);
    this.#timerMs = dueMs;
    // A longer timer than Node can take would fire at once; waking early does no harm.
    const delayMs = Math.min(Math.max(dueMs - systemClock.nowMs(), 0), 3_600_000);
    this.#timer = setTimeout(() => this.#make(), delayMs);
  }

  #make(): void {
    this.#timerMs = Infinity;
    const nowMs = systemClock.nowMs();
    if (!this.#listedNodes || !this.#onNodes) return;
    if (!this.#listedEndpoints && nowMs < this.#endpointsDueMs) {
      this.#wakeAt(this.#endpointsDueMs);
      return;
    }
    const { nodes, endpoints } = this.#believed;
    const { clusterName } = this.#options;
    // Lifecycles follow from timestamps of the API server.
    const now = systemClock.wallMs();
    const joined = joinNodes(
      nodes.accept(this.#listedNodes, nowMs).values(),
      endpoints.accept(this.#listedEndpoints ?? new Map(), nowMs).values(),
      { clusterName, gracePeriods: this.#timings.gracePeriods, now },
    );
    const joinedMs = joined.until === undefined ? undefined : nowMs + (joined.until - now);
    for (const dueMs of [joinedMs, nodes.untilMs, endpoints.untilMs]) this.#wakeAt(dueMs);
    const text = JSON.stringify(joined.nodes);
    if (text === this.#emitted) return;
    this.#emitted = text;
    this.#onNodes(joined.nodes);
  }

  #tellListed(): void {
    if (this.#isStopped || !this.#listedNodes) return;
    const isCurrent = this.#nodes.state.failingSince === undefined;
    this.#options.onListedNodes?.({ nodes: this.#listedNodes, isCurrent });
  }

  #report(): void {
    if (this.#isStopped) return;
    const { clusterName, endpoints, report } = this.#options;
    const nodes = this.#nodes.state;
    const areNodesWell = nodes.lists > 0 && nodes.failingSince === undefined;
    const state = (areNodesWell ? this.#endpoints?.state : undefined) ?? nodes;
    const what = state === nodes ? 'nodes' : nameOf(endpoints);
    report({
      source: `Kubernetes API of ${clusterName}`,
      waitsFor: `${what} of the Kubernetes API of ${clusterName}`,
      since: state.failingSince ?? (state.lists === 0 ? this.#startedAt : undefined),
      lastError: state.lastError,
      listAt: nodes.lists === 0 ? undefined : nodes.heardAt,
      ...(nodes.form && { form: nodes.form }),
    });
  }
}

function requestFor(source: EndpointSource) {
  switch (source.kind) {
    case 'pods':
      return {
        path: `/api/v1/namespaces/${source.namespace}/pods`,
        query: { labelSelector: source.selector },
        project: projectPod,
        rows: new PodRows(source.namespace),
      };
    case 'ciliumnodes':
      return { path: '/apis/cilium.io/v2/ciliumnodes', project: projectCiliumNode };
    case 'none':
      return undefined;
  }
}

function nameOf(source: EndpointSource): string {
  return source.kind === 'pods' ? `endpoint pods in namespace ${source.namespace}` : 'CiliumNodes';
}
