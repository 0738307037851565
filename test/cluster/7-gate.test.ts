import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { ip } from '../lab/lib/command.js';
import { secondsSince, untilFindings } from './lib/agents.js';
import { kubectl } from './lib/control-plane.js';
import { images } from './lib/image-names.js';
import { bootNode, removeNode } from './lib/node.js';
import { conditionOf, list, untilAnswer, untilCondition } from './lib/objects.js';
import { node, nodes, prepare, tried, untilWell } from './lib/trials.js';

// A new node takes pods only when its network is well: docs/kubernetes-conditions.md.

beforeAll(() => prepare());

const key = 'readiness.k8s.io/meshprobe-network';
const node5 = node(5);
const all = [...nodes, node5];

const pod = JSON.stringify({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'waits', namespace: 'default' },
  spec: {
    nodeSelector: { 'kubernetes.io/hostname': 'node5' },
    terminationGracePeriodSeconds: 0,
    containers: [
      {
        name: 'sleeps',
        image: images.pause,
        imagePullPolicy: 'Never',
        command: ['/bin/sleep', '2147483647'],
      },
    ],
  },
});

const phase = async () =>
  (await list('pods', '-n', 'default', '--field-selector=metadata.name=waits'))[0]?.status?.phase;

describe('a fifth node with the taint, whose pod network is broken', () => {
  test('takes no pod until it is well', async () => {
    const routes = async (change: 'del' | 'replace') => {
      for (const { namespace } of nodes) {
        await ip(namespace, [`route ${change} ${node5.podCidr} via ${node5.address}`]);
      }
    };
    onTestFinished(async () => {
      await kubectl(['delete', 'pod', 'waits', '--ignore-not-found', '--force']);
      await kubectl(['delete', 'node', 'node5', '--ignore-not-found']);
      await removeNode(node5);
      await routes('replace');
      await untilWell();
    });
    await routes('del');
    await bootNode(node5, { taints: [`${key}=pending:NoSchedule`] });
    await kubectl(['apply', '-f', '-'], pod);
    const bootedMs = performance.now();
    await untilFindings(nodes, (found) => found.includes('endpoint-plane node5 endpoint'), 300_000);
    tried(
      'a fifth node boots with a broken pod network: four agents say endpoint-plane',
      secondsSince(bootedMs),
    );
    await untilCondition('node5', 'False', 'EndpointPlane');
    tried('a fifth node boots with a broken pod network: condition False', secondsSince(bootedMs));
    expect(await phase()).toBe('Pending');

    await routes('replace');
    const mendedMs = performance.now();
    await kubectl([
      'wait',
      '--for=condition=MeshprobeNetworkHealthy',
      'node/node5',
      '--timeout=5m',
    ]);
    tried('its pod network mended: condition True', secondsSince(mendedMs));
    expect(await phase()).toBe('Pending');
    await untilFindings(all, []);
    await kubectl(['taint', 'node', 'node5', `${key}-`]);
    await untilAnswer(phase, (answer) => answer === 'Running');
    tried('the taint taken away: the pod runs', secondsSince(mendedMs));
    expect(await conditionOf('node5', 'MeshprobeNetworkHealthy')).toMatchObject({ status: 'True' });
  });
});
