import { readdirSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { checkSchema, type Check } from '../../api/schema/v1/check.js';
import type { Summary } from '../../api/schema/v1/summary.js';
import { neededRights } from '../../cli/kubectl/check/rights.js';
import type { ApiServer } from '../doubles/api-server/api-server.js';
import { ExecServer } from '../doubles/api-server/exec-server.js';
import { kubeconfigText } from '../doubles/api-server/kubeconfig.js';
import { nodeObject, podObject } from '../doubles/api-server/objects.js';
import { Writes } from '../doubles/api-server/writes.js';
import { serveV1 } from '../doubles/serve-v1.js';
import { endpointPlaneFinding, MemoryV1Source } from '../doubles/v1-source.js';
import { newFolder } from '../resources/folder.js';
import { whyNoTool } from './deploy/lib/tools.js';
import { runHere } from './lib/run-here.js';
import { startProgram } from '../resources/program.js';
import { startApiServer } from '../doubles/api-server/start-api-server.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const plugin = join(root, 'dist/cli/kubectl-meshprobe.js');
const noKubectl = whyNoTool('kubectl');
const names = ['node1', 'node2', 'node3'];

/** An agent that has probed so many of its paths. */
class Agent extends MemoryV1Source {
  unknownPaths = 0;
  readonly #node: string;

  constructor(node: string) {
    super(names.map((name) => `c/${name}`));
    this.#node = `c/${node}`;
  }

  override summary(): Summary {
    const { unknownPaths: unknown } = this;
    const counts = { unreachable: 0, lossy: 0, slow: 0, degraded: 0, unknown };
    const one = { ...counts, reachable: names.length - unknown };
    const large = { ok: names.length - 1, lost: 0, unknown: 0 };
    const plane = { icmp: one, http: one, large };
    return { ...super.summary(), node: this.#node, paths: { host: plane, endpoint: plane } };
  }
}

let folder: string;
let api: ApiServer;
let server: ExecServer;
let writes: Writes;
let agents: Map<string, Agent>;
let sockets: Server[];
let env: NodeJS.ProcessEnv;

beforeEach(async ({ skip }) => {
  skip(noKubectl !== undefined, noKubectl);
  folder = newFolder();
  api = await startApiServer();
  api.collection('/apis/apps/v1/daemonsets');
  for (const name of names) api.nodes.put(nodeObject(name));
  agents = new Map(names.map((name) => [name, new Agent(name)]));
  sockets = await Promise.all(
    [...agents].map(([name, agent]) => serveV1(agent, join(folder, `${name}.sock`))),
  );
  server = new ExecServer(api, (command, pod) => {
    const socket = join(folder, `${pod.replace('agent-', '')}.sock`);
    return runHere(command.slice(1), { MESHPROBE_SOCK: socket });
  });
  writes = server.writes = new Writes(api);
  writes.onMade = (path, { metadata: { labels = {}, namespace = '' } }) => {
    const component = labels['app.kubernetes.io/component'] ?? '';
    if (path.includes('/daemonsets/')) for (const name of names) addPod(namespace, component, name);
  };
  const kubeconfig = join(folder, 'config');
  writeFileSync(kubeconfig, kubeconfigText(await server.start()));
  env = { PATH: process.env['PATH'], HOME: folder, KUBECONFIG: kubeconfig, NO_PROXY: '*' };
  env['TMPDIR'] = folder;
});
afterEach(() => {
  server.stop();
  for (const socket of sockets) socket.close();
});

let stateOf: (component: string, node: string) => object;
beforeEach(() => {
  stateOf = () => ({ running: {} });
});

function addPod(namespace: string, component: string, node: string): void {
  const labels = { 'app.kubernetes.io/component': component };
  const pod = podObject(`${component}-${node}`, { namespace, node, labels });
  api.pods(namespace).put({
    ...pod,
    spec: { ...(pod['spec'] as object), containers: [{ name: 'agent' }] },
    status: { phase: 'Running', containerStatuses: [{ state: stateOf(component, node) }] },
  });
}

const start = (args: readonly string[]) => startProgram(plugin, args, { env });
const check = (...args: readonly string[]) => start(['check', '--for', '0s', ...args]).ended;

/** What is there after all was removed: what was there before. */
const left = () => [...writes.objects.keys()];

describe('kubectl meshprobe check', () => {
  test('says that all is well, and leaves nothing', async () => {
    const { code, stdout, stderr } = await check();
    expect([stdout, stderr, code]).toEqual([
      expect.stringMatching(/^All is well: 3 of 3 nodes checked in /),
      expect.stringMatching(
        /^made namespace meshprobe-check-\w{5}\n[^]*removing all that was made\n$/,
      ),
      0,
    ]);
    expect(left()).toEqual([]);
  });

  test('makes what the manifests have, with labels, and nothing that outlives it or displaces pods', async () => {
    const made = new Map<string, string | undefined>();
    const before = writes.onMade;
    writes.onMade = (path, object) => {
      made.set(path, object.metadata.labels?.['app.kubernetes.io/instance']);
      expect(JSON.stringify(object)).not.toMatch(/hostPath|priorityClassName/);
      if (path.includes('/daemonsets/')) expect(JSON.stringify(object)).toContain('"x/y:1"');
      before(path, object);
    };
    expect(await check('-n', 'fresh', '--image', 'x/y:1')).toMatchObject({ code: 0 });
    const inside = '/namespaces/fresh';
    const [instance] = [...made.values()];
    expect([...new Set(made.values())]).toEqual([expect.stringMatching(/^meshprobe-check-\w{5}$/)]);
    expect([...made.keys()].toSorted()).toEqual([
      `/api/v1${inside}`,
      `/api/v1${inside}/configmaps/meshprobe`,
      `/api/v1${inside}/configmaps/meshprobe-targets`,
      `/api/v1${inside}/serviceaccounts/meshprobe`,
      `/api/v1${inside}/serviceaccounts/meshprobe-endpoint`,
      `/api/v1${inside}/services/meshprobe`,
      `/apis/apps/v1${inside}/daemonsets/meshprobe`,
      `/apis/apps/v1${inside}/daemonsets/meshprobe-endpoint`,
      `/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/${instance}`,
      `/apis/rbac.authorization.k8s.io/v1/clusterroles/${instance}`,
      `/apis/rbac.authorization.k8s.io/v1${inside}/rolebindings/meshprobe`,
      `/apis/rbac.authorization.k8s.io/v1${inside}/roles/meshprobe`,
    ]);
    for (const path of made.keys()) {
      const [, group, resource] =
        /^\/(?:api|apis\/([^/]+))\/v1(?:\/namespaces\/fresh)?\/(\w+)/.exec(path) ?? [];
      const asked = path === `/api/v1${inside}` ? 'namespaces' : resource;
      const right = { verb: 'create', resource: asked, ...(group !== undefined && { group }) };
      expect(neededRights).toContainEqual(expect.objectContaining(right));
    }
  });

  test('asks for every right before it makes anything', async () => {
    writes.isAllowed = ({ verb, resource }) => verb !== 'create' || resource !== 'clusterroles';
    const { code, stdout, stderr } = await check();
    expect([code, stdout, stderr]).toEqual([
      3,
      '',
      'kubectl-meshprobe: the check could not run: this user may not create clusterroles\n',
    ]);
    expect(writes.askedRights).toHaveLength(neededRights.length);
    expect(writes.done).toEqual([]);
  });

  test('never takes over or removes a namespace that exists', async () => {
    const path = '/api/v1/namespaces/theirs';
    writes.objects.set(path, { metadata: { name: 'theirs', uid: 'u' } });
    const { code, stderr } = await check('--namespace', 'theirs');
    expect([code, stderr]).toEqual([
      3,
      'kubectl-meshprobe: the check could not run: namespace theirs exists: expected a name that is free\n',
    ]);
    expect(left()).toEqual([path]);
  });

  test('is for clusters without meshprobe', async () => {
    const labels = {
      'app.kubernetes.io/name': 'meshprobe',
      'app.kubernetes.io/component': 'agent',
    };
    const metadata = { name: 'meshprobe', namespace: 'net', labels };
    api.collection('/apis/apps/v1/daemonsets').put({ metadata });
    const { code, stderr } = await check();
    expect([code, stderr]).toEqual([
      3,
      expect.stringContaining(
        'meshprobe is there already, in namespace net: kubectl meshprobe diagnose',
      ),
    ]);
    expect(writes.done).toEqual([]);
  });

  test('says how to remove what a killed check left', async () => {
    const { child, ended } = start(['check', '-n', 'killed']);
    await new Promise<void>((resolve) => {
      child.stderr.on('data', (text: string) => text.includes('everything was') && resolve());
    });
    child.kill('SIGKILL');
    await ended;
    expect(readdirSync(folder).filter((name) => name.startsWith('meshprobe-check'))).toEqual([]);
    const [instance] = /meshprobe-check-\w{5}/.exec(left().join('\n')) ?? [];
    const { code, stderr } = await check();
    expect([code, stderr]).toEqual([
      3,
      expect.stringContaining(
        `these commands remove it: kubectl delete namespace killed; kubectl delete clusterrolebinding,clusterrole ${instance}\n`,
      ),
    ]);
  });

  test('takes another port beside Cilium, whose agent has the usual one', async () => {
    server.groups.push('cilium.io');
    const ports: unknown[] = [];
    const before = writes.onMade;
    writes.onMade = (path, object) => {
      if (path.includes('/services/')) ports.push((object['spec'] as { ports: unknown }).ports);
      before(path, object);
    };
    expect(await check()).toMatchObject({ code: 0 });
    expect(ports).toEqual([[expect.objectContaining({ port: 4247, targetPort: 4247 })]]);
  });

  test('prints findings of all agents, and ends with 4', async () => {
    const [, agent] = [...agents.values()];
    if (!agent) throw new Error('no agent');
    agent.open = [endpointPlaneFinding()];
    const { code, stdout } = await check('-o', 'json');
    const body = checkSchema.parse(JSON.parse(stdout)) as Check;
    expect(code).toBe(4);
    expect(body).toMatchObject({
      verdict: 'broken',
      nodes: { all: 3, checked: 3, leftOut: [] },
      findings: [{ kind: 'endpoint-plane', next: [] }],
    });
    expect(left()).toEqual([]);
  });

  test('names what was not probed in time, and never calls it well', async () => {
    const [agent] = [...agents.values()];
    if (!agent) throw new Error('no agent');
    agent.unknownPaths = 1;
    const { code, stdout } = await check('-o', 'junit', '--timeout', '3s');
    expect([code, stdout]).toEqual([
      4,
      expect.stringContaining('node1 did not probe 1 of 3 paths by host ICMP'),
    ]);
  });

  test('says why no image could be pulled, and removes what it made', async () => {
    stateOf = () => ({
      waiting: { reason: 'ImagePullBackOff', message: 'Back-off pulling image "x"' },
    });
    const { code, stderr } = await check('--timeout', '3s');
    expect([code, stderr]).toEqual([
      3,
      expect.stringMatching(
        /could not run: no node can take part; node1: its agent does not start: ImagePullBackOff: Back-off pulling image "x"\n$/,
      ),
    ]);
    expect(left()).toEqual([]);
  });

  test('names a node whose agent does not start, and ends with 4', async () => {
    stateOf = (component, node) =>
      node === 'node3' && component === 'agent'
        ? { waiting: { reason: 'ErrImagePull', message: 'not found' } }
        : { running: {} };
    const { code, stdout } = await check('-o', 'json', '--timeout', '3s');
    const { nodes, verdict } = checkSchema.parse(JSON.parse(stdout));
    expect([code, verdict, nodes]).toEqual([
      4,
      'unknown',
      {
        all: 3,
        checked: 2,
        leftOut: [{ node: 'node3', why: 'its agent does not start: ErrImagePull: not found' }],
      },
    ]);
  });

  test.each([
    [
      'the namespace is refused',
      (): void => {
        writes.admit = () => ({
          code: 403,
          reason: 'Forbidden',
          message: 'policy p: no privileged namespace',
        });
      },
      'policy p: no privileged namespace',
    ],
    [
      'something makes the namespace stricter',
      (): void => {
        writes.admit = (_, object) => ({
          ...object,
          metadata: {
            ...object.metadata,
            labels: { 'pod-security.kubernetes.io/enforce': 'baseline' },
          },
        });
      },
      'the namespace was made with pod-security.kubernetes.io/enforce=baseline: expected privileged',
    ],
    [
      'the pods are refused',
      (): void => {
        writes.onMade = (path, { metadata: { namespace = '' } }) => {
          if (!path.includes('/daemonsets/')) return;
          api.collection(`/api/v1/namespaces/${namespace}/events`).put({
            metadata: { name: 'e', namespace },
            ...{
              reason: 'FailedCreate',
              message: 'violates PodSecurity "baseline:latest": host namespaces',
            },
          });
        };
      },
      'its agent was refused: violates PodSecurity "baseline:latest": host namespaces',
    ],
  ])('says what Pod Security says where %s', async (_, prepare, words) => {
    prepare();
    const { code, stderr } = await check('--timeout', '3s');
    expect([code, stderr]).toEqual([3, expect.stringContaining(words)]);
    expect(left()).toEqual([]);
  });

  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'removes everything after %s',
    async (signal) => {
      for (const agent of agents.values()) agent.unknownPaths = 1;
      const { child, ended } = start(['check']);
      await new Promise<void>((resolve) => {
        child.stderr.on('data', (text: string) => text.includes('probes done') && resolve());
      });
      expect(left()).not.toEqual([]);
      child.kill(signal);
      expect(await ended).toMatchObject({ code: 130, stdout: '' });
      expect(left()).toEqual([]);
    },
  );

  test('removes pods on a node whose kubelet does not answer', async () => {
    writes.stuckPods.add('agent-node3');
    const { code, stderr } = await check();
    expect([code, stderr]).toEqual([0, expect.stringMatching(/removing all that was made\n$/)]);
    expect(left()).toEqual([]);
    expect(
      writes.done.filter((one) => one.startsWith('DELETE ') && one.includes('/pods/')),
    ).toContain(
      `DELETE ${/POST (\/api\/v1\/namespaces\/[^/]+)$/m.exec(writes.done.join('\n'))?.[1] ?? ''}/pods/agent-node3`,
    );
  });

  test('names what stays, with the commands that remove it', async () => {
    const { code, stderr } = await check('-n', 'mine', '--keep');
    const [instance] = /meshprobe-check-\w{5}/.exec(left().join('\n')) ?? [];
    expect([code, stderr.split('\n').slice(-4, -1)]).toEqual([
      0,
      [
        'kept, as --keep says. These commands remove it:',
        '  kubectl delete namespace mine',
        `  kubectl delete clusterrolebinding,clusterrole ${instance}`,
      ],
    ]);
  });

  test.each([
    [
      ['--image', 'not an image'],
      '--image: expected an image such as registry.example/meshprobe:0.1.0, got "not an image"',
    ],
    [['--for', '5m'], '--for: expected at most the --timeout of 180 s, got 300 s'],
    [['--timeout', 'soon'], '--timeout: expected a duration such as 30s or 3m, got "soon"'],
    [['-o', 'xml'], '--output: expected one of text, json, junit, got "xml"'],
    [['-n', '../x'], '--namespace: expected a namespace, got "../x"'],
    [['now'], 'check: expected flags alone, got "now"'],
  ])('refuses %j', async (args, words) => {
    const { code, stderr } = await start(['check', ...args]).ended;
    expect([code, stderr]).toEqual([2, `kubectl-meshprobe: ${words}\n`]);
    expect(writes.askedRights).toEqual([]);
  });
});

test('meshprobe check on a host says where the check is', async () => {
  const { code, stderr } = await runHere(['check']);
  expect([code, stderr]).toEqual([
    2,
    'meshprobe: check is for a Kubernetes cluster without meshprobe: kubectl meshprobe check, from where kubectl reaches it. On hosts, install meshprobe-agent on each, then: meshprobe wait, meshprobe diagnose\n',
  ]);
});
