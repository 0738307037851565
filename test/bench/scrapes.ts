import { Cluster } from '../../agent/cluster/cluster.js';
import { NodeDirectory } from '../../agent/peers/node-directory.js';
import { Observers } from '../../agent/peers/observers.js';
import type { Node } from '../../agent/model/node.js';
import type { Path } from '../../agent/model/path.js';
import { timedOut, type Protocol, type Sample } from '../../agent/model/sample.js';
import { systemClock } from '../../agent/platform/clock.js';
import { createMetrics } from '../../agent/reports/metrics.js';
import { createMetricsView } from '../../agent/reports/metrics-source.js';
import { ResultStore } from '../../agent/results/result-store.js';
import { summarise, type Summary } from './statistics.js';

/** The time of one scrape in milliseconds, over some scrapes. */
export interface ScrapeFigures {
  readonly nodes: number;
  readonly series: number;
  readonly bytes: number;
  /** Wall time and processor time. */
  readonly wallMs: Summary;
  readonly cpuMs: Summary;
}

/** The samples that the default budgets allow in 15 seconds, the time between two scrapes. */
const samplesBetween: Readonly<Record<Protocol, number>> = { icmp: 15 * 250, http: 15 * 40 };

/**
 * Measures scrapes of an agent that probes `nodeCount` nodes of which a share is dead. It uses the
 * agent's own store and metrics. Between two scrapes come as many samples as the default budgets
 * allow in 15 seconds.
 */
export function measureScrapes(
  nodeCount: number,
  deadShare: number,
  scrapes: number,
): ScrapeFigures {
  const nodes = nodesOf(nodeCount);
  const thresholds = { failures: 3, recovery: 2 };
  const store = new ResultStore({ thresholds: { icmp: thresholds, http: thresholds } });
  const paths = store.setNodes(nodes).added;
  const record = createRecorder(store, paths, new Set(deadOf(nodes, deadShare)));
  for (let sweep = 0; sweep < thresholds.failures; sweep++) {
    record('icmp', paths.length);
    record('http', paths.length);
  }
  const cluster = createCluster(store, nodes);
  const metrics = createMetrics(
    '0.1.0',
    createMetricsView({
      store,
      state: () => cluster.state(),
      hints: () => [],
      nodeListAgeSeconds: () => 0,
      eventLoopStallSeconds: () => 0.01,
      isReady: () => true,
    }),
  );
  const [wallMs, cpuMs]: [number[], number[]] = [[], []];
  let text = metrics.render();
  for (let scrape = 0; scrape < scrapes; scrape++) {
    record('icmp', samplesBetween.icmp);
    record('http', samplesBetween.http);
    const [startMs, startCpu] = [performance.now(), process.cpuUsage()];
    text = metrics.render();
    const { user, system } = process.cpuUsage(startCpu);
    wallMs.push(performance.now() - startMs);
    cpuMs.push((user + system) / 1000);
  }
  cluster.stop();
  const series = text.split('\n').filter((line) => line !== '' && !line.startsWith('#')).length;
  return {
    nodes: nodeCount,
    series,
    bytes: Buffer.byteLength(text),
    wallMs: summarise(wallMs),
    cpuMs: summarise(cpuMs),
  };
}

function nodesOf(count: number): Node[] {
  return Array.from({ length: count }, (_, node) => ({
    name: `cluster1/node-${node + 1}`,
    zone: `zone-${node % 3}`,
    host: [`10.${node >> 16}.${(node >> 8) & 255}.${node & 255}`],
    endpoint: [`10.244.${node >> 8}.${node & 255}`],
  }));
}

function deadOf(nodes: readonly Node[], share: number): string[] {
  return nodes.slice(0, Math.round(nodes.length * share)).map(({ name }) => name);
}

/** Returns a function that records one sample for each of the next `count` paths. */
function createRecorder(store: ResultStore, paths: readonly Path[], dead: ReadonlySet<string>) {
  const next = { icmp: 0, http: 0 };
  return (protocol: Protocol, count: number): void => {
    for (let i = 0; i < count; i++) {
      const path = paths[next[protocol]++ % paths.length];
      if (path === undefined) return;
      const times = { sentMs: performance.now(), at: Date.now() };
      const sample: Sample = dead.has(path.node)
        ? { outcome: 'failure', kind: 'timeout', detail: timedOut, ...times }
        : { outcome: 'reply', rttNs: 150_000 + (i % 97) * 1000, ...times };
      store.record(path, protocol, sample);
    }
  };
}

function createCluster(store: ResultStore, nodes: readonly Node[]): Cluster {
  const localName = nodes.at(-1)?.name ?? '';
  const directory = new NodeDirectory();
  directory.update(nodes, { added: [], removed: [] }, 0);
  const observers = new Observers(directory, localName);
  const cluster = new Cluster({
    localName,
    clusterName: 'cluster1',
    probePort: 4240,
    namespace: 'meshprobe',
    clock: systemClock,
    store,
    isSwept: () => true,
    askForRows: () => undefined,
    observers: {
      prepareOwnRow() {
        throw new Error('expected no one to ask for the own row');
      },
      ownRowOf() {
        throw new Error('expected no one to ask for the own row');
      },
      onRow: () => () => undefined,
      rows: () => [],
      counts: () => observers.counts(performance.now()),
      silent: () => [],
      plainForMs: () => undefined,
      heardMsAgo: () => undefined,
      wholeRow: () => undefined,
    },
  });
  return cluster;
}
