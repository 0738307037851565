import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { variableOf } from '../../../agent/config/read-values.js';
import { settingEntries } from '../../../agent/config/settings.js';
import { newFolder } from '../../resources/folder.js';
import { containerOf } from '../../unit/deploy/lib/container.js';
import {
  agentEnvironment,
  agentOf,
  endpointOf,
  portsOf,
  root,
} from '../../unit/deploy/lib/deployment.js';
import { build, render, whyNoKustomize } from './lib/kustomize.js';
import { renderOverlay, writeOverlay } from './lib/overlay.js';
import { at, find, parseManifests, type Manifest } from '../../unit/deploy/lib/manifest.js';
import { mistakesIn } from './lib/openapi.js';

const docs = readFileSync(join(root, 'docs', 'kubernetes.md'), 'utf8');
const components = [
  ...readdirSync(join(root, 'deploy', 'kubernetes', 'components')),
  'alerts',
  'grafana',
];
/** The folder of a component in deploy/. */
const folderOf = (name: string) =>
  ['alerts', 'grafana'].includes(name) ? name : `kubernetes/components/${name}`;
const reason = whyNoKustomize();

let folder: string;
beforeEach(({ skip }) => {
  skip(reason !== undefined, reason);
  folder = newFolder();
  symlinkSync(join(root, 'deploy'), join(folder, 'deploy'));
});

/** Writes the overlay of docs/kubernetes.md. `change` edits its text first. */
function writeDocumented(change: (text: string, path: string) => string = (text) => text): string {
  const blocks = [...docs.matchAll(/```yaml\n# (overlay\/\S+)\n([^`]*)```/g)];
  expect(blocks.map(([, path]) => path)).toEqual([
    'overlay/kustomization.yaml',
    'overlay/ports/kustomization.yaml',
  ]);
  for (const [, path = '', text = ''] of blocks) write(path, change(text, path));
  return join(folder, 'overlay');
}

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

describe('the overlay of docs/kubernetes.md', () => {
  test('moves everything into its namespace, the subjects of the bindings included', () => {
    const manifests = render(writeDocumented());
    const clusterScoped = ['Namespace', 'ClusterRole', 'ClusterRoleBinding', 'PriorityClass'];
    for (const { kind, metadata } of manifests) {
      const wanted = clusterScoped.includes(kind) ? undefined : 'monitoring';
      expect(metadata.namespace, `${kind} ${metadata.name}`).toBe(wanted);
    }
    const bindings = manifests.filter(({ kind }) => kind.endsWith('Binding'));
    expect(bindings).toHaveLength(2);
    for (const { subjects } of bindings) {
      expect(subjects).toEqual([
        { kind: 'ServiceAccount', name: 'meshprobe', namespace: 'monitoring' },
      ]);
    }
    const { labels } = find(manifests, 'Namespace', 'monitoring').metadata as unknown as {
      labels: Record<string, string>;
    };
    expect(labels['pod-security.kubernetes.io/enforce']).toBe('privileged');
    expect(JSON.stringify(manifests)).not.toContain('"namespace":"meshprobe"');
  });

  test('changes every port everywhere', () => {
    const { probe, health, api, metrics } = portsOf(render(writeDocumented()));
    expect([[...probe], [...health], [...api], [...metrics]]).toEqual([
      [5240],
      [5241],
      [5242],
      [5243],
    ]);
  });

  test('takes the image that it names', () => {
    const manifests = render(writeDocumented());
    for (const daemonSet of [agentOf(manifests), endpointOf(manifests)]) {
      expect(containerOf(daemonSet)['image']).toBe('registry.example/meshprobe:0.1.0');
    }
  });

  test.each(['off', '[::1]:4245', '127.0.0.1:5241', ''])(
    'refuses %j as a port, in words',
    (value) => {
      const overlay = writeDocumented((text) => text.replace("'5241'", JSON.stringify(value)));
      const { status, stdout, stderr } = build(overlay);
      expect([status, stdout]).toEqual([1, '']);
      expect(stderr).toMatch(value === '' ? /expected|cannot/ : `cannot decode !!str \`${value}\``);
    },
  );
});

