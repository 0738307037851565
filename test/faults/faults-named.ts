import type { Finding } from '../../agent/diagnosis/nouns/finding.js';
import type { Fault, Layout, View } from './fault.js';

/**
 * The faults that a finding names. A finding that stands for several nodes names all their faults
 * if its count is right: it may leave out faults that no row names, and be wrong by 2 % where
 * single reports are.
 */
export function faultsNamed(
  finding: Finding,
  faults: readonly Fault[],
  visible: readonly Fault[],
  { layout, view }: { readonly layout: Layout; readonly view: View },
): readonly Fault[] {
  const { count, examples = [], ...one } = finding;
  if (count === undefined) return faults.filter((fault) => fault.isNamedBy(finding, view));
  const named = faults.filter((fault) => {
    const node = fault.nodes.length === 1 ? layout.names[fault.nodes[0] ?? -1] : undefined;
    return node !== undefined && fault.isNamedBy({ ...one, node }, view);
  });
  const least = 0.98 * named.filter((fault) => visible.includes(fault)).length;
  const isRight = count >= least && count <= 1.02 * named.length;
  const names = new Set(named.map(({ nodes }) => layout.names[nodes[0] ?? -1]));
  return isRight && examples.every((name) => names.has(name)) ? named : [];
}
