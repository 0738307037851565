import { expect, test } from 'vitest';
import { SuspectedNodes } from '../../../../agent/cluster/suspected-nodes.js';

test('the nodes of a finding of losses are told once, when it opens', () => {
  const nodes = new SuspectedNodes();
  const node = { id: 'lossy:c/n1', kind: 'lossy', node: 'c/n1' };
  const pair = { id: 'lossy:c/n2,c/n3', kind: 'lossy', pair: ['c/n2', 'c/n3'] };
  const slow = { id: 'slow:c/n4', kind: 'slow', node: 'c/n4' };
  expect(nodes.take([node, slow])).toEqual(['c/n1']);
  expect(nodes.take([node, pair])).toEqual(['c/n2', 'c/n3']);
  expect(nodes.take([pair])).toEqual([]);
  expect(nodes.take([node, pair])).toEqual(['c/n1']);
});

test('the node that does not reach a target is told, and no node of a target that is down for all', () => {
  const nodes = new SuspectedNodes();
  const alone = {
    id: 'target-unreachable:api-server:c/n1',
    kind: 'target-unreachable',
    node: 'c/n1',
  };
  const lossy = { id: 'target-lossy:dns:c/n2', kind: 'target-lossy', node: 'c/n2' };
  const ofAll = { id: 'target-lossy:api-server', kind: 'target-lossy' };
  const down = { id: 'target-down:api-server', kind: 'target-down' };
  expect(nodes.take([down, ofAll])).toEqual([]);
  expect(nodes.take([alone, lossy])).toEqual(['c/n1', 'c/n2']);
});