describe('the right to write Events', () => {
  const pageOfConditions = readFileSync(join(root, 'docs', 'kubernetes-conditions.md'), 'utf8');
  const block = (name: string) =>
    new RegExp(`\`\`\`yaml\n# ${name}.*\n([^\`]*)\`\`\``).exec(pageOfConditions)?.[1] ?? '';
  const withStatus = ['kubernetes-status', 'ports'].map(folderOf);

  test('is one of all namespaces, as kustomize would move a Role to the agents', () => {
    write('events/events.yaml', block('events.yaml'));
    write(
      'events/kustomization.yaml',
      'apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nresources: [events.yaml]\n',
    );
    const overlay = writeOverlay(folder, withStatus, ['namespace: monitoring']);
    const path = join(overlay, 'kustomization.yaml');
    const text = readFileSync(path, 'utf8').replace('components: [', 'components: [../events, ');
    writeFileSync(path, text);
    const { metadata } = find(render(overlay), 'Role', 'meshprobe-events');
    expect(metadata.namespace).toBe('monitoring');
  });

  test('is taken away and given in the namespace default as docs/kubernetes-conditions.md says', () => {
    const more = block('overlay/kustomization.yaml').trimEnd().split('\n');
    const manifests = render(writeOverlay(folder, withStatus, ['namespace: monitoring', ...more]));
    const wide = find(render(writeOverlay(folder, withStatus)), 'ClusterRole', 'meshprobe-status');
    const [conditions, events, ...others] = wide['rules'] as unknown[];
    expect(others).toEqual([]);
    expect(find(manifests, 'ClusterRole', 'meshprobe-status')['rules']).toEqual([conditions]);
    const [role, binding] = parseManifests(block('events.yaml'), 'events.yaml');
    expect(
      [role, binding].flatMap((one) => (one === undefined ? ['none'] : mistakesIn(one))),
    ).toEqual([]);
    expect([role?.metadata.namespace, role?.['rules']]).toEqual(['default', [events]]);
    expect(binding).toMatchObject({
      metadata: { namespace: 'default' },
      roleRef: { kind: 'Role', name: role?.metadata.name },
      subjects: [{ kind: 'ServiceAccount', name: 'meshprobe', namespace: 'meshprobe' }],
    });
  });
});

describe('ports that are changed in another way', () => {
  const patch = [
    'patches:',
    '  - patch: |',
    '      apiVersion: v1',
    '      kind: ConfigMap',
    '      metadata: {name: meshprobe-ports, namespace: meshprobe}',
    "      data: {probe: '5240'}",
  ];

  const refusal =
    /no resource matches strategic merge patch \\?"ConfigMap\.v1\.\[noGrp\]\/meshprobe-ports/;

  test('over a variant are refused in words', () => {
    const { status, stderr } = build(writeOverlay(folder, [], patch, 'kubernetes'));
    expect(status).toBe(1);
    expect(stderr).toMatch(refusal);
  });

  test('after the last component are refused in words', () => {
    const { status, stderr } = build(writeOverlay(folder, ['kubernetes/components/ports'], patch));
    expect(status).toBe(1);
    expect(stderr).toMatch(refusal);
  });

  test('without the last component are 0, which the API server refuses', () => {
    const manifests = render(writeOverlay(folder, [], patch));
    for (const daemonSet of [agentOf(manifests), endpointOf(manifests)]) {
      expect(at(containerOf(daemonSet), 'ports.0.containerPort')).toBe(0);
    }
  });
});

