import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { loadConfig } from '../../../agent/config/config.js';
import { variableOf } from '../../../agent/config/read-values.js';
import { defaultSocketPath, settingEntries } from '../../../agent/config/settings.js';
import { parseTargetsFile } from '../../../agent/targets/definition/targets-file.js';
import { imageName } from '../../../scripts/release/image.js';
import { containerOf, startOf } from '../../unit/deploy/lib/container.js';
import {
  agentEnvironment,
  agentOf,
  endpointOf,
  podFields,
  portsOf,
  root,
} from '../../unit/deploy/lib/deployment.js';
import { render, whyNoKustomize } from './lib/kustomize.js';
import { at, find, type Manifest } from '../../unit/deploy/lib/manifest.js';
import { mistakesIn } from './lib/openapi.js';
import { version } from '../../resources/package-version.js';

const folder = join(root, 'deploy', 'kubernetes');
const docs = readFileSync(join(root, 'docs', 'kubernetes.md'), 'utf8');
const settings = new Map<string, (typeof settingEntries)[number][1]>(settingEntries);
const variables = new Map<string, string>(settingEntries.map(([name]) => [variableOf(name), name]));
const ofResponderAlone = ['MESHPROBE_AGENT_SOURCE'];
const variants = ['.', 'cilium', 'calico'];

const reason = whyNoKustomize();
beforeEach(({ skip }) => skip(reason !== undefined, reason));
const rendered = (variant = '.') =>
  reason === undefined ? render(join(folder, variant)) : ([] as Manifest[]);
const podLabels = (daemonSet: Manifest) =>
  at(daemonSet, 'spec.template.metadata.labels') as Record<string, string>;

describe.each(variants)('the manifests in deploy/kubernetes/%s', (variant) => {
  const manifests = rendered(variant);

  test('match the Kubernetes OpenAPI types, except custom resources', () => {
    const standard = manifests.filter(
      ({ apiVersion }) => !/^(cilium\.io|projectcalico\.org)\//.test(apiVersion),
    );
    expect(standard.length).toBeGreaterThan(9);
    expect(standard.flatMap(mistakesIn)).toEqual([]);
  });

  test('set only settings of the agent, to values that it accepts', () => {
    for (const daemonSet of [agentOf(manifests), endpointOf(manifests)]) {
      const { env } = startOf(daemonSet, manifests, podFields);
      const ours = Object.entries(env)
        .filter(([name]) => name.startsWith('MESHPROBE_'))
        .filter(([name]) => !ofResponderAlone.includes(name));
      expect(ours).not.toEqual([]);
      for (const [variable, value] of ours) {
        const name = variables.get(variable);
        expect(name, `${variable} is no setting`).toBeDefined();
        expect(settings.get(name ?? '')?.schema.safeParse(value).error, variable).toBeUndefined();
      }
    }
  });

  test('name one port of each kind everywhere', () => {
    const { probe, health, api, metrics } = portsOf(manifests);
    expect([...probe]).toEqual([variant === 'cilium' ? 4247 : 4240]);
    expect([...health]).toEqual([4241]);
    expect([...api]).toEqual([4242]);
    expect([...metrics]).toEqual([]);
    expect(manifests.map(({ metadata }) => metadata.name)).not.toContain('meshprobe-ports');
  });

  test('select the intended pods', () => {
    const labels = podLabels(endpointOf(manifests));
    for (const daemonSet of [agentOf(manifests), endpointOf(manifests)]) {
      expect(at(daemonSet, 'spec.selector.matchLabels')).toEqual(podLabels(daemonSet));
    }
    const policies = manifests.filter(({ kind }) => kind.endsWith('NetworkPolicy'));
    expect(policies).toHaveLength(variant === '.' ? 1 : 2);
    for (const { spec } of policies) {
      const { podSelector, endpointSelector, selector } = spec as Record<string, unknown>;
      const chosen = at(podSelector ?? endpointSelector, 'matchLabels') ?? fromExpression(selector);
      expect(chosen).toEqual(labels);
    }
  });

  test('stay in one namespace, and name only existing objects', () => {
    for (const { metadata, kind } of manifests) {
      expect([undefined, 'meshprobe'], kind).toContain(metadata.namespace);
    }
    for (const daemonSet of [agentOf(manifests), endpointOf(manifests)]) {
      const pod = at(daemonSet, 'spec.template.spec') as Record<string, string>;
      find(manifests, 'ServiceAccount', pod['serviceAccountName'] ?? '');
      find(manifests, 'PriorityClass', pod['priorityClassName'] ?? '');
    }
    for (const binding of manifests.filter(({ kind }) => kind.endsWith('Binding'))) {
      find(manifests, String(at(binding, 'roleRef.kind')), String(at(binding, 'roleRef.name')));
      expect(binding['subjects']).toEqual([
        { kind: 'ServiceAccount', name: 'meshprobe', namespace: 'meshprobe' },
      ]);
    }
  });
});

