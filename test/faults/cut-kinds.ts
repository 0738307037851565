import { labelText } from '../../agent/diagnosis/nouns/node-groups.js';
import type { LabelledNodes } from './random-labels.js';
import type { Fault } from './fault.js';
import { between, cuts, isRightWay, type CutWays, type Effect } from './group-kinds.js';

interface CutKind {
  readonly what: string;
  readonly effect: Effect;
  readonly ways: CutWays;
}

/** The faults that the paths between the nodes with two values of one label may have. */
export const cutKinds: readonly CutKind[] = [
  { what: 'groups cut', effect: cuts.all, ways: 'both' },
  { what: 'tunnels between groups cut', effect: cuts.tunnels, ways: 'both' },
  {
    what: 'requests of one group to another filtered',
    effect: cuts.requestsOfFirst,
    ways: 'outbound',
  },
];

/** A cut between the nodes with two values of one label, which a finding names by both, the first one first if it is one-way. */
export function cutBetween(
  { what, effect, ways }: CutKind,
  first: LabelledNodes,
  second: LabelledNodes,
): Fault {
  const [ofFirst, ofSecond] = [new Set(first.nodes), new Set(second.nodes)];
  const isFirst = (node: number) => ofFirst.has(node);
  const crosses = between(isFirst, (node) => ofSecond.has(node));
  const nodes = [...first.nodes, ...second.nodes].sort((a, b) => a - b);
  const expected = [first, second].map(({ text }) => text);
  return {
    what,
    trouble: { touches: crosses, nodes, ...effect({ crosses, isFirst }, 0) },
    nodes,
    isNamedBy: (finding) => {
      const { groups = [], plane } = finding;
      const told = groups.map(({ label, value, like = [] }) => [labelText(label, value), ...like]);
      const [a = [], b = []] = told;
      const [one = '', other = ''] = expected;
      const isOrdered = a.includes(one) && b.includes(other);
      if (!isOrdered && !(a.includes(other) && b.includes(one))) return false;
      if (!isRightWay(ways, finding, isOrdered)) return false;
      return what !== 'tunnels between groups cut' || plane === 'endpoint';
    },
  };
}
