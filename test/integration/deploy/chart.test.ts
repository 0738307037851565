import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { agentEnvironment, portsOf, root } from '../../unit/deploy/lib/deployment.js';
import { renderOverlay } from './lib/overlay.js';
import { whyNoKustomize } from './lib/kustomize.js';
import { at, find, keyOf, parseManifests, type Manifest } from '../../unit/deploy/lib/manifest.js';
import { runTool, whyNoTool } from './lib/tools.js';

const chart = join(root, 'deploy', 'helm', 'meshprobe');
const reason = whyNoTool('helm') ?? whyNoKustomize();
let folder: string;
beforeEach(({ skip }) => {
  skip(reason !== undefined, reason);
  folder = mkdtempSync(join(tmpdir(), 'meshprobe-chart-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Runs `helm template` with these values. */
function template(values: object, namespace = 'meshprobe') {
  const path = join(folder, 'values.yaml');
  writeFileSync(path, stringify(values));
  return runTool('helm', [
    'template',
    'any',
    chart,
    `--namespace=${namespace}`,
    `--values=${path}`,
  ]);
}

function render(values: object, namespace?: string): Manifest[] {
  const { status, stdout, stderr } = template(values, namespace);
  if (status !== 0) throw new Error(stderr);
  return parseManifests(stdout, 'helm template');
}

/** Sorts the lists whose order has no meaning. */
function normalised(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) {
    const items = (value as unknown[]).map((item) => normalised(item));
    return ['env', 'volumes', 'volumeMounts'].includes(key)
      ? items.toSorted((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b), 'en'))
      : items;
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, inner]) => [name, normalised(inner, name)] as const)
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
}

/** The objects by API version, kind and name. */
function byKey(manifests: readonly Manifest[]): Record<string, unknown> {
  return Object.fromEntries(manifests.map((one) => [keyOf(one), normalised(one)]));
}

const metrics = { metrics: { enabled: true } };
const everything = {
  ...metrics,
  meshKeySecret: 'meshprobe-mesh-key',
  api: { tokenSecret: 'meshprobe-api-token', address: '0.0.0.0' },
  serviceMonitor: { enabled: true },
  alerts: { enabled: true },
  board: { enabled: true },
};
const component = (name: string) => `kubernetes/components/${name}`;

