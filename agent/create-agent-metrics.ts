import { version } from '../api/version.js';
import type { Cluster } from './cluster/cluster.js';
import type { Exchange } from './exchange/exchange.js';
import type { EventLoop } from './platform/event-loop.js';
import type { Metrics } from './reports/metrics.js';
import { metricLabelValues } from './reports/metric-families.js';
import { createMetricsView } from './reports/metrics-source.js';
import type { MetricsView } from './reports/metrics-view.js';
import type { ResultStore } from './results/result-store.js';
import type { NodeSourceHealth } from './selfcheck/node-source-health.js';

export interface AgentMetricsOptions {
  readonly cluster: Cluster;
  readonly store: ResultStore;
  readonly exchange: Exchange | undefined;
  readonly eventLoop: EventLoop;
  readonly nodeSource: NodeSourceHealth;
  readonly isReady: () => boolean;
}

/** The metrics of this agent. prom-client is loaded only where they are served. */
export async function createAgentMetrics(options: AgentMetricsOptions): Promise<Metrics> {
  const { cluster, store, exchange, eventLoop, nodeSource, isReady } = options;
  const { createMetrics } = await import('./reports/metrics.js');
  const view = createMetricsView({
    store,
    overview: () => cluster.overview(),
    hints: () => hintCounts(exchange),
    nodeListAgeSeconds: () => nodeSource.listAgeSeconds,
    eventLoopStallSeconds: () => eventLoop.longestStallMs() / 1000,
    isReady,
  });
  return createMetrics(version, view);
}

/** Only the receiver of a hint knows what became of it, so the series of sent ones has no `use`. */
function hintCounts(exchange: Exchange | undefined): MetricsView['hints'] {
  const counts = exchange?.counts();
  return [
    { labels: { direction: 'sent' }, value: counts?.hintsSent ?? 0 },
    ...metricLabelValues.use.map((use) => ({
      labels: { direction: 'received', use },
      value: counts?.hintUse[use] ?? 0,
    })),
  ];
}
