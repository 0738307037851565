import type { ClusterIndex } from '../diagnosis/nouns/cluster-index.js';
import type { DiagnosisNode } from '../diagnosis/nouns/diagnosis-node.js';
import { planes } from '../model/path.js';

/**
 * The nodes of a new list, each with the times when its first address on a plane became another one.
 * @param before the list before
 * @param listMs when the new one came
 */
export function withMoves(
  nodes: readonly DiagnosisNode[],
  before: Pick<ClusterIndex, 'nodes' | 'numberOf'>,
  listMs: number,
): readonly DiagnosisNode[] {
  return nodes.map((node) => {
    const known = before.nodes[before.numberOf.get(node.name) ?? -1];
    if (!known) return node;
    const others = planes.filter((plane) => known[plane][0] !== node[plane][0]);
    if (others.length === 0 && !known.movedMs) return node;
    const now = Object.fromEntries(others.map((plane) => [plane, listMs]));
    return { ...node, movedMs: { ...known.movedMs, ...now } };
  });
}
