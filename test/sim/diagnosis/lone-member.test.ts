import { expect, it } from 'vitest';
import type { Finding } from '../../../agent/diagnosis/nouns/finding.js';
import { faultOfAll } from '../../faults/label-kinds.js';
import { nodeKinds } from '../../faults/node-kinds.js';
import { loneMemberReason } from './lone-member.js';
import { layoutOf } from './scenarios/random-layout.js';

const layout = layoutOf(6, 1, () => 0);
const fault = faultOfAll(nodeKinds.requestsOf, layout, { text: 'rack=r1', nodes: [0, 1, 2] }, 0);
const ofNode = (node: string) => ({ kind: 'node-isolated', node }) as unknown as Finding;
const view = (localName: string, rows: readonly string[]) => ({
  localName,
  hasRow: (name: string | undefined) => name !== undefined && rows.includes(name),
});

it('a fault of a group cannot be known to one of it that has no row but its own', () => {
  const reason = (seen: ReturnType<typeof view>, finding: Finding) =>
    loneMemberReason({ layout, view: seen }, [fault], [finding]);
  expect(reason(view('c/n1', ['c/n1']), ofNode('c/n1'))).toBe(
    'of a group: requests of node filtered is known of one of its nodes, with one row',
  );
  expect(reason(view('c/n1', ['c/n1', 'c/n2']), ofNode('c/n1'))).toBeUndefined();
  expect(reason(view('c/n1', ['c/n1']), ofNode('c/n2'))).toBeUndefined();
  expect(reason(view('c/n5', ['c/n5']), ofNode('c/n5'))).toBeUndefined();
});
