import type { Node } from '../../../../../agent/model/node.js';
import type { Row, RowPath } from '../../../../../agent/model/row.js';
import type { ClusterState, ObserverRow } from '../../../../../agent/reports/v1/cluster-state.js';
import { ResultStore } from '../../../../../agent/results/result-store.js';

export const at = Date.parse('2026-11-21T10:00:00.000Z');

export function nodeOf(index: number, more: Partial<Node> = {}): Node {
  const name = `c/n${index}`;
  return { name, host: [`198.51.100.${index}`], endpoint: [`203.0.113.${index}`], ...more };
}

const none = { reachable: 0, unreachable: 0, unknown: 0, degraded: 0 };

export function rowOf(
  observer: string,
  paths: readonly RowPath[] = [],
  more: Partial<Row> = {},
): Row {
  return {
    observer,
    version: '1',
    httpIntervalMs: 5000,
    httpTimeoutMs: 1000,
    health: { ready: true, starved: false, notSending: [] },
    counts: { host: { icmp: none, http: none }, endpoint: { icmp: none, http: none } },
    paths,
    omittedNodes: 0,
    zones: [],
    ...more,
  };
}

export function fresh(row: Row, ageMs = 1000): ObserverRow {
  return { row, ageMs, freshness: 'fresh' };
}

export function failing(node: string, more: Partial<RowPath> = {}): RowPath {
  return {
    node,
    plane: 'host',
    protocol: 'icmp',
    state: 'unreachable',
    ageSeconds: 5,
    failure: 'timeout',
    ...more,
  };
}

/** A cluster with a real result store. Its first node is the agent's own. */
export function stateOf(nodes: readonly Node[], more: Partial<ClusterState> = {}): ClusterState {
  const thresholds = { failures: 1, recovery: 1 };
  const store = new ResultStore({
    thresholds: { icmp: thresholds, http: thresholds },
    now: () => at,
  });
  for (const path of store.setNodes(nodes).added) {
    store.record(path, 'icmp', { outcome: 'reply', rttNs: 200_000, sentMs: 1, at });
    store.record(path, 'http', { outcome: 'reply', rttNs: 900_000, sentMs: 1, at });
  }
  return {
    at,
    localName: 'c/n1',
    clusterName: 'c',
    snapshot: store.snapshot(),
    nodes,
    rows: nodes.map(({ name }) => fresh(rowOf(name))),
    observers: { fresh: nodes.length - 1, stale: 0, silent: 0, oldestSeconds: 1 },
    findings: [],
    unexplained: 0,
    isSwept: true,
    wholeRow: () => undefined,
    ...more,
  };
}
