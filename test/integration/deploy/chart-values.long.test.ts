import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { loadConfig } from '../../../agent/config/config.js';
import { useFolder } from '../../resources/folder.js';
import { agentEnvironment, root } from '../../unit/deploy/lib/deployment.js';
import type { Manifest } from '../../unit/deploy/lib/manifest.js';
import { differences, gone, type Differences } from './lib/differences.js';
import { renderChart } from './lib/helm.js';
import { render, whyNoKustomize } from './lib/kustomize.js';
import { mistakesIn } from './lib/openapi.js';
import { renderOverlay } from './lib/overlay.js';
import { whyNoTool } from './lib/tools.js';

const reason = whyNoTool('helm') ?? whyNoKustomize();
const folder = useFolder();
beforeEach(({ skip }) => skip(reason !== undefined, reason));

const metrics = { enabled: true };
const serviceMonitor = { enabled: true };
const component = (name: string) => `kubernetes/components/${name}`;
/** The port by which a PodMonitor finds the agents. Kustomize cannot add it where metrics are on. */
const metricsPort = {
  'DaemonSet meshprobe spec.template.spec.containers.agent.ports.metrics': {
    containerPort: 4243,
    protocol: 'TCP',
  },
};
const inAgent = (path: string, value: unknown): Differences => ({
  [`DaemonSet meshprobe ${path}`]: value,
});
const inEndpoint = (path: string, value: unknown): Differences => ({
  [`DaemonSet meshprobe-endpoint ${path}`]: value,
});
const inBoth = (path: string, value: unknown): Differences => ({
  ...inAgent(path, value),
  ...inEndpoint(path, value),
});
const pod = (path: string) => `spec.template.spec.${path}`;
const ofAgent = (path: string) => pod(`containers.agent.${path}`);
const ofEndpoint = (path: string) => pod(`containers.endpoint.${path}`);
const setting = (name: string, value: string): Differences => ({
  [`ConfigMap meshprobe data.${name}`]: value,
});
const env = (name: string, value: string): Differences =>
  inAgent(ofAgent(`env.${name}.value`), value);
const serviceVariable = (name: string, value: string): Differences => ({
  ...inAgent(ofAgent(`env.MESHPROBE_SERVICE_${name}`), { value }),
  ...inEndpoint(ofEndpoint(`env.MESHPROBE_SERVICE_${name}`), { value }),
});
const affinity = {
  nodeAffinity: {
    requiredDuringSchedulingIgnoredDuringExecution: {
      nodeSelectorTerms: [{ matchExpressions: [{ key: 'pool', operator: 'Exists' }] }],
    },
  },
};
const noEndpoint: Differences = {
  'DaemonSet meshprobe-endpoint': gone,
  'ServiceAccount meshprobe-endpoint': gone,
  'NetworkPolicy meshprobe-endpoint': gone,
  'Service meshprobe': gone,
};
const noPodRights: Differences = { 'Role meshprobe': gone, 'RoleBinding meshprobe': gone };
const mine = { kind: 'ServiceAccount', namespace: 'meshprobe' };
const statusRule = { apiGroups: [''], resources: ['nodes/status'], verbs: ['patch'] };
const labels = { 'app.kubernetes.io/name': 'meshprobe', 'app.kubernetes.io/component': 'agent' };
/** Kustomize would move a Role in another namespace, so there the right is one of all namespaces. */
const eventsRole: Differences = {
  'Role meshprobe-events': {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'Role',
    metadata: { name: 'meshprobe-events', namespace: 'default', labels },
    rules: [{ apiGroups: ['events.k8s.io'], resources: ['events'], verbs: ['create', 'patch'] }],
  },
  'RoleBinding meshprobe-events': {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'RoleBinding',
    metadata: { name: 'meshprobe-events', namespace: 'default', labels },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'meshprobe-events' },
    subjects: { meshprobe: mine },
  },
};
const digest = `sha256:${'0123456789abcdef'.repeat(4)}`;
const relabelings = [{ targetLabel: 'cluster', replacement: 'one' }];
const instance = { sourceLabels: ['__meta_kubernetes_pod_node_name'], targetLabel: 'instance' };

