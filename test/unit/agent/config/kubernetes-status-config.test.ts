import { describe, expect, test } from 'vitest';
import { loadConfig } from '../../../../agent/config/config.js';

const kubernetes = { 'node-source': 'kubernetes', kubeconfig: '/k' };
const load = (flags: object) => loadConfig({ ...flags }, { HOME: '/root' }).kubernetesStatus;

describe('what is written into Kubernetes', () => {
  test('is nothing by default', () => {
    expect(load(kubernetes)).toBeUndefined();
  });

  test('is written as whom the nodes are listed', () => {
    const identity = { kind: 'kubeconfig', paths: '/k' };
    expect(load({ ...kubernetes, 'kubernetes-conditions': true })).toMatchObject({
      identity,
      conditions: true,
      events: false,
    });
    expect(load({ ...kubernetes, cluster: 'west=/w', 'kubernetes-events': 'true' })).toMatchObject({
      identity,
      conditions: false,
      events: true,
    });
  });

  test.each([
    [
      { 'nodes-file': 'nodes.yaml', 'kubernetes-conditions': true },
      'kubernetes-conditions: expected it with node-source kubernetes, got it with file',
    ],
    [
      { 'node-source': 'cilium', 'kubernetes-events': true },
      'kubernetes-events: expected it with node-source kubernetes, got it with cilium',
    ],
    [
      { 'node-source': 'kubernetes', cluster: 'west=/w', 'kubernetes-events': true },
      'kubernetes-events: expected the API server of this agent\'s own cluster "default" (kubeconfig), got those of other clusters alone',
    ],
    [
      { ...kubernetes, mesh: 'off', 'kubernetes-conditions': true },
      'kubernetes-conditions: expected it with mesh on, got it with mesh off',
    ],
    [
      { ...kubernetes, 'kubernetes-events': 'often' },
      'kubernetes-events: expected true or false, got "often" (flag --kubernetes-events)',
    ],
  ])('is refused where it makes no sense: %o', (flags, message) => {
    expect(() => load(flags)).toThrow(message);
  });
});