describe.skipIf(reason !== undefined)('the agent as deployed', () => {
  const manifests = rendered();
  const agent = agentOf(manifests);
  const pod = at(agent, 'spec.template.spec') as Record<string, unknown>;
  const container = containerOf(agent);

  test('may list and watch nodes, and pods of its own namespace, and nothing else', () => {
    const rules = manifests
      .filter(({ kind }) => kind === 'Role' || kind === 'ClusterRole')
      .map(({ kind, metadata, rules }) => [kind, metadata.namespace, rules]);
    const read = (resource: string) => [
      { apiGroups: [''], resources: [resource], verbs: ['list', 'watch'] },
    ];
    expect(rules).toHaveLength(2);
    expect(rules).toContainEqual(['ClusterRole', undefined, read('nodes')]);
    expect(rules).toContainEqual(['Role', 'meshprobe', read('pods')]);
  });

  test('has NET_RAW as its only capability, and may make its socket on hosts that enforce SELinux', () => {
    expect(container['securityContext']).toEqual({
      runAsUser: 0,
      runAsGroup: 0,
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'], add: ['NET_RAW'] },
      seLinuxOptions: { level: 's0', type: 'spc_t' },
    });
    expect(at(pod, 'securityContext.seccompProfile.type')).toBe('RuntimeDefault');
    expect(pod).not.toHaveProperty('hostPID');
    expect(pod).not.toHaveProperty('hostIPC');
  });

  test('runs on every node, on the network of the host, under the name of the node', () => {
    expect(pod).toMatchObject({ hostNetwork: true, tolerations: [{ operator: 'Exists' }] });
    expect(agentEnvironment(manifests)['MESHPROBE_NODE_NAME']).toBe('node1');
  });

  test('serves its health only to its own host', () => {
    for (const [probe, path] of [
      ['startupProbe', '/liveness'],
      ['livenessProbe', '/liveness'],
      ['readinessProbe', '/readiness'],
    ]) {
      expect(at(container, `${probe ?? ''}.httpGet`)).toMatchObject({ host: '127.0.0.1', path });
    }
  });

  test('listens on loopback for everything except probes', () => {
    const env = agentEnvironment(manifests);
    const listeners = Object.entries(env).filter(([name]) => /^MESHPROBE_.*LISTEN/.test(name));
    expect(Object.fromEntries(listeners)).toEqual({
      MESHPROBE_HEALTH_LISTEN: '127.0.0.1:4241',
      MESHPROBE_API_LISTEN: '127.0.0.1:4242',
    });
  });

  test('has its socket in the folder of the host in which the CLI looks for it', () => {
    const [mount] = container['volumeMounts'] as { name: string; mountPath: string }[];
    expect(mount?.mountPath).toBe(dirname(defaultSocketPath));
    expect(pod['volumes']).toEqual([
      { name: mount?.name, hostPath: { path: mount?.mountPath, type: 'DirectoryOrCreate' } },
      { name: 'targets', configMap: { name: 'meshprobe-targets' } },
      { name: 'settings', configMap: { name: 'meshprobe' } },
    ]);
  });

  test('mounts what is in its environment, so that the kubelet keeps it while the API server is away', () => {
    const { envFrom, env, volumeMounts } = container as {
      envFrom: { configMapRef: { name: string } }[];
      env: { valueFrom?: object }[];
      volumeMounts: { name: string }[];
    };
    const volumes = pod['volumes'] as { name: string; configMap?: { name: string } }[];
    const mounted = volumes.filter(({ name }) => volumeMounts.some((mount) => mount.name === name));
    for (const { configMapRef } of envFrom) {
      expect(mounted.map(({ configMap }) => configMap?.name)).toContain(configMapRef.name);
    }
    const others = env.flatMap(({ valueFrom }) => Object.keys(valueFrom ?? {}));
    expect([...new Set(others)]).toEqual(['fieldRef']);
  });

  test('keeps the last node list in a folder of the host that it may write to', () => {
    const { stateFolder } = loadConfig({}, agentEnvironment(manifests));
    const [mount] = container['volumeMounts'] as { mountPath: string; readOnly?: boolean }[];
    expect(dirname(stateFolder ?? '')).toBe(mount?.mountPath);
    expect(mount?.readOnly).toBeUndefined();
    // What others may write, or a folder of another user, is refused.
    expect(container['securityContext']).toMatchObject({ runAsUser: 0 });
  });

  test('looks for the endpoints by their labels', () => {
    const selector = settings.get('endpoint-selector')?.default ?? '';
    const wanted = new Map(selector.split(',').map((pair) => pair.split('=') as [string, string]));
    expect(Object.fromEntries(wanted)).toEqual(podLabels(endpointOf(manifests)));
  });

  test('has requests and a limit that fit its measured use', () => {
    expect(container['resources']).toEqual({
      requests: { cpu: '100m', memory: '160Mi' },
      limits: { memory: '512Mi' },
    });
  });
});

