import { describe, expect, test } from 'vitest';
import { intervalSeconds, nodesFileText, planNodes } from '../../../deploy/mesh/plan.js';

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

  test('probes every second, and less often where the mesh is large', () => {
    expect([1, 4, 8, 16, 50].map(intervalSeconds)).toEqual([1, 1, 1, 2, 10]);
  });
});
