import type { Node } from '../../../../../agent/model/node.js';
import type { Path } from '../../../../../agent/model/path.js';
import type { Protocol, Sample } from '../../../../../agent/model/sample.js';
import type { ObservedRow, Row, RowPath } from '../../../../../agent/model/row.js';
import type { ClusterState } from '../../../../../agent/reports/v1/cluster-state.js';
import type { ResultStore } from '../../../../../agent/results/result-store.js';
import { freshRow, makeRow } from '../../../../rows/make-row.js';
import { answered, lost, makeStore } from '../../../../rows/make-store.js';

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

/** What the agent's own probes found: they have one sample of each path by each protocol. */
export function storeWhere(
  nodes: readonly Node[],
  sampleOf: (path: Path) => Readonly<Record<Protocol, Sample>>,
): ResultStore {
  const clock = { nowMs: () => performance.now(), wallMs: () => at };
  const store = makeStore({ clock });
  for (const path of store.setNodes(nodes).added) {
    const { icmp, http } = sampleOf(path);
    store.record(path, 'icmp', icmp);
    store.record(path, 'http', http);
  }
  return store;
}

/** Such a store where the nodes of which `isDead` is true answer to no probe. */
export const storeOf = (nodes: readonly Node[], isDead: (node: string) => boolean) =>
  storeWhere(nodes, (path) =>
    isDead(path.node)
      ? { icmp: { ...lost, at }, http: { ...lost, at } }
      : { icmp: { ...answered, at, rttNs: 200_000 }, http: { ...answered, at, rttNs: 900_000 } },
  );

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
    everyAddressIsMeant: true,
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

/** A row that was confirmed a minute ago, which is too long. */
export const staleRow = (row: Row): ObservedRow => ({
  row,
  ageMs: 60_000,
  bodyAgeMs: 60_000,
  freshness: 'stale',
});