describe('a component', () => {
  const withComponents = (...names: string[]): Manifest[] =>
    renderOverlay(folder, [...names.map(folderOf), folderOf('ports')]);

  test('is in the table of docs/kubernetes.md', () => {
    for (const name of components) {
      expect(docs).toMatch(new RegExp(`^\\|.*\`(\\.\\./deploy/)?${name}\`.*\\|`, 'm'));
    }
  });

  test('renders objects that match the Kubernetes OpenAPI types, together with all others', () => {
    const names = components.filter((name) => name !== 'ports');
    const standard = withComponents(...names).filter(
      ({ apiVersion }) =>
        !/^(cilium\.io|projectcalico\.org|monitoring\.coreos\.com)\//.test(apiVersion),
    );
    expect(standard.flatMap(mistakesIn)).toEqual([]);
  });

  test.each([
    ['mesh-key', 'MESHPROBE_MESH_KEY_FILE', 'meshprobe-mesh-key', 'key'],
    ['api-token', 'MESHPROBE_API_TOKEN_FILE', 'meshprobe-api-token', 'token'],
  ])(
    '%s gives the agent a file of a Secret, for its user to read',
    (name, variable, secretName, key) => {
      const manifests = withComponents(name);
      const path = agentEnvironment(manifests)[variable] ?? '';
      const container = containerOf(agentOf(manifests));
      const mounts = container['volumeMounts'] as { name: string; mountPath: string }[];
      const mount = mounts.find(({ mountPath }) => mountPath === dirname(path));
      expect(path).toBe(`${mount?.mountPath ?? ''}/${key}`);
      expect(mount).toMatchObject({ readOnly: true });
      const volumes = at(agentOf(manifests), 'spec.template.spec.volumes') as { name: string }[];
      expect(volumes.find((volume) => volume.name === mount?.name)).toEqual({
        name: mount?.name,
        secret: { secretName, defaultMode: 0o400 },
      });
      const secrets = JSON.stringify(at(endpointOf(manifests), 'spec.template.spec.volumes'));
      // An endpoint tells what it sees of targets only to agents that have the key.
      if (name === 'mesh-key') {
        expect(secrets).toContain(`"secretName":"${secretName}"`);
        expect(at(endpointOf(manifests), 'spec.template.spec.securityContext.fsGroup')).toBe(1000);
      } else expect(secrets).not.toContain('secretName');
      expect(docs).toContain(`create secret generic ${secretName} --from-literal=${key}=`);
    },
  );

  test('sets only settings that the agent has, to valid values, together with all others', () => {
    const names = components.filter((name) => name !== 'ports');
    const env = Object.entries(agentEnvironment(withComponents(...names)));
    const settings = new Map(settingEntries.map(([name, setting]) => [variableOf(name), setting]));
    for (const [variable, value] of env.filter(([name]) => name.startsWith('MESHPROBE_'))) {
      const setting = settings.get(variable);
      expect(setting?.schema.safeParse(value).success, variable).toBe(true);
    }
  });

  test('api-on-nodes lets the API be reached from other hosts, on its port', () => {
    const env = agentEnvironment(withComponents('api-token', 'api-on-nodes'));
    expect(env['MESHPROBE_API_LISTEN']).toBe('0.0.0.0:4242');
  });

  test('metrics serves metrics on every node and announces the agents to Prometheus', () => {
    const manifests = withComponents('metrics', 'service-monitor');
    expect(agentEnvironment(manifests)['MESHPROBE_METRICS_LISTEN']).toBe('0.0.0.0:4243');
    const { metadata, spec } = find(manifests, 'Service', 'meshprobe-metrics');
    expect(at(spec, 'selector')).toEqual(at(agentOf(manifests), 'spec.selector.matchLabels'));
    const monitor = find(manifests, 'ServiceMonitor', 'meshprobe');
    expect(at(monitor, 'spec.selector.matchLabels')).toEqual(at(metadata, 'labels'));
    expect(at(monitor, 'spec.endpoints.0.port')).toBe(at(spec, 'ports.0.name'));
  });

  test('alerts holds the rules of its folder', () => {
    const rule = find(withComponents('alerts'), 'PrometheusRule', 'meshprobe');
    const rules = readFileSync(join(root, 'deploy', 'alerts', 'meshprobe.rules.yaml'), 'utf8');
    // Only the command for when nothing is scraped is another.
    const elsewhere = /promtool query instant .*/;
    const [here = ''] = /kubectl get ds,[^"]*/.exec(JSON.stringify(rule['spec'])) ?? [];
    expect(rules).toMatch(elsewhere);
    expect(rule['spec']).toEqual(parse(rules.replace(elsewhere, here)));
  });

  test('grafana holds the board of its folder, where the sidecar finds it', () => {
    const map = find(withComponents('grafana'), 'ConfigMap', 'meshprobe-board');
    const board = readFileSync(join(root, 'deploy', 'grafana', 'meshprobe.json'), 'utf8');
    expect(map['data']).toEqual({ 'meshprobe.json': board });
    expect(at(map, 'metadata.labels.grafana_dashboard')).toBe('1');
  });
});
