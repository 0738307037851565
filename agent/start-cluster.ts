import { Cluster } from './cluster/cluster.js';
import type { ObserverSource } from './cluster/observer-source.js';
import type { Config } from './config/config.js';
import type { Exchange } from './exchange/exchange.js';
import { NodeDirectory, type PathChanges } from './exchange/node-directory.js';
import { Observers } from './exchange/observers.js';
import type { Node } from './model/node.js';
import { systemClock } from './platform/clock.js';
import type { Scheduler } from './probing/schedule/scheduler.js';
import { ownRow, type OwnRowSources } from './reports/own-row.js';
import type { ResultStore } from './results/result-store.js';

export interface StartClusterOptions extends Pick<OwnRowSources, 'isReady' | 'isStarved'> {
  readonly config: Config;
  readonly store: ResultStore;
  readonly scheduler: Scheduler;
  /** Undefined if agents exchange nothing: then there is only the own row. */
  readonly exchange: Exchange | undefined;
}

/** The cluster as a whole, and how it learns of a new node list. */
export interface RunningCluster {
  readonly cluster: Cluster;
  readonly isSwept: () => boolean;
  readonly onNodeList: (nodes: readonly Node[], changes: PathChanges) => void;
}

/** Starts to make findings from the rows of all observers. */
export function startCluster(options: StartClusterOptions): RunningCluster {
  const { config, store, scheduler, exchange, isReady, isStarved } = options;
  const { localName, clusterName, probePort, nodeSource } = config;
  const directory = exchange?.directory ?? new NodeDirectory();
  const observers = exchange?.observers ?? new Observers(directory, localName);
  const nowMs = () => systemClock.nowMs();
  const rowSources: OwnRowSources = {
    localName,
    store,
    scheduler,
    isReady,
    isStarved,
    nowMs,
    httpCadence: config.cadence.http,
    exchange: () => ({ directory, observers }),
  };
  const endpoints = nodeSource.kind === 'kubernetes' ? nodeSource.endpoints : undefined;
  const isSwept = createSweptCheck(scheduler, () => directory.size > 0);
  const cluster = new Cluster({
    localName,
    clusterName,
    probePort,
    store,
    isSwept,
    namespace: endpoints?.kind === 'pods' ? endpoints.namespace : undefined,
    clock: systemClock,
    observers: observerSource(observers, () => ownRow(rowSources), exchange),
  });
  observers.onRow = () => cluster.onRow();
  return {
    cluster,
    isSwept,
    onNodeList(nodes, changes) {
      if (!exchange) directory.update(nodes, changes, nowMs());
      cluster.onNodeList(nodes);
    },
  };
}

function observerSource(
  observers: Observers,
  ownRowNow: ObserverSource['ownRow'],
  exchange: Exchange | undefined,
): ObserverSource {
  const nowMs = () => systemClock.nowMs();
  const none = { fresh: 0, stale: 0, silent: 0, oldestMs: undefined };
  return {
    ownRow: ownRowNow,
    rows: (isRead) => observers.rows(nowMs(), isRead),
    counts: () => (exchange ? observers.counts(nowMs()) : none),
    *silent() {
      if (!exchange) return;
      for (const { name, listedMs } of observers.silent()) {
        yield { name, listedForMs: nowMs() - listedMs };
      }
    },
    heardMsAgo(name) {
      const heardMs = observers.heardMs(name);
      return heardMs === undefined ? undefined : nowMs() - heardMs;
    },
    wholeRow: (observer, plane, protocol) => exchange?.wholeRows.get(observer, plane, protocol),
  };
}

/** Whether every path was probed at least once since the first list. Once true, it stays true. */
function createSweptCheck(scheduler: Scheduler, isListed: () => boolean): () => boolean {
  let isSwept = false;
  return () => {
    isSwept ||= isListed() && scheduler.stats().every(({ paths, probed }) => probed === paths);
    return isSwept;
  };
}
