import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { NodeEntry } from '../../api/schema/v1/nodes.js';
import { run } from '../lab/lib/command.js';
import { runCommand } from '../resources/program.js';
import { ask, findingsOf, secondsSince, untilFindings } from './lib/agents.js';
import { kubectl } from './lib/control-plane.js';
import { images } from './lib/image-names.js';
import { kubeProxy, startKubeProxy } from './lib/node.js';
import { mayAgents, untilAnswer } from './lib/objects.js';
import { inNode } from './lib/place.js';
import { signalProgram } from './lib/spawn.js';
import { node, nodes, prepare, tried, untilWell, withStatus } from './lib/trials.js';

// kube-proxy of one node in a pod, as most clusters have it, and what agents tell of that pod.

const node2 = node(2);

const mayWatchPods = (namespace: string) => mayAgents('watch', 'pods', namespace);

beforeAll(async () => {
  await prepare();
  expect(await mayWatchPods('kube-system')).toBe('no');
  await prepare([...withStatus, 'networkPods.namespaces={kube-system}']);
});

const tags = ['kube-proxy-1', 'kube-proxy-2'] as const;
const imageOf = (tag: string) => images.meshprobe.replace(/:.*$/, `:${tag}`);

/** The program that the node would run as a process, in a pod that has the node's files and network. */
const daemonSet = {
  apiVersion: 'apps/v1',
  kind: 'DaemonSet',
  metadata: { name: 'kube-proxy', namespace: 'kube-system' },
  spec: {
    selector: { matchLabels: { 'k8s-app': 'kube-proxy' } },
    template: {
      metadata: { labels: { 'k8s-app': 'kube-proxy' } },
      spec: {
        nodeSelector: { 'kubernetes.io/hostname': node2.name },
        hostNetwork: true,
        terminationGracePeriodSeconds: 5,
        tolerations: [{ operator: 'Exists' }],
        containers: [
          {
            name: 'kube-proxy',
            image: imageOf(tags[0]),
            imagePullPolicy: 'Never',
            command: ['/usr/sbin/chroot', '/host', ...kubeProxy(node2)],
            // It looks for nft.
            env: [{ name: 'PATH', value: '/usr/sbin:/usr/bin:/sbin:/bin' }],
            securityContext: {
              runAsUser: 0,
              capabilities: { add: ['NET_ADMIN', 'NET_RAW', 'SYS_CHROOT'] },
            },
            volumeMounts: [
              { name: 'host', mountPath: '/host', mountPropagation: 'HostToContainer' },
            ],
          },
        ],
        volumes: [{ name: 'host', hostPath: { path: '/' } }],
      },
    },
  },
};

async function onNode(command: string): Promise<void> {
  const [program, ...args] = inNode(node2, command.split(' '));
  await run(program, args);
}

/** Waits until every agent tells this change of the node, and counts how long that took. */
async function untilTold(text: string): Promise<number> {
  const startedMs = performance.now();
  for (const one of nodes) {
    await untilAnswer(
      async () => {
        const { changes = [] } = (await ask(one, '/v1/nodes/node2')) as NodeEntry;
        return changes.map((change) => change.text);
      },
      (texts) => texts.includes(text),
    );
  }
  return secondsSince(startedMs);
}

describe('kube-proxy of a node, as a pod', () => {
  test('is told when it is replaced, and beside what begins after it has stopped', async () => {
    expect(await mayWatchPods('kube-system')).toBe('yes');
    expect(await mayWatchPods('default')).toBe('no');
    for (const tag of tags) {
      await onNode(`ctr -n k8s.io images tag --force ${images.meshprobe} ${imageOf(tag)}`);
    }
    onTestFinished(async () => {
      await kubectl([
        ...['-n', 'kube-system', 'delete', 'ds', 'kube-proxy', '--ignore-not-found', '--wait'],
      ]);
      startKubeProxy(node2);
      await untilWell();
    });
    await signalProgram('kube-proxy-node2', 'SIGKILL');
    await kubectl(['apply', '-f', '-'], JSON.stringify(daemonSet));
    await untilTold(`kube-proxy started (${tags[0]})`);
    await untilWell();

    await kubectl(['-n', 'kube-system', 'delete', 'pod', '-l', 'k8s-app=kube-proxy']);
    const deleted = await untilTold(`the pod of kube-proxy was replaced (${tags[0]})`);
    tried('the pod of kube-proxy deleted: four agents tell that it was replaced', deleted);

    await kubectl([
      ...['-n', 'kube-system', 'set', 'image', 'ds/kube-proxy', `kube-proxy=${imageOf(tags[1])}`],
    ]);
    const replaced = await untilTold(`kube-proxy was replaced (${tags[0]} to ${tags[1]})`);
    tried('another image of kube-proxy: four agents tell both versions', replaced);
    await untilWell();

    await kubectl(['-n', 'kube-system', 'delete', 'ds', 'kube-proxy']);
    await untilTold(`kube-proxy stopped (${tags[1]})`);
    await onNode('nft delete table ip kube-proxy');
    const startedMs = performance.now();
    await untilFindings(nodes, ['target-unreachable service node2']);
    tried('kube-proxy gone with its table: four agents say it', secondsSince(startedMs));
    const said = (await findingsOf(node(1))).find(({ kind }) => kind === 'target-unreachable');
    const stopped = said?.changes?.find(({ text }) => text === `kube-proxy stopped (${tags[1]})`);
    expect(stopped).toMatchObject({ node: 'default/node2', change: 'kube-proxy-pod' });
    expect((stopped?.at ?? 'never') <= (said?.since ?? '')).toBe(true);
    const { stdout } = await runCommand('kubectl', ['meshprobe', 'diagnose']);
    expect(stdout).toContain(`before it: default/node2: kube-proxy stopped (${tags[1]})`);
  });
});
