import { describe, expect, test } from 'vitest';
import {
  agentArguments,
  healthPort,
  intervalSeconds,
  nodesFileText,
  planNodes,
} from '../../../../scripts/local-mesh/plan.js';

describe("the mesh's plan", () => {
  test('gives node n the node IP 127.0.1.n, the endpoint IP 127.0.2.n and a socket of its own', () => {
    expect(planNodes(50, '/tmp/m').at(-1)).toMatchObject({
      name: 'default/node50',
      nodeIp: '127.0.1.50',
      endpointIp: '127.0.2.50',
      socketPath: '/tmp/m/node50.sock',
    });
  });

  test('lists every node in the nodes file', () => {
    expect(JSON.parse(nodesFileText(planNodes(2, '/tmp/m')))).toEqual({
      nodes: [
        { name: 'default/node1', host: '127.0.1.1', endpoint: '127.0.2.1' },
        { name: 'default/node2', host: '127.0.1.2', endpoint: '127.0.2.2' },
      ],
    });
  });

  test('probes every second, and less often in a large mesh', () => {
    expect([1, 4, 8, 16, 50].map(intervalSeconds)).toEqual([1, 1, 1, 2, 10]);
  });

  test('gives each agent a health port of its own, beside the probe port', () => {
    const [node] = planNodes(1, '/tmp/m');
    if (!node) throw new Error('a mesh of one has a node');
    expect(agentArguments(node, 'nodes.yaml', 4240, 1).join(' ')).toContain(
      '--health-listen 127.0.1.1:4241',
    );
    expect(healthPort(65535)).toBe(65534);
  });
});
