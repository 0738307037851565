import { describe, expect, test } from 'vitest';
import { addressesOf, clusterOf, divide, nodesFileOf } from '../../../bench/environment/cluster.js';
import { parseNodesFile } from '../../../../agent/discovery/nodes-file.js';

describe('clusterOf', () => {
  test('gives every node addresses of its own, all in the range for benchmarks', () => {
    const addresses = addressesOf(clusterOf(5000));
    expect(new Set(addresses).size).toBe(10_000);
    expect(addresses.every((ip) => /^198\.1[89]\.\d+\.\d+$/.test(ip))).toBe(true);
    expect(addresses.every((ip) => ip.split('.').every((part) => Number(part) <= 255))).toBe(true);
  });

  test.each([0, 65_535, 1.5, NaN])('refuses %o nodes', (count) => {
    expect(() => clusterOf(count)).toThrow(`expected 1 to 65534 nodes, got ${count}`);
  });
});

describe('divide', () => {
  test.each([0, 0.3, 0.5])('takes a share of %o from all over', (share) => {
    const nodes = clusterOf(1000);
    const { dead, alive } = divide(nodes, share);
    expect(dead).toHaveLength(1000 * share);
    expect(new Set([...dead, ...alive])).toEqual(new Set(nodes));
    expect(divide(nodes.slice(0, 100), share).dead).toHaveLength(100 * share);
  });

  test("never takes the agent's own node", () => {
    const nodes = clusterOf(10);
    expect(divide(nodes, 0.9).alive[0]).toBe(nodes[0]);
  });
});

test('the nodes file is one that an agent reads', () => {
  expect(parseNodesFile(nodesFileOf(clusterOf(2)), { clusterName: 'bench' })).toMatchObject([
    { name: 'bench/node00001', host: ['198.18.0.1'], endpoint: ['198.19.0.1'] },
    { name: 'bench/node00002', host: ['198.18.0.2'], endpoint: ['198.19.0.2'] },
  ]);
});
