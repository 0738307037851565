import { expect, test } from 'vitest';
import { LossyNodes } from '../../../../agent/path-tests/large/lossy-nodes.js';

test('the nodes of a finding of losses are told once, when it opens', () => {
  const nodes = new LossyNodes();
  const node = { id: 'lossy:c/n1', kind: 'lossy', node: 'c/n1' };
  const pair = { id: 'lossy:c/n2,c/n3', kind: 'lossy', pair: ['c/n2', 'c/n3'] };
  const slow = { id: 'slow:c/n4', kind: 'slow', node: 'c/n4' };
  expect(nodes.take([node, slow])).toEqual(['c/n1']);
  expect(nodes.take([node, pair])).toEqual(['c/n2', 'c/n3']);
  expect(nodes.take([pair])).toEqual([]);
  expect(nodes.take([node, pair])).toEqual(['c/n1']);
});