interface Combination {
  readonly name: string;
  readonly values: object;
  /** Components beside `ports`. */
  readonly kustomize?: readonly string[];
  /** Folders of deploy/kubernetes that are applied beside it. */
  readonly beside?: readonly string[];
  /** All that is not as kustomize has it. */
  readonly differs?: Differences;
  /** A name that kustomize does not have, and what it has in its place. */
  readonly renamed?: readonly [string, string];
}

const combinations: readonly Combination[] = [
  { name: 'nothing', values: {} },
  { name: 'the network Cilium', values: { network: 'cilium' }, kustomize: [component('cilium')] },
  { name: 'the network Calico', values: { network: 'calico' }, kustomize: [component('calico')] },
  { name: 'metrics', values: { metrics }, kustomize: [component('metrics')], differs: metricsPort },
  {
    name: 'a mesh key',
    values: { meshKeySecret: 'meshprobe-mesh-key' },
    kustomize: [component('mesh-key')],
  },
  {
    name: 'notices',
    values: { notifySecret: 'meshprobe-notify' },
    kustomize: [component('notices')],
  },
  {
    name: 'a port for UDP',
    values: { udpPort: 4244 },
    kustomize: [component('udp')],
  },
  {
    name: 'conditions and Events',
    values: { kubernetesStatus: { conditions: true, events: true } },
    kustomize: [component('kubernetes-status')],
    differs: { 'ClusterRole meshprobe-status rules': [statusRule], ...eventsRole },
  },
  {
    name: 'Events without conditions',
    values: { kubernetesStatus: { events: true } },
    kustomize: [component('kubernetes-status')],
    differs: {
      ...inAgent(ofAgent('env.MESHPROBE_KUBERNETES_CONDITIONS'), gone),
      'ClusterRole meshprobe-status': gone,
      'ClusterRoleBinding meshprobe-status': gone,
      ...eventsRole,
    },
  },
  {
    name: 'conditions without Events',
    values: { kubernetesStatus: { conditions: true } },
    kustomize: [component('kubernetes-status')],
    differs: {
      ...inAgent(ofAgent('env.MESHPROBE_KUBERNETES_EVENTS'), gone),
      'ClusterRole meshprobe-status rules': [statusRule],
    },
  },
  {
    name: 'the pods of the network',
    values: { networkPods: { namespaces: ['kube-system'] } },
    kustomize: [component('network-pods')],
    beside: ['network-pods'],
  },
  {
    name: 'an API token',
    values: { api: { tokenSecret: 'meshprobe-api-token' } },
    kustomize: [component('api-token')],
  },
  {
    name: 'the API on all addresses',
    values: { api: { tokenSecret: 'meshprobe-api-token', address: '0.0.0.0' } },
    kustomize: [component('api-token'), component('api-on-nodes')],
  },
  {
    name: 'a ServiceMonitor',
    values: { metrics, serviceMonitor },
    kustomize: [component('metrics'), component('service-monitor')],
    differs: metricsPort,
  },
  { name: 'alerts', values: { alerts: { enabled: true } }, kustomize: ['alerts'] },
  { name: 'the board', values: { board: { enabled: true } }, kustomize: ['grafana'] },
  {
    name: 'everything',
    values: {
      network: 'cilium',
      metrics,
      meshKeySecret: 'meshprobe-mesh-key',
      udpPort: 4244,
      api: { tokenSecret: 'meshprobe-api-token', address: '0.0.0.0' },
      serviceMonitor,
      alerts: { enabled: true },
      board: { enabled: true },
    },
    kustomize: [
      ...[
        'cilium',
        'mesh-key',
        'udp',
        'api-token',
        'api-on-nodes',
        'metrics',
        'service-monitor',
      ].map(component),
      ...['alerts', 'grafana'],
    ],
    differs: metricsPort,
  },
  {
    name: 'a name of its own',
    values: {
      nameOverride: 'zzz',
      metrics,
      serviceMonitor,
      network: 'calico',
      alerts: { enabled: true },
    },
    kustomize: [...['calico', 'metrics', 'service-monitor'].map(component), 'alerts'],
    differs: {
      ...metricsPort,
      ...serviceVariable('HOST', '$(ZZZ_SERVICE_HOST)'),
      ...serviceVariable('PORT', '$(ZZZ_SERVICE_PORT)'),
    },
    renamed: ['zzz', 'meshprobe'],
  },
  {
    name: 'a namespace of its own',
    values: { namespaceOverride: 'zzz', alerts: { enabled: true } },
    kustomize: ['alerts'],
    renamed: ['zzz', 'meshprobe'],
  },
  {
    name: 'a tag',
    values: { image: { tag: '1.2.3' } },
    differs: {
      ...inAgent(ofAgent('image'), 'ghcr.io/meshprobe/meshprobe:1.2.3'),
      ...inEndpoint(ofEndpoint('image'), 'ghcr.io/meshprobe/meshprobe:1.2.3'),
    },
  },
  {
    name: 'a digest, which goes before the tag',
    values: { image: { repository: 'registry.example/meshprobe', tag: '1.2.3', digest } },
    differs: {
      ...inAgent(ofAgent('image'), `registry.example/meshprobe@${digest}`),
      ...inEndpoint(ofEndpoint('image'), `registry.example/meshprobe@${digest}`),
    },
  },
  {
    name: 'pull secrets and a pull policy',
    values: { image: { pullSecrets: ['a'], pullPolicy: 'Always' } },
    differs: {
      ...inBoth(pod('imagePullSecrets'), { a: {} }),
      ...inAgent(ofAgent('imagePullPolicy'), 'Always'),
      ...inEndpoint(ofEndpoint('imagePullPolicy'), 'Always'),
    },
  },
  {
    name: 'an affinity',
    values: { agent: { affinity }, endpoint: { affinity } },
    differs: inBoth(pod('affinity'), affinity),
  },
  {
    name: 'a node selector',
    values: { agent: { nodeSelector: { pool: 'a' } } },
    differs: inAgent(pod('nodeSelector.pool'), 'a'),
  },
  {
    name: 'tolerations',
    values: { agent: { tolerations: [{ key: 'x', operator: 'Exists' }] } },
    differs: inAgent(pod('tolerations'), [{ key: 'x', operator: 'Exists' }]),
  },
  {
    name: 'no tolerations',
    values: { endpoint: { tolerations: [] } },
    differs: inEndpoint(pod('tolerations'), gone),
  },
  {
    name: 'a priority class for the agents alone',
    values: { agent: { priorityClassName: 'system-node-critical' } },
    differs: inAgent(pod('priorityClassName'), 'system-node-critical'),
  },
  {
    name: 'a priority class for all',
    values: {
      agent: { priorityClassName: 'system-node-critical' },
      endpoint: { priorityClassName: 'high' },
    },
    differs: {
      ...inAgent(pod('priorityClassName'), 'system-node-critical'),
      ...inEndpoint(pod('priorityClassName'), 'high'),
      'PriorityClass meshprobe': gone,
    },
  },
  {
    name: 'how many pods are replaced at once',
    values: { agent: { updateStrategy: { rollingUpdate: { maxUnavailable: 3 } } } },
    differs: inAgent('spec.updateStrategy.rollingUpdate.maxUnavailable', 3),
  },
  {
    name: 'a second endpoint before the first one ends',
    values: { endpoint: { updateStrategy: { rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } } } },
    differs: {
      ...inEndpoint('spec.updateStrategy.rollingUpdate.maxUnavailable', 0),
      ...inEndpoint('spec.updateStrategy.rollingUpdate.maxSurge', 1),
    },
  },
  {
    name: 'pods that are replaced by hand',
    values: { agent: { updateStrategy: { type: 'OnDelete' } } },
    differs: {
      ...inAgent('spec.updateStrategy.type', 'OnDelete'),
      ...inAgent('spec.updateStrategy.rollingUpdate', gone),
    },
  },
  {
    name: 'annotations and labels of pods',
    values: {
      agent: { podAnnotations: { a: 'b' }, podLabels: { team: 'net' } },
      endpoint: { podAnnotations: { a: 'b' }, podLabels: { team: 'net' } },
    },
    differs: {
      ...inBoth('spec.template.metadata.labels.team', 'net'),
      ...inAgent('spec.template.metadata.annotations.a', 'b'),
      ...inEndpoint('spec.template.metadata.annotations', { a: 'b' }),
    },
  },
  {
    name: 'further variables',
    values: {
      agent: { extraEnv: [{ name: 'NODE_EXTRA_CA_CERTS', value: '/ca.pem' }] },
      endpoint: { extraEnv: [{ name: 'TZ', value: 'UTC' }] },
    },
    differs: {
      ...inAgent(ofAgent('env.NODE_EXTRA_CA_CERTS'), { value: '/ca.pem' }),
      ...inEndpoint(ofEndpoint('env.TZ'), { value: 'UTC' }),
    },
  },
  {
    name: 'further arguments',
    values: {
      agent: { extraArgs: ['--log-level=debug'] },
      endpoint: { extraArgs: ['--listen-address=::'] },
    },
    differs: {
      ...inAgent(ofAgent('args'), ['--log-level=debug']),
      ...inEndpoint(ofEndpoint('args'), [
        'responder',
        '--probe-port=$(MESHPROBE_PROBE_PORT)',
        '--listen-address=::',
      ]),
    },
  },
  {
    name: 'annotations of an account',
    values: { agent: { serviceAccount: { annotations: { a: 'b' } } } },
    differs: { 'ServiceAccount meshprobe metadata.annotations': { a: 'b' } },
  },
  {
    name: 'accounts that are there',
    values: {
      agent: { serviceAccount: { create: false, name: 'mine' } },
      endpoint: { serviceAccount: { create: false } },
    },
    differs: {
      'ServiceAccount meshprobe': gone,
      'ServiceAccount meshprobe-endpoint': gone,
      ...inAgent(pod('serviceAccountName'), 'mine'),
      ...inEndpoint(pod('serviceAccountName'), 'default'),
      'ClusterRoleBinding meshprobe subjects.meshprobe': gone,
      'ClusterRoleBinding meshprobe subjects.mine': mine,
      'RoleBinding meshprobe subjects.meshprobe': gone,
      'RoleBinding meshprobe subjects.mine': mine,
    },
  },
  {
    name: 'rights that someone else gives',
    values: { rbac: { create: false } },
    differs: {
      ...noPodRights,
      'ClusterRole meshprobe': gone,
      'ClusterRoleBinding meshprobe': gone,
    },
  },
  {
    name: 'no network policy',
    values: { networkPolicy: { enabled: false }, network: 'cilium' },
    kustomize: [component('cilium')],
    differs: {
      'NetworkPolicy meshprobe-endpoint': gone,
      'CiliumNetworkPolicy meshprobe-endpoint-echo': gone,
    },
  },
  {
    name: 'no endpoints',
    values: { endpoint: { enabled: false } },
    differs: {
      ...noEndpoint,
      ...noPodRights,
      ...setting('MESHPROBE_ENABLE_ENDPOINT_HEALTH_CHECKING', 'false'),
    },
  },
  {
    name: "Cilium's own endpoints",
    values: { endpoint: { enabled: false }, settings: { 'endpoint-source': 'ciliumnodes' } },
    differs: {
      ...noEndpoint,
      ...noPodRights,
      ...setting('MESHPROBE_ENDPOINT_SOURCE', 'ciliumnodes'),
      'ClusterRole meshprobe rules': [
        { apiGroups: [''], resources: ['nodes'], verbs: ['list', 'watch'] },
        { apiGroups: ['cilium.io'], resources: ['ciliumnodes'], verbs: ['list', 'watch'] },
      ],
    },
  },
  {
    name: 'endpoints of another release',
    values: {
      endpoint: { enabled: false },
      settings: { 'enable-endpoint-health-checking': true, 'endpoint-selector': 'app=other' },
    },
    differs: {
      ...noEndpoint,
      ...setting('MESHPROBE_ENABLE_ENDPOINT_HEALTH_CHECKING', 'true'),
      ...setting('MESHPROBE_ENDPOINT_SELECTOR', 'app=other'),
    },
  },
  {
    name: 'a ServiceMonitor in another namespace',
    values: {
      metrics,
      serviceMonitor: { enabled: true, namespace: 'x', scrapeTimeout: '10s', relabelings },
    },
    kustomize: [component('metrics'), component('service-monitor')],
    differs: {
      ...metricsPort,
      'ServiceMonitor meshprobe metadata.namespace': 'x',
      'ServiceMonitor meshprobe spec.namespaceSelector': { matchNames: ['meshprobe'] },
      'ServiceMonitor meshprobe spec.endpoints': [
        {
          port: 'metrics',
          interval: '30s',
          scrapeTimeout: '10s',
          relabelings: [instance, ...relabelings],
        },
      ],
    },
  },
  {
    name: 'a PodMonitor',
    values: { metrics, podMonitor: { enabled: true, interval: '15s', relabelings } },
    kustomize: [component('metrics')],
    differs: {
      ...metricsPort,
      'PodMonitor meshprobe': {
        apiVersion: 'monitoring.coreos.com/v1',
        kind: 'PodMonitor',
        metadata: {
          name: 'meshprobe',
          namespace: 'meshprobe',
          labels: {
            'app.kubernetes.io/name': 'meshprobe',
            'app.kubernetes.io/component': 'metrics',
          },
        },
        spec: {
          jobLabel: 'app.kubernetes.io/name',
          selector: {
            matchLabels: {
              'app.kubernetes.io/name': 'meshprobe',
              'app.kubernetes.io/component': 'agent',
            },
          },
          podMetricsEndpoints: [
            { port: 'metrics', interval: '15s', relabelings: [instance, ...relabelings] },
          ],
        },
      },
    },
  },
  {
    name: 'a board in a folder',
    values: { board: { enabled: true, folder: 'Network', annotations: { a: 'b' } } },
    kustomize: ['grafana'],
    differs: {
      'ConfigMap meshprobe-board metadata.annotations': { a: 'b', grafana_folder: 'Network' },
    },
  },
  {
    name: 'other probes, and none',
    values: {
      agent: {
        probes: {
          startup: { failureThreshold: 5, successThreshold: 1, terminationGracePeriodSeconds: 9 },
          liveness: null,
        },
      },
      endpoint: { probes: { readiness: { initialDelaySeconds: 3, successThreshold: 2 } } },
    },
    differs: {
      ...inAgent(ofAgent('startupProbe.failureThreshold'), 5),
      ...inAgent(ofAgent('startupProbe.successThreshold'), 1),
      ...inAgent(ofAgent('startupProbe.terminationGracePeriodSeconds'), 9),
      ...inAgent(ofAgent('livenessProbe'), gone),
      ...inEndpoint(ofEndpoint('readinessProbe.initialDelaySeconds'), 3),
      ...inEndpoint(ofEndpoint('readinessProbe.successThreshold'), 2),
    },
  },
  {
    name: 'settings of every kind, lists among them',
    values: {
      settings: {
        'icmp-budget': 100_000,
        'http-interval': '1m30s',
        'log-level': 'warn',
        mesh: 'off',
        'max-memory-mib': -1,
        'enable-endpoint-health-checking': false,
        'mesh-source': ['10.0.0.9', '10.1.0.0/16', '2001:db8::/32'],
        'api-allowed-host': ['a.example', 'b.example'],
        'api-cors-origin': 'https://grafana.example',
      },
    },
    differs: {
      ...noPodRights,
      ...setting('MESHPROBE_ICMP_BUDGET', '100000'),
      ...setting('MESHPROBE_HTTP_INTERVAL', '1m30s'),
      ...setting('MESHPROBE_LOG_LEVEL', 'warn'),
      ...setting('MESHPROBE_MESH', 'off'),
      ...setting('MESHPROBE_MAX_MEMORY_MIB', '-1'),
      ...setting('MESHPROBE_ENABLE_ENDPOINT_HEALTH_CHECKING', 'false'),
      ...setting('MESHPROBE_MESH_SOURCE', '10.0.0.9,10.1.0.0/16,2001:db8::/32'),
      ...setting('MESHPROBE_API_ALLOWED_HOST', 'a.example,b.example'),
      ...setting('MESHPROBE_API_CORS_ORIGIN', 'https://grafana.example'),
    },
  },
  {
    name: 'another loopback address',
    values: { api: { address: '127.0.0.2' } },
    differs: env('API_ADDRESS', '127.0.0.2'),
  },
  {
    name: 'loopback of IPv6, spelled in full',
    values: { api: { address: '[0:0:0:0:0:0:0:1]' } },
    differs: env('API_ADDRESS', '[0:0:0:0:0:0:0:1]'),
  },
  {
    name: 'the API on all addresses, without a token and on purpose',
    values: { api: { address: '[::]' }, settings: { 'api-insecure': true } },
    differs: { ...env('API_ADDRESS', '[::]'), ...setting('MESHPROBE_API_INSECURE', 'true') },
  },
  {
    name: 'the port of metrics, taken by the API while there are no metrics',
    values: { ports: { api: 4243 } },
    differs: {
      ...env('API_PORT', '4243'),
      ...inAgent(ofAgent('ports.api.containerPort'), 4243),
    },
  },
  {
    name: 'resources and SELinux options',
    values: {
      agent: { resources: { limits: { memory: '1Gi' } }, seLinuxOptions: { type: 'x' } },
      endpoint: { resources: { requests: { cpu: '1' } } },
    },
    differs: {
      ...inAgent(ofAgent('resources.limits.memory'), '1Gi'),
      ...inAgent(ofAgent('securityContext.seLinuxOptions.type'), 'x'),
      ...inEndpoint(ofEndpoint('resources.requests.cpu'), '1'),
    },
  },
];

