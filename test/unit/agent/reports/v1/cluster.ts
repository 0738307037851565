import type { Node } from '../../../../../agent/model/node.js';
import { protocols } from '../../../../../agent/model/sample.js';
import type { Row, RowPath } from '../../../../../agent/model/row.js';
import type { ClusterState } from '../../../../../agent/reports/v1/cluster-state.js';
import { ResultStore } from '../../../../../agent/results/result-store.js';
import { freshRow, makeRow } from '../../../../rows/make-row.js';

export const at = Date.parse('2026-11-21T10:00:00.000Z');

export function nodeOf(index: number, more: Partial<Node> = {}): Node {
  const name = `c/n${index}`;
  return { name, host: [`198.51.100.${index}`], endpoint: [`203.0.113.${index}`], ...more };
}

/** A row of an observer that reaches all nodes but those of the given paths. */
export function rowOf(
  observer: string,
  paths: readonly RowPath[] = [],
  more: Partial<Row> = {},
): Row {
  return makeRow(observer, paths, 10, more);
}

export const fresh = (row: Row, ageMs = 1000) => freshRow(row, ageMs);

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

/** What the agent's own probes found: the nodes of which `isDead` is true answer to none. */
export function storeOf(nodes: readonly Node[], isDead: (node: string) => boolean): ResultStore {
  const each = { failures: 1, recovery: 1 };
  const store = new ResultStore({
    thresholds: { icmp: each, http: each },
    clock: { nowMs: () => performance.now(), wallMs: () => at },
  });
  const failure = { outcome: 'failure', kind: 'timeout', detail: 'timed out' } as const;
  for (const path of store.setNodes(nodes).added) {
    for (const protocol of protocols) {
      const rttNs = protocol === 'icmp' ? 200_000 : 900_000;
      const found = isDead(path.node) ? failure : ({ outcome: 'reply', rttNs } as const);
      store.record(path, protocol, { ...found, sentMs: 1, at });
    }
  }
  return store;
}

/** A cluster with a real result store. Its first node is the agent's own. */
export function stateOf(nodes: readonly Node[], more: Partial<ClusterState> = {}): ClusterState {
  return {
    groupBy: [],
    at,
    localName: 'c/n1',
    clusterName: 'c',
    probePort: 4240,
    snapshot: storeOf(nodes, () => false).snapshot(),
    nodes,
    targets: [],
    certificateWarningMs: 21 * 86_400_000,
    rows: nodes.map(({ name }) => fresh(rowOf(name))),
    observers: { fresh: Math.max(nodes.length - 1, 0), stale: 0, silent: 0, oldestSeconds: 1 },
    missedObservers: 0,
    findings: [],
    standsFor: () => [],
    unexplained: 0,
    unexplainedTargets: 0,
    notKnown: [],
    isSwept: true,
    isListed: true,
    notProbed: [],
    changesOf: () => [],
    problems: [],
    nodeSourceProblem: undefined,
    wholeRow: () => undefined,
    ...more,
  };
}
