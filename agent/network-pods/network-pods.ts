import type { Logger } from 'pino';
import type { ApiReader } from '../discovery/kubernetes/api-client.js';
import type { ListWatchTimings } from '../discovery/kubernetes/list-watch-timings.js';
import type { ListWatchState } from '../discovery/kubernetes/connection-state.js';
import { ListWatch } from '../discovery/kubernetes/list-watch.js';
import type { SeenChange } from '../model/row-host.js';
import type { Clock } from '../platform/clock.js';
import { escapeControls } from '../platform/format-value.js';
import type { Problems } from '../platform/problems.js';
import { projectNetworkPod, type NetworkPod } from './network-pod.js';
import { PodChanges, type PodChange } from './pod-changes.js';

export interface NetworkPodsOptions {
  readonly client: ApiReader;
  readonly namespaces: readonly string[];
  /** The node whose pods are watched, as Kubernetes calls it. */
  readonly nodeName: string;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  readonly problems: Pick<Problems, 'set' | 'clear'>;
  readonly onChange: (change: SeenChange) => void;
  readonly timings?: Partial<ListWatchTimings>;
}

/** Where it is forbidden the server is asked again after this time, and up to as much more. */
const forbiddenMs = 600_000;
/** A kubelet gives times in whole seconds. */
const secondMs = 1000;
/** For so long a watch is believed whose server is gone without a word: the keepalive of TCP ends it then. */
const believedMs = 30_000;

/**
 * Watches the pods of kube-proxy and of the network plugin on one node, and tells what changes of them. The server is asked for pods of
 * that node alone. Where it does not allow that, this is said once, and it is asked again rarely.
 */
export class NetworkPods {
  readonly #options: NetworkPodsOptions;
  readonly #stops = new Map<string, () => void>();

  constructor(options: NetworkPodsOptions) {
    this.#options = options;
    for (const namespace of options.namespaces) this.#follow(namespace, new PodChanges());
  }

  stop(): void {
    for (const stop of this.#stops.values()) stop();
    this.#stops.clear();
    this.#options.client.close();
  }

  /** @param silentSince epoch milliseconds since when the server does not tell what was known before */
  #follow(namespace: string, known: PodChanges, silentSince?: number): void {
    const { client, nodeName, clock, problems, timings = {} } = this.#options;
    let failingSince = silentSince;
    /** How long the server was not heard before the list that comes next. */
    let silentMs = 0;
    const watch: ListWatch<NetworkPod> = new ListWatch({
      client,
      path: `/api/v1/namespaces/${namespace}/pods`,
      query: { fieldSelector: `spec.nodeName=${nodeName}` },
      project: projectNetworkPod,
      timings,
      onObjects: (pods) => {
        for (const change of known.take(pods.values())) this.#tell(change, silentMs);
        silentMs = 0;
      },
      onState: (state) => {
        failingSince ??= state.failingSince;
        if (state.lastStatus === 403 && state.failingSince !== undefined) {
          watch.stop();
          this.#sayForbidden(namespace, state);
          const retryMs = forbiddenMs * (1 + Math.random());
          this.#stops.set(
            namespace,
            clock.after(retryMs, () => this.#follow(namespace, known, failingSince)),
          );
          return;
        }
        if (state.failingSince === undefined && failingSince !== undefined) {
          silentMs = Math.max(clock.wallMs() - failingSince, 0);
          failingSince = undefined;
        }
        if (state.lists > 0 && state.failingSince === undefined) problems.clear(causeOf(namespace));
      },
    });
    this.#stops.set(namespace, () => watch.stop());
    watch.start();
  }

  #sayForbidden(namespace: string, { lastError = '' }: ListWatchState): void {
    const { problems, logger } = this.#options;
    const what = `pods of the network in namespace ${namespace} cannot be watched`;
    const wanted = 'it takes the right to list and watch pods there (--network-pods)';
    const text = escapeControls(`${what}: ${lastError}; ${wanted}`);
    if (problems.set(causeOf(namespace), text)) {
      logger.warn({ namespace, reason: lastError }, 'pods of the network cannot be watched');
    }
  }

  /** @param silentMs for how long the server had not been heard */
  #tell({ at, ...change }: PodChange, silentMs: number): void {
    const { clock, onChange } = this.#options;
    const nowMs = clock.nowMs();
    if (at === undefined) {
      const withinSeconds = Math.ceil((believedMs + silentMs) / secondMs);
      onChange({ ...change, foundMs: nowMs, withinSeconds });
      return;
    }
    const agoMs = clock.wallMs() - (at + secondMs);
    onChange({ ...change, foundMs: nowMs - Math.max(agoMs, 0), withinSeconds: 1 });
  }
}

function causeOf(namespace: string) {
  return `network-pods:${namespace}` as const;
}