test('there are at least 40 combinations of values', () => {
  expect(combinations.length).toBeGreaterThanOrEqual(40);
});

const kustomized = new Map<string, Manifest[]>();
/** The objects of kustomize but the namespace, which Helm does not create. */
function kustomize(components: readonly string[]): Manifest[] {
  const key = components.join();
  const found =
    kustomized.get(key) ??
    renderOverlay(folder, [...components, component('ports')]).filter(
      ({ kind }) => kind !== 'Namespace',
    );
  kustomized.set(key, found);
  return found;
}

test.each(combinations)(
  'with $name the chart renders valid objects, and what kustomize renders but for what was asked',
  ({ values, kustomize: components = [], beside = [], differs = {}, renamed }) => {
    const manifests = renderChart(values);
    const standard = manifests.filter(
      ({ apiVersion }) =>
        !/^(cilium\.io|projectcalico\.org|monitoring\.coreos\.com)\//.test(apiVersion),
    );
    expect(standard.flatMap(mistakesIn)).toEqual([]);
    const text = JSON.stringify(manifests);
    const comparable =
      renamed === undefined ? manifests : (JSON.parse(text.replaceAll(...renamed)) as Manifest[]);
    const all = [
      ...kustomize(components),
      ...beside.flatMap((name) => render(join(root, 'deploy', 'kubernetes', name))),
    ];
    expect(differences(all, comparable)).toEqual(differs);
    // The variables of a Service are called after it in capitals.
    const variables = JSON.stringify(comparable).replaceAll('$(ZZZ_', '$(MESHPROBE_');
    const accepted = () => loadConfig({}, agentEnvironment(JSON.parse(variables) as Manifest[]));
    expect(accepted).not.toThrow();
  },
);
