import { expect, it } from 'vitest';
import type { Finding } from '../../../agent/diagnosis/nouns/finding.js';
import type { LabelGroup } from '../../../agent/diagnosis/nouns/node-groups.js';
import { faultOfAll } from '../../faults/label-kinds.js';
import { nodeKinds } from '../../faults/node-kinds.js';
import { groupChanceReason } from './group-chance.js';
import { layoutOf } from './scenarios/random-layout.js';

const nodes = [0, 1, 2, 3];
const named = (...of: readonly number[]) =>
  of.map((node) => ({ kind: 'icmp-filtered', node: `c/n${node}` }) as unknown as Finding);

function reasonFor(size: number, groups: number, findings: readonly Finding[], singles = 0) {
  const layout = layoutOf(size, 1, () => 0);
  const two = { text: 'kernel=k1,rack=r1', nodes };
  const fault = faultOfAll(nodeKinds.icmp, layout, two, 0);
  const index = { groups: Array.from({ length: groups }, () => ({}) as LabelGroup), singles };
  return groupChanceReason({ layout, input: { index } }, [fault], findings);
}

it('four of eleven nodes that fail are just one of a hundred groups by chance', () => {
  expect(reasonFor(11, 100, named(1, 2, 3, 4))).toBe(
    '4 of 11 nodes that fail are often just those of one of 100 groups',
  );
});

it('it is an error where there are few groups, or many nodes', () => {
  expect(reasonFor(11, 20, named(1, 2, 3, 4))).toBeUndefined();
  expect(reasonFor(60, 100, named(1, 2, 3, 4))).toBeUndefined();
});

it('it is an error where something else is found, or nothing', () => {
  expect(reasonFor(11, 100, named(1, 2, 3, 5))).toBeUndefined();
  expect(reasonFor(11, 100, named(1, 1))).toBeUndefined();
  expect(reasonFor(11, 100, [])).toBeUndefined();
});
