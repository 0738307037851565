import type { NodeEntry, NodeTarget } from '../../../api/schema/v1/nodes.js';
import { signText } from '../../model/host-words.js';
import type { ObservedRow } from '../../model/row.js';
import { tailNs, type RowTarget } from '../../model/target.js';
import type { Steps } from '../../platform/time-slices.js';
import type { ClusterState } from './cluster-state.js';

type ToldByNode = Pick<NodeEntry, 'targets' | 'signs'>;

/** What a node tells of itself: what it reaches, and what its host shows. Nothing where its row is not fresh. */
export function* toldByNode(state: ClusterState, name: string): Steps<ToldByNode> {
  for (const observed of state.rows) {
    if (observed.row.observer === name) {
      if (observed.freshness === 'stale') return {};
      const targets = observed.row.targets?.map(nodeTarget);
      const signs = nodeSigns(observed, state.at);
      return { ...(targets && { targets }), ...(signs && { signs }) };
    }
    yield;
  }
  return {};
}

function nodeTarget(told: RowTarget): NodeTarget {
  const { target, plane, state, failure, p50Ns } = told;
  const p99Ns = tailNs(told);
  return {
    name: target,
    plane,
    state,
    ...(failure !== undefined && { failureKind: failure }),
    ...(p50Ns !== undefined && { p50Ns: Math.round(p50Ns) }),
    ...(p99Ns !== undefined && { p99Ns: Math.round(p99Ns) }),
  };
}

function nodeSigns({ row, bodyAgeMs }: ObservedRow, atMs: number): NodeEntry['signs'] {
  return row.signs?.map((told) => ({
    sign: told.sign,
    text: signText(told),
    value: told.value,
    limit: told.limit,
    since: new Date(atMs - bodyAgeMs - 1000 * told.ageSeconds).toISOString(),
    plane: told.plane,
  }));
}
