import { describe, expect, test } from 'vitest';
import { networkProgramOf } from '../../../../agent/network-pods/known-pods.js';
import { projectNetworkPod, versionOf } from '../../../../agent/network-pods/network-pod.js';

const status = (state: object, more: object = {}) => ({
  name: 'kube-proxy',
  state,
  containerID: 'containerd://1',
  restartCount: 2,
  ...more,
});
const pod = (containerStatuses: unknown, more: object = {}) => ({
  metadata: { name: 'kube-proxy-x', uid: 'u1', labels: { 'k8s-app': 'kube-proxy' } },
  spec: { containers: [{ name: 'kube-proxy', image: 'registry.k8s.io/kube-proxy:v1.34.1' }] },
  status: { containerStatuses },
  ...more,
});
const containerOf = (object: unknown) => projectNetworkPod(object)?.containers[0];

describe('a pod is known', () => {
  test.for<[object, string, string]>([
    [{ 'k8s-app': 'kube-proxy' }, 'kube-proxy-pod', 'kube-proxy'],
    [{ tier: 'node', component: 'kube-proxy' }, 'kube-proxy-pod', 'kube-proxy'],
    [{ 'k8s-app': 'cilium', 'app.kubernetes.io/name': 'cilium-agent' }, 'cni-pod', 'cilium'],
    [{ 'k8s-app': 'calico-node' }, 'cni-pod', 'calico-node'],
    [{ 'k8s-app': 'canal' }, 'cni-pod', 'canal'],
    [{ app: 'flannel', tier: 'node' }, 'cni-pod', 'flannel'],
    [{ 'k8s-app': 'kube-router', tier: 'node' }, 'cni-pod', 'kube-router'],
    [{ 'k8s-app': 'aws-node' }, 'cni-pod', 'aws-node'],
    [{ app: 'antrea', component: 'antrea-agent' }, 'cni-pod', 'antrea-agent'],
    [{ app: 'ovnkube-node' }, 'cni-pod', 'ovnkube-node'],
    [{ app: 'kube-ovn-cni' }, 'cni-pod', 'kube-ovn-cni'],
    [{ app: 'kindnet', 'k8s-app': 'kindnet' }, 'cni-pod', 'kindnet'],
    [{ name: 'weave-net' }, 'cni-pod', 'weave-net'],
  ])('by the labels %j', ([labels, change, name]) => {
    expect(networkProgramOf(labels)).toEqual({ change, name });
  });

  test.for<[unknown]>([
    [undefined],
    [null],
    ['kube-proxy'],
    [['k8s-app']],
    [{ 'k8s-app': ['kube-proxy'] }],
    [{ 'k8s-app': 'calico-typha' }],
    [{ app: 'antrea', component: 'antrea-controller' }],
    [{ __proto__: { 'k8s-app': 'kube-proxy' } }],
    [{ name: 'kube-proxy' }],
  ])('by no other labels: %j', ([labels]) => {
    expect(networkProgramOf(labels)).toBeUndefined();
  });
});

describe('a container of it', () => {
  test('runs since its start', () => {
    const startedAt = '2026-11-25T10:02:11Z';
    expect(projectNetworkPod(pod([status({ running: { startedAt } })]))).toEqual({
      change: 'kube-proxy-pod',
      name: 'kube-proxy',
      uid: 'u1',
      containers: [
        {
          name: 'kube-proxy',
          version: 'v1.34.1',
          runs: 'containerd://1',
          sinceAt: Date.parse(startedAt),
          restarts: 2,
        },
      ],
    });
  });

  test('has ended, whether its next start is waited for or not', () => {
    const ended = { terminated: { finishedAt: '2026-11-25T10:02:11Z', exitCode: 2 } };
    const sinceAt = Date.parse('2026-11-25T10:02:11Z');
    expect(containerOf(pod([status(ended)]))).toMatchObject({ runs: undefined, sinceAt });
    const waiting = status(
      { waiting: { reason: 'CrashLoopBackOff' } },
      { lastState: ended, containerID: 'containerd://1' },
    );
    expect(containerOf(pod([waiting]))).toMatchObject({ runs: undefined, sinceAt });
  });

  test('is the main one where the pod says so', () => {
    const annotations = { 'kubectl.kubernetes.io/default-container': 'antrea-agent' };
    const metadata = { uid: 'u', labels: { component: 'antrea-agent' }, annotations };
    const spec = { containers: [{ name: 'antrea-ovs' }, { name: 'antrea-agent' }] };
    const names = projectNetworkPod({ metadata, spec })?.containers.map(({ name }) => name);
    expect(names).toEqual(['antrea-agent', 'antrea-ovs']);
  });

  test.for<[string, unknown]>([
    ['nothing', undefined],
    ['a text', 'x'],
    ['a list of what is none', [null, 'x', 7, []]],
    ['no state', [{ name: 'kube-proxy' }]],
    ['values of other kinds', [status({ running: true }, { restartCount: '9', containerID: 4 })]],
    [
      'times that are none',
      [status({ running: { startedAt: 'soon' } }, { restartCount: -4, containerID: {} })],
    ],
    ['a huge count', [status({ terminated: 'x' }, { restartCount: 1e300 })]],
  ])('is read from a status that is %s', ([, statuses]) => {
    const container = containerOf(pod(statuses));
    expect(container).toMatchObject({ name: 'kube-proxy', sinceAt: undefined });
    expect(container?.restarts).toBeOneOf([0, 2]);
  });

  test('is bounded in number, and a pod may have none', () => {
    const many = Array.from({ length: 500 }, (_, at) => ({ name: `c${at}`, image: 'x:1' }));
    expect(projectNetworkPod(pod([], { spec: { containers: many } }))?.containers).toHaveLength(16);
    for (const spec of [undefined, null, 'x', { containers: 'x' }]) {
      expect(projectNetworkPod(pod([], { spec }))?.containers).toEqual([]);
    }
    for (const object of [undefined, null, 4, 'x', [], { metadata: 'x' }]) {
      expect(projectNetworkPod(object)).toBeUndefined();
    }
  });
});

test.for([
  ['registry.k8s.io/kube-proxy:v1.34.1', 'v1.34.1'],
  ['quay.io:5000/cilium/cilium:v1.18.2@sha256:aaaaaaaaaaaabbbbbb', 'v1.18.2'],
  ['quay.io:5000/cilium/cilium@sha256:0123456789abcdef', 'sha256:0123456789ab'],
  ['registry.example:5000/kube-proxy', '?'],
  ['', '?'],
  ['x:\u001b[31m', '?'],
  [`x:${'9'.repeat(500)}`, '9'.repeat(24)],
])('the version of the image %j is %j', ([image = '', version]) => {
  expect(versionOf(image)).toBe(version);
});
