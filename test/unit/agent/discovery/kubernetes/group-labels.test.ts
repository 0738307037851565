import { expect, test } from 'vitest';
import { defaultGroupLabels } from '../../../../../agent/discovery/kubernetes/group-labels.js';
import { createNodeProjection } from '../../../../../agent/discovery/kubernetes/node-projection.js';
import { nodeObject, type NodeOptions } from '../../../../doubles/api-server/objects.js';

const labelsOf = (options: NodeOptions, groupBy = defaultGroupLabels) =>
  createNodeProjection({ groupBy })(nodeObject('n', options))?.labels;

test('nodes keep their labels of the list and what the kubelet says of the host', () => {
  const node = {
    labels: {
      'topology.kubernetes.io/zone': 'eu-1a',
      'topology.kubernetes.io/region': 'eu',
      'node.kubernetes.io/instance-type': 'm5.large',
      'node-role.kubernetes.io/worker': '',
      'node-role.kubernetes.io/edge': '',
      'example.com/rack': 'r3',
    },
    info: {
      kernelVersion: '6.8.0-45-generic',
      osImage: 'Debian GNU/Linux 13 (trixie)',
      kubeletVersion: 'v1.34.4',
      containerRuntimeVersion: 'containerd://1.7.2',
      machineID: 'secret',
    },
  };
  expect(labelsOf(node)).toEqual({
    'topology.kubernetes.io/region': 'eu',
    'node.kubernetes.io/instance-type': 'm5.large',
    kernel: '6.8.0-45-generic',
    os: 'Debian GNU/Linux 13 (trixie)',
    kubelet: 'v1.34.4',
    runtime: 'containerd://1.7.2',
    role: 'edge,worker',
  });
  expect(labelsOf(node, ['example.com/rack', 'machineID'])).toEqual({ 'example.com/rack': 'r3' });
  expect(labelsOf(node, ['topology.kubernetes.io/zone'])).toBeUndefined();
});

test('a label of the node comes before what stands for a name, and no role is none', () => {
  expect(labelsOf({ labels: { kernel: 'mine' }, info: { kernelVersion: '6.8' } })).toEqual({
    kernel: 'mine',
    role: 'none',
  });
});

test('values that no terminal should see, or that are too long, are left out', () => {
  const labels = {
    'node.kubernetes.io/instance-type': 'a\u001b[31mb',
    'topology.kubernetes.io/region': 'x'.repeat(128),
    'node-role.kubernetes.io/\u202ex': '',
  };
  expect(labelsOf({ labels, info: { kernelVersion: '\u0000', osImage: ' ' } })).toBeUndefined();
  expect(labelsOf({ labels: {} }, ['constructor', 'toString', '__proto__'])).toBeUndefined();
  const hostile = {
    metadata: { name: 'n', labels: 7 },
    status: { nodeInfo: [{ kernelVersion: 1 }] },
  };
  expect(createNodeProjection({ groupBy: ['kernel', 'role'] })(hostile)?.labels).toEqual({
    role: 'none',
  });
});

test('nodes with the same labels share one object', () => {
  const project = createNodeProjection({ groupBy: ['kernel'] });
  const labels = (name: string, kernelVersion: string) =>
    project(nodeObject(name, { info: { kernelVersion } }))?.labels;
  expect(labels('a', '6.8')).toBe(labels('b', '6.8'));
  expect(labels('c', '6.9')).toEqual({ kernel: '6.9' });
});
