import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { root } from '../../scripts/sources.js';
import { runCommand } from '../resources/program.js';
import { secondsSince } from './lib/agents.js';
import { kubectl } from './lib/control-plane.js';
import { images } from './lib/image-names.js';
import { chart, helm, imageValues, installChart, makeNamespace, namespace } from './lib/install.js';
import { conditionOf, list, pods, untilCondition, warnings } from './lib/objects.js';
import { nodes, prepare, tried, uninstall, untilWell, withStatus } from './lib/trials.js';
import { watchWhile } from './lib/watch.js';

// What somebody does who tries meshprobe: installs it, asks, changes a setting, and removes it.

beforeAll(async () => {
  const there = await kubectl(['get', 'namespace', namespace, '--ignore-not-found']);
  if (there !== '') await uninstall();
  for (const { name } of nodes) await takeConditionAway(name);
});

afterAll(() => prepare());

/** As docs/kubernetes-conditions.md says. */
async function takeConditionAway(name: string): Promise<void> {
  await kubectl(
    [
      ...['apply', '--server-side', '--subresource=status', '--field-manager=meshprobe'],
      ...['-f', '-'],
    ],
    JSON.stringify({ apiVersion: 'v1', kind: 'Node', metadata: { name } }),
  );
  expect(await conditionOf(name, 'MeshprobeNetworkHealthy')).toBeUndefined();
}

const kinds = [
  ...['namespaces', 'daemonsets', 'pods', 'services', 'configmaps', 'secrets', 'serviceaccounts'],
  ...['roles', 'rolebindings', 'clusterroles', 'clusterrolebindings', 'priorityclasses'],
  ...['networkpolicies', 'endpointslices'],
];

/** Everything whose name or label says that it belongs to meshprobe. */
async function traces(): Promise<string[]> {
  const all = await list(kinds.join(','), '-A');
  return all
    .filter(
      ({ metadata: { name, namespace: of, labels } }) =>
        name.includes('meshprobe') ||
        of === namespace ||
        labels?.['app.kubernetes.io/name'] === 'meshprobe',
    )
    .map(({ kind, metadata }) => `${kind} ${metadata.name}`);
}

/**
 * An agent whose peers have not started yet says that it is not ready, and the kubelet may ask it just then. On a machine
 * with too little processor time a start takes more than the 5 s that the kubelet waits, and an answer may be late. The API
 * server's own check of cluster IPs may see a Service before the object that says that its address is taken.
 */
const toBeExpected =
  /(Readiness probe failed: .* 503|connection refused)$|context deadline exceeded|^meshprobe ClusterIPNotAllocated: /;
/** What is said of an agent that is away for more than 5 s, which a busy machine may take to replace it. */
const isAway = /^agent-down: .*connection refused\); the host itself answers ping$/;

async function expectEightPodsWithoutTrouble(): Promise<void> {
  const counts = (await pods()).flatMap(({ status }) =>
    status?.containerStatuses?.map(({ restartCount }) => restartCount),
  );
  expect(counts).toEqual(Array.from({ length: 8 }, () => 0));
  expect((await warnings()).filter((text) => !toBeExpected.test(text))).toEqual([]);
}

describe('installed by Helm', () => {
  test('every pod becomes ready without a restart, and diagnose says that all is well', async () => {
    expect(await traces()).toEqual([]);
    await makeNamespace();
    const startedMs = performance.now();
    await installChart(withStatus);
    tried('helm install: eight pods are ready', secondsSince(startedMs));
    await untilWell();
    tried('helm install: four agents find nothing', secondsSince(startedMs));
    await expectEightPodsWithoutTrouble();
    for (const { name } of nodes) await untilCondition(name, 'True', 'PeersReached');
    tried('helm install: four new nodes have their condition', secondsSince(startedMs));
    const { code, stdout } = await runCommand('kubectl', ['meshprobe', 'diagnose']);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^All is well/)]);
  });

  test('a setting is changed by a rolling update, and nothing false is said meanwhile', async () => {
    const startedMs = performance.now();
    const { said, looks } = await watchWhile(nodes, () =>
      installChart([...withStatus, 'settings.icmp-failure-threshold=4']),
    );
    tried(
      'helm upgrade of a setting, agent by agent: all pods are ready again',
      secondsSince(startedMs),
      `${said.length} sentences in ${looks} answers`,
    );
    expect(looks).toBeGreaterThan(0);
    expect(said.filter((text) => !isAway.test(text))).toEqual([]);
    await untilWell();
    for (const { name } of nodes) {
      expect(await conditionOf(name, 'MeshprobeNetworkHealthy')).toMatchObject({
        status: 'True',
        reason: 'PeersReached',
      });
    }
  });

  test('its monitor is rendered, and names a Service that has all agents', async () => {
    const values = [...imageValues, 'metrics.enabled=true'];
    const settings = [...values, 'serviceMonitor.enabled=true'].map((value) => `--set=${value}`);
    const text = await helm(['template', 'meshprobe', chart, ...settings]);
    const [monitor] = text.split(/^---$/m).filter((part) => /^kind: ServiceMonitor$/m.test(part));
    expect(monitor).toMatch(/app.kubernetes.io\/name: meshprobe/);
    await installChart([...withStatus, 'metrics.enabled=true']);
    const slices = await list(
      ...['endpointslices', '-n', namespace],
      ...['-l', 'kubernetes.io/service-name=meshprobe-metrics'],
    );
    const named = slices.flatMap(({ endpoints = [] }) => endpoints.map(({ nodeName }) => nodeName));
    expect(named.sort()).toEqual(nodes.map(({ name }) => name));
    for (const { address } of nodes) {
      const metrics = await fetch(`http://${address}:4243/metrics`);
      expect(await metrics.text()).toContain('meshprobe_probes_total');
    }
  });

  test('uninstall leaves nothing', async () => {
    const startedMs = performance.now();
    await uninstall();
    tried('helm uninstall: nothing is left', secondsSince(startedMs));
    expect(await traces()).toEqual([]);
  });
});

describe('installed by kustomize', () => {
  test('every pod becomes ready, and delete leaves nothing', async () => {
    const rendered = await kubectl(['kustomize', join(root, 'deploy/kubernetes')]);
    const manifests = rendered.replaceAll(/ghcr\.io\/meshprobe\/meshprobe:\S+/g, images.meshprobe);
    const remove = () =>
      kubectl(['delete', '-f', '-', '--ignore-not-found', '--timeout=120s'], manifests);
    onTestFinished(async () => {
      await remove();
    });
    const startedMs = performance.now();
    await kubectl(['apply', '-f', '-'], manifests);
    await untilWell();
    tried('kubectl apply of the kustomization: four agents find nothing', secondsSince(startedMs));
    await expectEightPodsWithoutTrouble();
    await remove();
    expect(await traces()).toEqual([]);
  });
});
