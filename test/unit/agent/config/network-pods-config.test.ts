import { describe, expect, test } from 'vitest';
import { loadConfig } from '../../../../agent/config/config.js';

const kubernetes = { 'node-source': 'kubernetes', kubeconfig: '/k' };
const load = (flags: object) => loadConfig({ ...flags }, { HOME: '/root' }).networkPods;

describe('the pods of the network that are watched', () => {
  test('are none by default', () => {
    expect(load(kubernetes)).toBeUndefined();
  });

  test('are those of the namespaces that are named, as whom the nodes are listed', () => {
    const identity = { kind: 'kubeconfig', paths: '/k' };
    expect(load({ ...kubernetes, 'network-pods': 'kube-system, kube-flannel' })).toMatchObject({
      identity,
      namespaces: ['kube-system', 'kube-flannel'],
    });
  });

  test.each([
    [
      { 'nodes-file': 'nodes.yaml', 'network-pods': 'kube-system' },
      'network-pods: expected it with node-source kubernetes, got it with file',
    ],
    [
      { 'node-source': 'kubernetes', cluster: 'west=/w', 'network-pods': 'kube-system' },
      'network-pods: expected the API server of this agent\'s own cluster "default" (kubeconfig), got those of other clusters alone',
    ],
    [
      { ...kubernetes, 'host-signs': 'off', 'network-pods': 'kube-system' },
      'network-pods: expected it with host-signs on, got it with host-signs off',
    ],
    [
      { ...kubernetes, 'network-pods': 'kube-system/../../nodes' },
      'network-pods: expected 1 to 4 names of namespaces such as kube-system, got "kube-system/../../nodes" (flag --network-pods)',
    ],
    [
      { ...kubernetes, 'network-pods': 'a,b,c,d,e' },
      'network-pods: expected 1 to 4 names of namespaces such as kube-system, got "a,b,c,d,e" (flag --network-pods)',
    ],
  ])('are refused: %j', (flags, message) => {
    expect(() => load(flags)).toThrow(message);
  });
});
