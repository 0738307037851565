import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { parseTargetsFile } from '../../../agent/targets/definition/targets-file.js';
import { portsOf, root } from '../../unit/deploy/lib/deployment.js';
import { chart, renderChart, template } from './lib/helm.js';
import { whyNoKustomize } from './lib/kustomize.js';
import { at, find, parseManifests } from '../../unit/deploy/lib/manifest.js';
import { mistakesIn } from './lib/openapi.js';
import { runTool, whyNoTool } from './lib/tools.js';
import { version } from '../../resources/package-version.js';

const reason = whyNoTool('helm') ?? whyNoKustomize();
beforeEach(({ skip }) => skip(reason !== undefined, reason));

const metrics = { metrics: { enabled: true } };
const everything = {
  ...metrics,
  meshKeySecret: 'meshprobe-mesh-key',
  api: { tokenSecret: 'meshprobe-api-token', address: '0.0.0.0' },
  serviceMonitor: { enabled: true },
  alerts: { enabled: true },
  board: { enabled: true },
};

const targetsOf = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ name: `t${n}`, icmp: 'a' }));

describe('the chart', () => {
  test('has nothing that helm lint finds wrong', () => {
    const { status, stdout } = runTool('helm', ['lint', '--strict', chart]);
    expect([status, stdout]).toEqual([0, expect.not.stringMatching(/WARNING|ERROR/)]);
  });

  test('changes every port everywhere', () => {
    const manifests = renderChart({
      ...metrics,
      ports: { probe: 5240, health: 5241, api: 5242, metrics: 5243 },
    });
    const ports = Object.values(portsOf(manifests)).map((named) => [...named]);
    expect(ports).toEqual([[5240], [5241], [5242], [5243]]);
  });

  test('puts everything into the namespace of its release', () => {
    const clusterScoped = ['ClusterRole', 'ClusterRoleBinding', 'PriorityClass'];
    const manifests = renderChart({ ...everything, network: 'cilium' }, 'monitoring');
    for (const { kind, metadata } of manifests) {
      const wanted = clusterScoped.includes(kind) ? undefined : 'monitoring';
      expect(metadata.namespace, `${kind} ${metadata.name}`).toBe(wanted);
    }
    expect(JSON.stringify(manifests)).not.toContain('"namespace":"meshprobe"');
  });

  test('lets the agents write Events in the namespace default alone, wherever they are', () => {
    const manifests = renderChart({ kubernetesStatus: { conditions: true, events: true } }, 'x');
    const writers = manifests
      .filter(({ rules }) => JSON.stringify(rules ?? '').match(/create|patch|update|delete|\*/))
      .map(({ kind, metadata, rules }) => [kind, metadata.namespace, rules]);
    expect(writers).toEqual([
      [
        'ClusterRole',
        undefined,
        [{ apiGroups: [''], resources: ['nodes/status'], verbs: ['patch'] }],
      ],
      [
        'Role',
        'default',
        [{ apiGroups: ['events.k8s.io'], resources: ['events'], verbs: ['create', 'patch'] }],
      ],
    ]);
    expect(find(manifests, 'RoleBinding', 'meshprobe-events')).toMatchObject({
      metadata: { namespace: 'default' },
      roleRef: { kind: 'Role', name: 'meshprobe-events' },
      subjects: [{ kind: 'ServiceAccount', name: 'meshprobe', namespace: 'x' }],
    });
  });

  test('labels every object with its release, and pods with what they are', () => {
    const manifests = renderChart(everything);
    for (const { kind, metadata, spec } of manifests) {
      const { labels } = metadata as unknown as { labels: Record<string, string> };
      expect(labels, kind).toMatchObject({
        'app.kubernetes.io/name': 'meshprobe',
        'app.kubernetes.io/instance': 'any',
        'app.kubernetes.io/version': version,
        'app.kubernetes.io/managed-by': 'Helm',
        'helm.sh/chart': `meshprobe-${version}`,
      });
      const isForBoth = kind === 'PriorityClass';
      expect('app.kubernetes.io/component' in labels, kind).toBe(!isForBoth);
      if (kind === 'DaemonSet') expect(at(spec, 'template.metadata.labels')).toEqual(labels);
    }
  });

  test('restarts the agents when their settings change, and only then', () => {
    const checksum = (values: object) =>
      at(
        find(renderChart(values), 'DaemonSet', 'meshprobe'),
        'spec.template.metadata.annotations',
      ) as Record<string, string>;
    const [before, same, after] = [
      { settings: { 'icmp-interval': '1s' } },
      { settings: { 'icmp-interval': '1s' }, metrics: { enabled: true }, board: { enabled: true } },
      { settings: { 'icmp-interval': '2s' } },
    ].map((values) => checksum(values)['checksum/settings']);
    expect(before).toMatch(/^[0-9a-f]{64}$/);
    expect([same === before, after === before]).toEqual([true, false]);
  });

  test('names the port of everything that listens', () => {
    const ports = at(
      find(renderChart(metrics), 'DaemonSet', 'meshprobe'),
      'spec.template.spec.containers.0.ports',
    );
    expect(ports).toEqual([
      { name: 'probe', containerPort: 4240, protocol: 'TCP' },
      { name: 'health', containerPort: 4241, protocol: 'TCP' },
      { name: 'api', containerPort: 4242, protocol: 'TCP' },
      { name: 'metrics', containerPort: 4243, protocol: 'TCP' },
    ]);
  });

  test('labels monitors, rules and board so that they are selected', () => {
    const labels = { release: 'prometheus' };
    const manifests = renderChart({
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
    [
      { api: { address: 'node1' } },
      'api.address: expected localhost, an IPv4 address or an IPv6 address in brackets, got node1',
    ],
    [{ api: { address: '999.999.1.1' } }, 'in brackets, got 999.999.1.1'],
    [{ metrics: { address: '::1' } }, 'metrics.address: expected localhost, an IPv4 address or'],
    [{ metrics: { address: '[1:2:3]' } }, 'in brackets, got [1:2:3]'],
    [
      { settings: { 'icmp-intervall': '1s' } },
      "at '/settings': additional properties 'icmp-intervall' not allowed",
    ],
    [
      { settings: { 'log-level': 'verbose' } },
      "at '/settings/log-level': value must be one of 'trace', 'debug',",
    ],
    [{ settings: { 'icmp-budget': '5' } }, "at '/settings/icmp-budget': got string, want integer"],
    [{ settings: { 'icmp-budget': 0 } }, "at '/settings/icmp-budget': minimum: got 0, want 1"],
    [
      { settings: { 'icmp-interval': '2h' } },
      'settings.icmp-interval: expected a duration such as 500ms, 10s or 1m30s, from 50ms to 1h0m0s, got "2h"',
    ],
    [{ settings: { 'http-interval': '49.9ms' } }, 'from 50ms to 1h0m0s, got "49.9ms"'],
    [{ settings: { 'probe-timeout': 1 } }, "at '/settings/probe-timeout': got number, want string"],
    [
      { settings: { 'listen-address': ['10.0.0.1', '300.1.1.1'] } },
      'settings.listen-address: expected one or more IP addresses, got ["10.0.0.1","300.1.1.1"]',
    ],
    [{ settings: { 'cluster-name': 'a b' } }, 'settings.cluster-name: expected a cluster name of'],
    [{ ports: { api: 4241 } }, 'ports: expected different ones, got 4241 for health and api'],
    [
      { network: 'cilium', ports: { metrics: 4247 }, ...metrics },
      'ports: expected different ones, got 4247 for probe and metrics',
    ],
    [{ image: { digest: 'sha256:12' } }, "at '/image/digest'"],
    [{ agent: { afinity: {} } }, "at '/agent': additional properties 'afinity' not allowed"],
    [{ nameOverride: 'A' }, "at '/nameOverride'"],
    [
      { agent: { extraEnv: [{ name: 'MESHPROBE_PROBE_PORT', value: '1' }] } },
      'agent.extraEnv: expected variables that the chart does not set, got MESHPROBE_PROBE_PORT',
    ],
    [
      { agent: { extraEnv: [{ name: 'MESHPROBE_ICMP_INTERVALL', value: '1s' }] } },
      'agent.extraEnv: expected the variable of a setting, got MESHPROBE_ICMP_INTERVALL',
    ],
    [
      { agent: { extraArgs: ['--log-level=debug', '--nonsense'] } },
      'agent.extraArgs: expected --NAME=VALUE of a setting that the chart does not set, got --nonsense',
    ],
    [
      { agent: { extraArgs: ['--probe-port=4241'] } },
      'agent.extraArgs: expected --NAME=VALUE of a setting that the chart does not set, got --probe-port=4241',
    ],
    [
      { endpoint: { extraArgs: ['--listen-address=::', '--probe-port=4241'] } },
      'endpoint.extraArgs: expected --NAME=VALUE of a flag of the responder that the chart does not set, got --probe-port=4241',
    ],
    [
      { ...metrics, serviceMonitor: { enabled: true, scrapeTimeout: '1m30s' } },
      'serviceMonitor.scrapeTimeout: expected at most the interval of 30s, got 1m30s',
    ],
    [
      { endpoint: { podLabels: { 'app.kubernetes.io/component': 'x' } } },
      'endpoint.podLabels: expected labels by which pods are not found, got app.kubernetes.io/component',
    ],
    [
      { networkPods: { namespaces: ['kube-system'] }, settings: { 'host-signs': 'off' } },
      'networkPods.namespaces: expected settings.host-signs on, got off',
    ],
    ...['cilium', 'file'].map((source): [object, string] => [
      { settings: { 'node-source': source } },
      `settings.node-source: expected kubernetes, for pods of this chart have no nodes file and no socket of Cilium, got ${source}`,
    ]),
    ...['conditions', 'events'].map((what): [object, string] => [
      { kubernetesStatus: { [what]: true }, settings: { mesh: 'off' } },
      'kubernetesStatus: expected settings.mesh on, got off',
    ]),
    [{ podMonitor: { enabled: true } }, 'podMonitor.enabled: expected metrics.enabled too'],
    [
      { ...metrics, podMonitor: { enabled: true }, serviceMonitor: { enabled: true } },
      'podMonitor.enabled: expected one of podMonitor and serviceMonitor, got both',
    ],
    [
      { settings: { 'probe-port': 5 } },
      'settings.probe-port is not taken here, it is set by: ports.probe',
    ],
    [
      { targets: { builtIn: 'some' } },
      "at '/targets/builtIn': value must be one of 'auto', 'none'",
    ],
    [{ targets: [] }, "at '/targets': got array, want object"],
    [{ targets: { list: [{ tcp: 'a:1' }] } }, "at '/targets/list/0': missing property 'name'"],
    [{ targets: { list: [{ name: 'a' }] } }, "at '/targets/list/0': missing property 'dns'"],
    [{ targets: { list: [{ name: 'a', tcp: 'a:1', icmp: 'a' }] } }, ', subschemas 1, 3 matched'],
    [{ targets: { list: [{ name: 'A_', tcp: 'a:1' }] } }, "at '/targets/list/0/name'"],
    [
      { targets: { list: [{ name: 'a', http: { url: 'https://u:p@a' } }] } },
      "at '/targets/list/0/http/url'",
    ],
    [{ targets: { list: targetsOf(17) } }, "at '/targets/list': maxItems: got 17, want 16"],
    [
      { targets: { list: targetsOf(14) } },
      'targets.list: expected at most 16 targets with those of targets.builtIn, got 17',
    ],
    [
      { targets: { list: [...targetsOf(14), { name: 'service', icmp: 'a' }] } },
      'targets.list: expected at most 16 targets with those of targets.builtIn, got 17',
    ],
    [
      { targets: { list: [...targetsOf(2), ...targetsOf(1)] } },
      'targets.list: expected each name once, got t0 again',
    ],
    [{ targets: { filesSecret: 'A B' } }, "at '/targets/filesSecret'"],
    [
      { settings: { targets: 'none' } },
      'settings.targets is not taken here, it is set by: targets.builtIn and targets.list',
    ],
    [
      { settings: { 'targets-file': '/x' } },
      'settings.targets-file is not taken here, it is set by: targets.list',
    ],
    [
      { api: { address: '0.0.0.0' } },
      'api.address: expected loopback where there is no api.tokenSecret, got 0.0.0.0',
    ],
    [
      { serviceMonitor: { enabled: true } },
      'serviceMonitor.enabled: expected metrics.enabled too, got false',
    ],
    [{ targets: null }, "at '': missing property 'targets'"],
    [{ agent: { serviceAccount: null } }, "at '/agent': missing property 'serviceAccount'"],
    [
      { agent: { updateStrategy: { rollingUpdate: { maxUnavailable: 0 } } } },
      'agent.updateStrategy.rollingUpdate.maxUnavailable: expected more than 0, got 0',
    ],
    [
      { endpoint: { updateStrategy: { rollingUpdate: { maxUnavailable: '0%' } } } },
      'endpoint.updateStrategy.rollingUpdate.maxUnavailable: expected more than 0 where maxSurge is 0, got 0%',
    ],
    [
      { endpoint: { updateStrategy: { rollingUpdate: { maxSurge: 1 } } } },
      'endpoint.updateStrategy.rollingUpdate: expected one of maxUnavailable and maxSurge to be 0, got 5% and 1',
    ],
    [
      { agent: { updateStrategy: { rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } } } },
      'agent.updateStrategy.rollingUpdate.maxSurge: expected 0, got 1: two agents cannot have the same ports',
    ],
    ...(['agent', 'endpoint'] as const).flatMap((pods): [object, string][] => [
      ...['startup', 'liveness'].flatMap((probe): [object, string][] => [
        [
          { [pods]: { probes: { [probe]: { successThreshold: 2 } } } },
          `at '/${pods}/probes/${probe}/successThreshold': maximum: got 2, want 1`,
        ],
        [
          { [pods]: { probes: { [probe]: { terminationGracePeriodSeconds: 0 } } } },
          `at '/${pods}/probes/${probe}/terminationGracePeriodSeconds': minimum: got 0, want 1`,
        ],
      ]),
      [
        { [pods]: { probes: { readiness: { terminationGracePeriodSeconds: 5 } } } },
        `at '/${pods}/probes/readiness': additional properties 'terminationGracePeriodSeconds' not allowed`,
      ],
    ]),
    [
      { agent: { tolerations: [{ operator: 'Foo' }] } },
      "at '/agent/tolerations/0/operator': value must be one of 'Exists', 'Equal'",
    ],
    [
      { endpoint: { tolerations: [{ value: 'x' }] } },
      'endpoint.tolerations[0]: expected a key, or the operator Exists for every key, got {"value":"x"}',
    ],
    [
      { agent: { tolerations: [{ key: 'a', operator: 'Exists', value: 'x' }] } },
      'agent.tolerations[0].value: expected none with the operator Exists, got x',
    ],
    [
      { agent: { tolerations: [{ operator: 'Exists', tolerationSeconds: 5 }] } },
      'agent.tolerations[0].tolerationSeconds: expected the effect NoExecute with it, got ""',
    ],
  ])('refuses %j in words', (values, words) => {
    const { status, stdout, stderr } = template(values);
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toContain(words);
  });
});

/** Everywhere where a text of the user's comes into an object. */
const valuesWith = (word: string, more: object) => ({
  nameOverride: /^[a-z]/.test(word) ? word : 'mesh',
  image: { repository: word, tag: word, pullSecrets: [word] },
  settings: { 'cluster-name': word, 'target-budget': 20, 'cluster-domain': word },
  targets: { filesSecret: word },
  api: { address: '0.0.0.0', tokenSecret: word },
  meshKeySecret: word,
  notifySecret: word,
  ...metrics,
  alerts: { enabled: true, labels: { [word]: word } },
  board: { enabled: true, labels: { [word]: word }, annotations: { [word]: word }, folder: word },
  kubernetesStatus: { conditions: true, events: true },
  networkPods: { namespaces: [word] },
  agent: { ...podsWith(word), extraArgs: [`--log-level=${word}`] },
  endpoint: { ...podsWith(word), extraArgs: [`--cluster-domain=${word}`] },
  ...more,
});
const podsWith = (word: string) => ({
  tolerations: [{ key: word, value: word }],
  nodeSelector: { [word]: word },
  affinity: { podAffinity: { preferred: [{ topologyKey: word }] } },
  priorityClassName: word,
  podAnnotations: { [word]: word },
  podLabels: { [word]: word },
  extraEnv: [{ name: 'TZ', value: word }],
  serviceAccount: { name: word, annotations: { [word]: word } },
});

describe.each([
  ['serviceMonitor', 'cilium', 'elsewhere'],
  ['podMonitor', 'calico', ''],
])('with a %s and %s, a text that looks like something else', (monitor, network, namespace) => {
  /** As helm and the API server read it: in YAML 1.1 `no` is false, and 0777 is 511. */
  const objectsWith = (word: string, ofMonitor: string) => {
    const labels = { [word]: word };
    const values = { network, [monitor]: { enabled: true, namespace: ofMonitor, labels } };
    // In JSON a text is never taken for something else.
    const text = JSON.stringify(valuesWith(word, values));
    const { stdout, stderr } = template(text, word, word);
    expect(stderr).toBe('');
    const objects = parseAllDocuments(stdout, { version: '1.1' }).flatMap((document) => {
      expect([...document.errors, ...document.warnings]).toEqual([]);
      return (document.toJS() as object | null) ?? [];
    });
    return JSON.stringify(objects).replaceAll(/(?<="checksum.settings":")[0-9a-f]{64}/g, '');
  };

  test.each(['1234', '1e3', '0777', '2026-11-27', 'null', 'true', 'no', 'y'])(
    'stays a text: %s',
    (word) => {
      const plain = /^[a-z]/.test(word) ? 'zzzzz' : '9zzzzz';
      const expected = objectsWith(plain, namespace)
        .replaceAll(plain, word)
        .replaceAll(plain.toUpperCase(), word.toUpperCase());
      expect(JSON.parse(objectsWith(word, namespace))).toEqual(JSON.parse(expected));
    },
  );

  test('also where it names the namespace of the monitor', () => {
    expect(JSON.parse(objectsWith('1234', '5678'))).toContainEqual(
      expect.objectContaining({
        kind: monitor.replace(/^./, (first) => first.toUpperCase()),
        metadata: expect.objectContaining({ name: 'mesh', namespace: '5678' }) as object,
        spec: expect.objectContaining({ namespaceSelector: { matchNames: ['1234'] } }) as object,
      }),
    );
  });
});

test('a namespace and accounts that look like numbers stay texts where they are named', () => {
  const manifests = renderChart({
    namespaceOverride: '1234',
    image: { digest: `sha256:${'1'.repeat(64)}` },
    agent: { serviceAccount: { create: false, name: '1234' } },
  });
  expect(manifests.flatMap(mistakesIn)).toEqual([]);
});

const targetList = [
  {
    name: 'registry',
    http: {
      url: 'https://registry.example/v2/',
      method: 'GET',
      expectStatus: [200, 401],
      headersFile: '/etc/meshprobe/registry-headers',
      ca: '/etc/ssl/example.pem',
    },
    from: 'both',
  },
  {
    name: 'corp-dns',
    dns: { query: 'intranet.example', type: 'A', servers: ['198.51.100.53'], expect: [] },
    interval: '30s',
  },
  { name: 'database', tcp: 'db.example:5432' },
  { name: 'gateway', icmp: '198.51.100.254' },
];

describe('the targets of the chart', () => {
  const dataOf = (manifests: ReturnType<typeof renderChart>, name: string) =>
    (find(manifests, 'ConfigMap', name) as unknown as { data: Record<string, string> }).data;
  const envOf = (manifests: ReturnType<typeof renderChart>, name: string) =>
    at(find(manifests, 'DaemonSet', name), 'spec.template.spec.containers.0.env') as {
      name: string;
      value?: string;
    }[];

  test('are a file that agents and endpoints accept', async () => {
    const manifests = renderChart({ targets: { list: targetList } });
    const text = dataOf(manifests, 'meshprobe-targets')['targets.json'] ?? '';
    expect(JSON.parse(text)).toEqual({ targets: targetList });
    const targets = await parseTargetsFile(text);
    expect(targets.map(({ name }) => name)).toEqual(targetList.map(({ name }) => name));
  });

  test('are switched off for both', () => {
    const manifests = renderChart({ targets: { builtIn: 'none' } });
    for (const name of ['meshprobe', 'meshprobe-endpoint']) {
      expect(envOf(manifests, name)).toContainEqual({ name: 'MESHPROBE_TARGETS', value: 'none' });
    }
  });

  test('find the Service by the variables of its name', () => {
    const manifests = renderChart({ nameOverride: 'my-mesh' });
    find(manifests, 'Service', 'my-mesh');
    for (const name of ['my-mesh', 'my-mesh-endpoint']) {
      expect(envOf(manifests, name)).toEqual(
        expect.arrayContaining([
          { name: 'MESHPROBE_SERVICE_HOST', value: '$(MY_MESH_SERVICE_HOST)' },
          { name: 'MESHPROBE_SERVICE_PORT', value: '$(MY_MESH_SERVICE_PORT)' },
        ]),
      );
    }
  });

  test('have their settings on endpoints too, and the key of the mesh', () => {
    const manifests = renderChart({
      settings: { 'target-budget': 20, 'cluster-dns': ['10.96.0.10', '10.96.0.11'] },
      meshKeySecret: 'k',
    });
    expect(envOf(manifests, 'meshprobe-endpoint')).toEqual(
      expect.arrayContaining([
        { name: 'MESHPROBE_TARGET_BUDGET', value: '20' },
        { name: 'MESHPROBE_CLUSTER_DNS', value: '10.96.0.10,10.96.0.11' },
        { name: 'MESHPROBE_MESH_KEY_FILE', value: '/etc/meshprobe/mesh-key/key' },
      ]),
    );
    const pod = at(find(manifests, 'DaemonSet', 'meshprobe-endpoint'), 'spec.template.spec');
    expect(at(pod, 'securityContext.fsGroup')).toBe(1000);
    expect(at(pod, 'volumes')).toContainEqual({
      name: 'mesh-key',
      secret: { secretName: 'k', defaultMode: 0o440 },
    });
  });

  test.each([
    [{ list: targetsOf(13) }],
    [{ list: [...targetsOf(13), { name: 'service', icmp: 'a' }] }],
    [{ list: targetsOf(16), builtIn: 'none' }],
  ])('may be sixteen with the built-in ones: %#', (targets) => {
    expect(template({ targets }).stderr).toBe('');
  });

  test('have their files from a Secret, which agents and endpoints may read', () => {
    const manifests = renderChart({ targets: { filesSecret: 'registry' } });
    for (const [name, defaultMode] of [
      ['meshprobe', 0o400],
      ['meshprobe-endpoint', 0o440],
    ] as const) {
      const pod = at(find(manifests, 'DaemonSet', name), 'spec.template.spec');
      expect(at(pod, 'volumes')).toContainEqual({
        name: 'target-files',
        secret: { secretName: 'registry', defaultMode },
      });
      expect(at(pod, 'containers.0.volumeMounts')).toContainEqual({
        name: 'target-files',
        mountPath: '/etc/meshprobe/target-files',
        readOnly: true,
      });
    }
    const endpoint = at(find(manifests, 'DaemonSet', 'meshprobe-endpoint'), 'spec.template.spec');
    expect(at(endpoint, 'securityContext.fsGroup')).toBe(1000);
  });

  test('need no Service without endpoints', () => {
    const kinds = renderChart({ endpoint: { enabled: false } }).map(({ kind }) => kind);
    expect(kinds).not.toContain('Service');
  });
});

test('the values that docs/kubernetes.md shows switch everything on', () => {
  const docs = readFileSync(join(root, 'docs', 'kubernetes.md'), 'utf8');
  const [, text = ''] = /```yaml\n# values.yaml\n([^`]*)```/.exec(docs) ?? [];
  const kinds = renderChart(parse(text) as object).map(({ kind }) => kind);
  expect(kinds).toEqual(
    expect.arrayContaining(['CiliumNetworkPolicy', 'ServiceMonitor', 'PrometheusRule', 'Service']),
  );
  expect(kinds.filter((kind) => kind === 'ConfigMap')).toHaveLength(3);
});

test('the version of the chart is the version of the package', () => {
  const [meta] = parseManifests(readFileSync(join(chart, 'Chart.yaml'), 'utf8'), 'Chart.yaml');
  expect(meta).toMatchObject({ version, appVersion: version });
});
