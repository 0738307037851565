import type { NodeLabels } from '../../agent/model/node-labels.js';
import type { Random } from '../fuzz/random.js';
import type { Layout } from './fault.js';

/** What the nodes of a simulated cluster have in common beside their zones. */
export interface Labelling {
  /** The labels by which they are grouped. */
  readonly groupBy: readonly string[];
  readonly of: readonly NodeLabels[];
}

/** Some nodes with one value of a label, or with two of two labels, by their numbers in the layout. */
export interface LabelledNodes {
  /** What they have in common: `rack=r3`, or `kernel=k1,rack=r3`. */
  readonly text: string;
  readonly nodes: readonly number[];
}

const labels = ['kernel', 'os', 'instance', 'pool', 'rack', 'role', 'kubelet'];

/** Labels that cut across zones, of two to a third as many values as there are nodes. A few nodes lack one. */
export function randomLabels({ names }: Layout, random: Random): Labelling {
  const of: Record<string, string>[] = names.map(() => ({}));
  for (const label of labels) {
    const most = Math.max(names.length / 3, 2);
    const values = Math.round(2 * (most / 2) ** random.next());
    const lacking = random.below(2) === 0 ? 0 : 0.1 * random.next();
    for (const own of of) {
      if (random.next() >= lacking) own[label] = `${label[0] ?? ''}${random.below(values)}`;
    }
  }
  // The image of an operating system brings its kernel.
  if (random.below(2) === 0)
    for (const own of of) if (own['kernel']) own['os'] = `o-${own['kernel']}`;
  return { groupBy: ['zone', ...labels], of };
}

/** The nodes with each value of each label, but for the zone. */
export function labelledNodes({ of }: Labelling): LabelledNodes[] {
  return labels.flatMap((label) => {
    const byValue = new Map<string, number[]>();
    for (const [node, own] of of.entries()) {
      const value = own[label];
      if (value === undefined) continue;
      byValue.set(value, [...(byValue.get(value) ?? []), node]);
    }
    return [...byValue].map(([value, nodes]) => ({ text: `${label}=${value}`, nodes }));
  });
}

/** The nodes with each two values of two labels, where there are others with one of them alone. */
export function pairedNodes(labelling: Labelling): LabelledNodes[] {
  const all = labelledNodes(labelling);
  return all.flatMap((one, at) =>
    all.slice(at + 1).flatMap((other): LabelledNodes[] => {
      const nodes = one.nodes.filter((node) => other.nodes.includes(node));
      const isProper = nodes.length < Math.min(one.nodes.length, other.nodes.length);
      return nodes.length > 0 && isProper ? [{ text: `${one.text},${other.text}`, nodes }] : [];
    }),
  );
}
