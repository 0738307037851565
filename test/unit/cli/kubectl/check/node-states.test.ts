import { describe, expect, test } from 'vitest';
import { nodeStates, type PodObject } from '../../../../../cli/kubectl/check/node-states.js';

const node = (name: string, more: object = {}) => ({ metadata: { name }, ...more });

function pod(part: 'agent' | 'endpoint', nodeName: string, status: PodObject['status']): PodObject {
  const labels = { 'app.kubernetes.io/component': part };
  return {
    metadata: { name: `${part}-${nodeName}`, labels },
    spec: { nodeName },
    ...(status && { status }),
  };
}

const running = { containerStatuses: [{ state: { running: {} } }] };
const waiting = (reason: string, message?: string) => ({
  containerStatuses: [{ state: { waiting: { reason, ...(message && { message }) } } }],
});

describe('how far the pods of a node are', () => {
  test('a node takes part when both run', () => {
    const pods = [pod('agent', 'n1', running), pod('endpoint', 'n1', running)];
    expect(nodeStates([node('n1')], pods, [])).toEqual([
      {
        node: 'n1',
        agentPod: 'agent-n1',
        hasEndpoint: true,
        why: undefined,
        isStuck: false,
        isForeign: false,
      },
    ]);
  });

  test('a pod that is not scheduled is of the node that its DaemonSet wants', () => {
    const wanted = { nodeSelectorTerms: [{ matchFields: [{ values: ['n1'] }] }] };
    const affinity = {
      nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: wanted },
    };
    const conditions = [
      { type: 'PodScheduled', status: 'False', message: '0/1 nodes: free ports' },
    ];
    const unscheduled = { ...pod('agent', '', { conditions }), spec: { affinity } };
    const pods = [unscheduled, pod('endpoint', 'n1', running)];
    expect(nodeStates([node('n1')], pods, [])).toMatchObject([
      { agentPod: undefined, why: 'no room for its agent: 0/1 nodes: free ports', isStuck: true },
    ]);
  });

  test.each([
    ['its agent is starting', false, waiting('ContainerCreating'), running],
    ['its agent is starting', false, {}, running],
    ['its agent does not start: ErrImagePull: x', true, waiting('ErrImagePull', 'x'), running],
    ['its endpoint does not start: CrashLoopBackOff', true, running, waiting('CrashLoopBackOff')],
    [
      'its agent ended: Error, exit code 1',
      true,
      { containerStatuses: [{ state: { terminated: { reason: 'Error', exitCode: 1 } } }] },
      running,
    ],
  ])('says %s', (why, isStuck, agent, endpoint) => {
    const pods = [pod('agent', 'n1', agent), pod('endpoint', 'n1', endpoint)];
    expect(nodeStates([node('n1')], pods, [])).toMatchObject([{ why, isStuck }]);
  });

  test('a pod that is not there was not made yet, or was refused', () => {
    expect(nodeStates([node('n1')], [], [])).toMatchObject([
      { why: 'its agent was not made yet', isStuck: false },
    ]);
    const events = [{ reason: 'FailedCreate', message: 'violates PodSecurity' }];
    expect(nodeStates([node('n1')], [], events)).toMatchObject([
      { why: 'its agent was refused: violates PodSecurity', isStuck: true },
    ]);
  });

  test('a node that is not ready says so, and one that is not Linux is none of ours', () => {
    const conditions = [{ type: 'Ready', status: 'Unknown', message: 'stopped posting' }];
    const windows = { metadata: { name: 'n2', labels: { 'kubernetes.io/os': 'windows' } } };
    expect(nodeStates([node('n1', { status: { conditions } }), windows], [], [])).toMatchObject([
      { why: 'the node is not ready (stopped posting), its agent was not made yet', isStuck: true },
      { why: 'it runs windows, and the agent is for Linux', isForeign: true },
    ]);
  });
});