test('the endpoint as deployed has no rights at all', () => {
  const manifests = rendered();
  const endpoint = endpointOf(manifests);
  const pod = at(endpoint, 'spec.template.spec');
  expect(pod).toMatchObject({
    automountServiceAccountToken: false,
    securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
  });
  expect(pod).not.toHaveProperty('hostNetwork');
  expect(at(pod, 'volumes')).toEqual([
    { name: 'targets', configMap: { name: 'meshprobe-targets' } },
    { name: 'api-server-ca', configMap: { name: 'kube-root-ca.crt', optional: true } },
  ]);
  expect(containerOf(endpoint)['securityContext']).toEqual({
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  });
  const account = find(manifests, 'ServiceAccount', 'meshprobe-endpoint');
  expect(account['automountServiceAccountToken']).toBe(false);
});

describe.skipIf(reason !== undefined)('the kubelet', () => {
  const manifests = rendered();
  /** The kubelet asks first when this is over, and each failed question is a Warning event. */
  const secondsToListen = 5;

  test.each(['agent', 'endpoint'] as const)('asks no %s before it listens', (name) => {
    const container = containerOf({ agent: agentOf, endpoint: endpointOf }[name](manifests));
    expect(at(container, 'startupProbe.initialDelaySeconds')).toBe(secondsToListen);
    for (const probe of ['livenessProbe', 'readinessProbe']) {
      // Neither is asked before the startup probe has succeeded.
      expect(at(container, probe)).not.toHaveProperty('initialDelaySeconds');
    }
  });

  test('restarts no endpoint in quick succession where its network is broken', () => {
    const container = containerOf(endpointOf(manifests));
    // Twice the longest delay of a restart: a container that ran for longer is started at once.
    const backoffIsOverSeconds = 600;
    for (const probe of ['startupProbe', 'livenessProbe']) {
      const { periodSeconds, failureThreshold } = at(container, probe) as Record<string, number>;
      expect(Number(periodSeconds) * Number(failureThreshold)).toBeGreaterThanOrEqual(
        backoffIsOverSeconds,
      );
    }
  });
});

