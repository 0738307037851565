import { version } from '../../api/version.js';
import type { Cluster } from '../cluster/cluster.js';
import type { HostMonitor } from '../host/host-monitor.js';
import type { ExchangeCounts } from '../exchange/exchange-counts.js';
import { planes, type Plane } from '../model/path.js';
import type { UdpTotals } from '../path-tests/udp/udp-counts.js';
import type { EventLoop } from '../platform/event-loop.js';
import { metricLabelValues } from '../reports/metric-families.js';
import { createMetrics, type Metrics } from '../reports/metrics.js';
import { createMetricsView } from '../reports/metrics-source.js';
import type { MetricsView } from '../reports/metrics-view.js';
import type { ResultStore } from '../results/result-store.js';
import type { Selfcheck } from '../selfcheck/create-selfcheck.js';
import type { AgentNotices } from './create-notices.js';
import type { Mesh } from './create-mesh.js';
import type { Udp } from './create-udp.js';

export interface AgentMetricsOptions {
  readonly cluster: Cluster;
  readonly store: ResultStore;
  readonly mesh: Mesh;
  readonly eventLoop: EventLoop;
  readonly selfcheck: Selfcheck;
  readonly udp: Udp | undefined;
  readonly host: HostMonitor | undefined;
  readonly notices: AgentNotices | undefined;
}

/** The metrics of this agent. */
export function createAgentMetrics(options: AgentMetricsOptions): Metrics {
  const { cluster, store, mesh, eventLoop, selfcheck, udp, host, notices } = options;
  const view = createMetricsView({
    store,
    state: () => cluster.state(),
    hints: () => hintCounts(mesh.exchange?.counts()),
    nodeListAgeSeconds: () => selfcheck.nodeSource.listAgeSeconds,
    eventLoopStallSeconds: () => eventLoop.longestStallMs() / 1000,
    ...(udp && {
      udp: () => planes.flatMap((plane) => udpDatagrams(plane, udp.sum(plane))),
    }),
    ...(host && { signs: () => host.signs() }),
    ...(notices && { notices: () => notices.counts() }),
    isReady: () => selfcheck.isReady(),
  });
  return createMetrics(version, view);
}

function udpDatagrams(plane: Plane, totals: UdpTotals): MetricsView['udpDatagrams'] {
  const { sent, lostThere, lostBack } = totals;
  const values = {
    answered: sent - totals.lost,
    lost_there: lostThere,
    lost_back: lostBack,
    lost_unknown: totals.lost - lostThere - lostBack,
    reordered: totals.reorderedThere + totals.reorderedBack,
    duplicated: totals.duplicatedThere + totals.duplicatedBack,
  };
  return metricLabelValues.fate.map((fate) => ({ labels: { plane, fate }, value: values[fate] }));
}

/** Only the receiver of a hint knows what became of it, so the series of sent ones has no `use`. */
function hintCounts(counts: ExchangeCounts | undefined): MetricsView['hints'] {
  return [
    { labels: { direction: 'sent' }, value: counts?.hintsSent ?? 0 },
    ...metricLabelValues.use.map((use) => ({
      labels: { direction: 'received', use },
      value: counts?.hintUse[use] ?? 0,
    })),
  ];
}
