import { expect, test } from 'vitest';
import { projectPod } from '../../../../../agent/discovery/kubernetes/endpoint-projection.js';
import { joinNodes } from '../../../../../agent/discovery/kubernetes/join-nodes.js';
import { createNodeProjection } from '../../../../../agent/discovery/kubernetes/node-projection.js';
import { nodeObject, podObject } from '../../../../doubles/api-server/objects.js';

test('two endpoint pods of a node with one address are one path', () => {
  const node = createNodeProjection()(nodeObject('n1', { internal: ['198.51.100.1'], uid: 'u' }));
  const pods = ['before', 'now'].map((name) =>
    projectPod(podObject(name, { node: 'n1', ips: ['198.51.100.7'] })),
  );
  const { nodes } = joinNodes(
    [node].filter((one) => one !== undefined),
    pods.filter((one) => one !== undefined),
    { clusterName: 'c', gracePeriods: { joinMs: 1, leaveMs: 1 }, now: 1e12 },
  );
  expect(nodes[0]?.endpoint).toEqual(['198.51.100.7']);
});