describe('the chart', () => {
  test('has nothing that helm lint finds wrong', () => {
    const { status, stdout } = runTool('helm', ['lint', '--strict', chart]);
    expect([status, stdout]).toEqual([0, expect.not.stringMatching(/WARNING|ERROR/)]);
  });

  test.each([
    ['nothing', {}, []],
    ['Cilium', { network: 'cilium' }, [component('cilium')]],
    ['Calico', { network: 'calico' }, [component('calico')]],
    ['metrics', metrics, [component('metrics')]],
    [
      'everything',
      everything,
      [
        ...['mesh-key', 'api-token', 'api-on-nodes', 'metrics', 'service-monitor'].map(component),
        ...['alerts', 'grafana'],
      ],
    ],
  ])('renders with %s what kustomize renders, object by object', (_, values, components) => {
    const kustomized = byKey(renderOverlay(folder, [...components, component('ports')]));
    // Helm does not create the namespace of a release.
    delete kustomized['v1 Namespace meshprobe'];
    expect(byKey(render(values))).toEqual(kustomized);
  });

  test('changes every port everywhere', () => {
    const manifests = render({
      ...metrics,
      ports: { probe: 5240, health: 5241, api: 5242, metrics: 5243 },
    });
    const ports = Object.values(portsOf(manifests)).map((named) => [...named]);
    expect(ports).toEqual([[5240], [5241], [5242], [5243]]);
  });

  test('puts everything into the namespace of its release', () => {
    const clusterScoped = ['ClusterRole', 'ClusterRoleBinding', 'PriorityClass'];
    const manifests = render({ ...everything, network: 'cilium' }, 'monitoring');
    for (const { kind, metadata } of manifests) {
      const wanted = clusterScoped.includes(kind) ? undefined : 'monitoring';
      expect(metadata.namespace, `${kind} ${metadata.name}`).toBe(wanted);
    }
    expect(JSON.stringify(manifests)).not.toContain('"namespace":"meshprobe"');
  });

  test('gives the agent its settings as environment variables', () => {
    const settings = { 'icmp-budget': 1_000_000, 'http-interval': '2s', 'log-level': 'warn' };
    const env = agentEnvironment(
      render({ settings: { ...settings, 'enable-endpoint-health-checking': false } }),
    );
    expect(env).toMatchObject({
      MESHPROBE_NODE_SOURCE: 'kubernetes',
      MESHPROBE_ICMP_BUDGET: '1000000',
      MESHPROBE_HTTP_INTERVAL: '2s',
      MESHPROBE_LOG_LEVEL: 'warn',
      MESHPROBE_ENABLE_ENDPOINT_HEALTH_CHECKING: 'false',
    });
  });

  test('takes image, pull secrets, resources, tolerations and node selectors', () => {
    const pod = {
      resources: { requests: { cpu: '1' } },
      tolerations: [],
      nodeSelector: { pool: 'a' },
    };
    const manifests = render({
      image: { repository: 'registry.example/meshprobe', tag: '1.2.3', pullSecrets: ['pull'] },
      agent: pod,
      endpoint: pod,
    });
    for (const name of ['meshprobe', 'meshprobe-endpoint']) {
      const spec = at(find(manifests, 'DaemonSet', name), 'spec.template.spec');
      expect(spec).toMatchObject({
        imagePullSecrets: [{ name: 'pull' }],
        nodeSelector: { 'kubernetes.io/os': 'linux', pool: 'a' },
        containers: [{ image: 'registry.example/meshprobe:1.2.3' }],
      });
      expect(at(spec, 'containers.0.resources.requests.cpu')).toBe('1');
      expect(spec).not.toHaveProperty('tolerations');
    }
  });

  test('labels monitors, rules and board so that they are selected', () => {
    const labels = { release: 'prometheus' };
    const manifests = render({
      ...metrics,
      serviceMonitor: { enabled: true, labels },
      alerts: { enabled: true, labels },
      board: { enabled: true, labels },
    });
    for (const [kind, name] of [
      ['ServiceMonitor', 'meshprobe'],
      ['PrometheusRule', 'meshprobe'],
      ['ConfigMap', 'meshprobe-board'],
    ] as const) {
      expect(at(find(manifests, kind, name), 'metadata.labels')).toMatchObject(labels);
    }
  });

  test.each([
    [{ ports: { health: 'off' } }, "at '/ports/health': got boolean, want integer"],
    [{ ports: { health: '[::1]:4245' } }, "at '/ports/health': got string, want integer"],
    [{ ports: { api: 70_000 } }, "at '/ports/api': maximum: got 70,000, want 65,535"],
    [{ network: 'flannel' }, "at '/network': value must be one of 'other', 'cilium', 'calico'"],
    [{ image: { tagg: '1' } }, "at '/image': additional properties 'tagg' not allowed"],
    [{ meshKeySecret: 'A B' }, "at '/meshKeySecret'"],
    [{ api: { address: 'node1' } }, "at '/api/address'"],
    [
      { settings: { 'probe-port': 5 } },
      'settings.probe-port is not taken here, it is set by: ports.probe',
    ],
    [
      { api: { address: '0.0.0.0' } },
      'api.address: expected loopback where there is no api.tokenSecret, got 0.0.0.0',
    ],
    [
      { serviceMonitor: { enabled: true } },
      'serviceMonitor.enabled: expected metrics.enabled too, got false',
    ],
  ])('refuses %j in words', (values, words) => {
    const { status, stdout, stderr } = template(values);
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toContain(words);
  });
});

test('the values that docs/kubernetes.md shows switch everything on', () => {
  const docs = readFileSync(join(root, 'docs', 'kubernetes.md'), 'utf8');
  const [, text = ''] = /```yaml\n# values.yaml\n([^`]*)```/.exec(docs) ?? [];
  const kinds = render(parse(text) as object).map(({ kind }) => kind);
  expect(kinds).toEqual(
    expect.arrayContaining(['CiliumNetworkPolicy', 'ServiceMonitor', 'PrometheusRule', 'Service']),
  );
  expect(kinds.filter((kind) => kind === 'ConfigMap')).toHaveLength(2);
});

test('the version of the chart is the version of the package', () => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    version: string;
  };
  const [meta] = parseManifests(readFileSync(join(chart, 'Chart.yaml'), 'utf8'), 'Chart.yaml');
  expect(meta).toMatchObject({ version, appVersion: version });
});