describe.skipIf(reason !== undefined)('the targets as deployed', () => {
  const manifests = rendered();
  const both = [agentOf(manifests), endpointOf(manifests)];

  test('come to agents and endpoints from one file, which is a valid one', async () => {
    const { data } = find(manifests, 'ConfigMap', 'meshprobe-targets') as unknown as {
      data: Record<string, string>;
    };
    expect(await parseTargetsFile(data['targets.json'] ?? '')).toEqual([]);
    for (const daemonSet of both) {
      const { env } = startOf(daemonSet, manifests, podFields);
      expect(env).toMatchObject({ MESHPROBE_TARGETS: 'auto', MESHPROBE_NODE_NAME: 'node1' });
      const source = daemonSet === agentOf(manifests) ? undefined : podFields['status.hostIP'];
      expect(env['MESHPROBE_AGENT_SOURCE']).toBe(source);
      const mounts = containerOf(daemonSet)['volumeMounts'] as {
        name: string;
        mountPath: string;
      }[];
      const folder = mounts.find(({ name }) => name === 'targets')?.mountPath ?? '';
      expect(env['MESHPROBE_TARGETS_FILE']).toBe(join(folder, 'targets.json'));
    }
  });

  test('have the resolver of pods, and the address of the Service over the endpoints', () => {
    const policies = both.map((daemonSet) => at(daemonSet, 'spec.template.spec.dnsPolicy'));
    expect(policies).toEqual(['ClusterFirstWithHostNet', 'ClusterFirst']);
    for (const daemonSet of both) {
      expect(at(daemonSet, 'spec.template.spec.enableServiceLinks')).toBe(true);
    }
    // The kubelet makes MESHPROBE_SERVICE_HOST of this name.
    const { spec } = find(manifests, 'Service', 'meshprobe');
    expect(at(spec, 'selector')).toEqual(podLabels(endpointOf(manifests)));
    expect(spec).not.toHaveProperty('clusterIP');
  });

  test('may be reached by the endpoints, wherever they are', () => {
    const policy = find(manifests, 'NetworkPolicy', 'meshprobe-endpoint');
    expect(at(policy, 'spec.policyTypes')).toEqual(['Ingress', 'Egress']);
    expect(at(policy, 'spec.egress')).toEqual([{}]);
  });

  test('are checked by the CA of the API server where the endpoint looks for it', () => {
    const mounts = containerOf(endpointOf(manifests))['volumeMounts'] as object[];
    expect(mounts).toContainEqual({
      name: 'api-server-ca',
      mountPath: '/var/run/secrets/kubernetes.io/serviceaccount',
      readOnly: true,
    });
  });
});

test('the image has the version of this package', () => {
  for (const daemonSet of [agentOf(rendered()), endpointOf(rendered())]) {
    expect(containerOf(daemonSet)['image']).toBe(`${imageName}:${version}`);
  }
  expect(docs).toContain(`/meshprobe:${version} -f deploy/Dockerfile .`);
});

test('docs/kubernetes.md names the real folders, ports and objects', () => {
  const applied = [...docs.matchAll(/kubectl (?:apply|delete) -k deploy\/kubernetes(\/[\w-]+)?/g)];
  expect(new Set(applied.map(([, variant = '/.']) => variant.slice(1)))).toEqual(
    new Set([...variants, 'network-pods']),
  );
  for (const port of [4240, 4241, 4242, 4243, 4247]) expect(docs).toContain(String(port));
  expect(docs).toContain('kubectl -n meshprobe exec ds/meshprobe -- meshprobe status');
  expect(docs).toContain('kubectl -n meshprobe port-forward ds/meshprobe 4242');
});

test('the validator finds unknown fields, wrong types and missing fields', () => {
  const daemonSet = structuredClone(agentOf(rendered()));
  const container = containerOf(daemonSet);
  Object.assign(container, { comand: ['x'], args: 'x', tty: 'yes' });
  delete container['name'];
  Object.assign(at(daemonSet, 'spec') as object, { minReadySeconds: 1.5 });
  const place = 'DaemonSet.spec.template.spec.containers[0]';
  expect(mistakesIn(daemonSet).toSorted()).toEqual(
    [
      'DaemonSet.spec.minReadySeconds: expected number int32, got 1.5',
      `${place}.comand: V1Container has no such field`,
      `${place}.args: expected a list, got "x"`,
      `${place}.tty: expected boolean, got "yes"`,
      `${place}.name: expected a value, got nothing`,
    ].toSorted(),
  );
  expect(mistakesIn({ apiVersion: 'v9', kind: 'Pods', metadata: { name: 'x' } })).toEqual([
    'Pods: expected a known kind, got v9',
  ]);
});

/** Converts Calico's `a == 'b' && c == 'd'` into labels. */
function fromExpression(selector: unknown): Record<string, string> {
  const pairs = String(selector).matchAll(/(\S+) == '([^']*)'/g);
  return Object.fromEntries([...pairs].map(([, key = '', value = '']) => [key, value]));
}
