import type { ChildProcess } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseAllDocuments } from 'yaml';
import { kubernetesFolder } from '../../../scripts/kubernetes-tools.js';
import { kubeconfigText } from '../../doubles/api-server/kubeconfig.js';
import { endProcess, spawnLogged } from '../../resources/logged-process.js';
import type { Settings } from './agents.js';
import { runIn } from './command.js';
import type { Lab } from './lab.js';
import type { Host } from './plan.js';

const port = 6443;
const startDeadlineMs = 120_000;
/** Who the agents are, as their ServiceAccount would make them. */
const agentUser = 'system:serviceaccount:meshprobe:meshprobe';
const root = join(import.meta.dirname, '../../..');

interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

/** A real kube-apiserver with its etcd, on a machine of a lab's underlay. */
export interface KubeApiServer {
  /** The settings of agents that use it. */
  readonly source: Settings;
  /** One request as the administrator. */
  ask(method: string, path: string, body?: object): Promise<Answer>;
  /** Creates the objects of a file of deploy/ that say who may do what. */
  grant(file: string): Promise<void>;
  putNode(host: Host): Promise<void>;
  /** Ends the API server; what it has stored stays. */
  goAway(): Promise<void>;
  comeBack(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts it, and waits until it is ready. */
export async function startKubeApiServer(lab: Lab): Promise<KubeApiServer> {
  const folder = join(lab.folder, 'kubernetes');
  mkdirSync(folder);
  const key = join(folder, 'account.key');
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  writeFileSync(key, privateKey.export({ type: 'pkcs1', format: 'pem' }));
  const tokens = join(folder, 'tokens.csv');
  writeFileSync(tokens, `admin,admin,admin,"system:masters"\nagent,${agentUser},agent\n`);
  const url = `https://${lab.underlayIp}:${port}`;
  const kubeconfig = join(folder, 'kubeconfig');
  writeFileSync(kubeconfig, kubeconfigText(url, { token: 'agent' }));
  const etcd = startIn(lab, folder, 'etcd', [
    ...['--data-dir', join(folder, 'etcd'), '--unsafe-no-fsync'],
    ...['--listen-peer-urls', 'http://127.0.0.1:2380'],
  ]);
  const startApi = () =>
    startIn(lab, folder, 'kube-apiserver', [
      ...['--etcd-servers', 'http://127.0.0.1:2379', '--cert-dir', join(folder, 'certificates')],
      ...['--bind-address', lab.underlayIp, '--secure-port', String(port)],
      ...['--service-account-issuer', 'https://kubernetes.default.svc'],
      ...['--service-account-key-file', key, '--service-account-signing-key-file', key],
      ...['--token-auth-file', tokens, '--authorization-mode', 'RBAC'],
      ...['--service-cluster-ip-range', '10.96.0.0/24', '--shutdown-send-retry-after=false'],
    ]);
  let api = startApi();

  async function ask(method: string, path: string, body?: object): Promise<Answer> {
    const request = JSON.stringify({ url: `${url}${path}`, method, body });
    const command = [process.execPath, '--input-type=module', '-e', asking];
    return JSON.parse(await runIn(lab.underlayNamespace, command, request)) as Answer;
  }
  async function untilReady(): Promise<void> {
    const deadlineMs = performance.now() + startDeadlineMs;
    for (;;) {
      const answer = await ask('GET', '/apis/rbac.authorization.k8s.io/v1/clusterroles/view').catch(
        () => undefined,
      );
      if (answer?.status === 200) return;
      if (performance.now() > deadlineMs) {
        throw new Error(readFileSync(join(folder, 'kube-apiserver.log'), 'utf8').slice(-3000));
      }
      await delay(500);
    }
  }
  async function create(path: string, object: object): Promise<void> {
    const { status, body } = await ask('POST', path, object);
    if (status !== 201) throw new Error(`POST ${path}: ${status} ${JSON.stringify(body)}`);
  }

  const server: KubeApiServer = {
    source: {
      'node-source': 'kubernetes',
      kubeconfig,
      'enable-endpoint-health-checking': 'false',
    },
    ask,
    async grant(file) {
      const text = readFileSync(join(root, file), 'utf8');
      for (const document of parseAllDocuments(text)) {
        const object = document.toJS() as { kind: string; apiVersion: string };
        if (!object.kind.startsWith('ClusterRole')) continue;
        await create(`/apis/${object.apiVersion}/${object.kind.toLowerCase()}s`, object);
      }
    },
    putNode: ({ name, nodeIp }) =>
      create('/api/v1/nodes', {
        apiVersion: 'v1',
        kind: 'Node',
        metadata: { name },
        status: {
          addresses: [{ type: 'InternalIP', address: nodeIp }],
          conditions: [
            {
              type: 'Ready',
              status: 'True',
              reason: 'KubeletReady',
              lastTransitionTime: '2026-01-01T00:00:00Z',
            },
          ],
        },
      }),
    goAway: () => endProcess(api, 'SIGKILL'),
    async comeBack() {
      api = startApi();
      await untilReady();
    },
    async stop() {
      for (const child of [api, etcd]) await endProcess(child, 'SIGKILL');
    },
  };
  try {
    await untilReady();
  } catch (error) {
    await server.stop();
    throw error;
  }
  return server;
}

/** Starts a program in the namespace of the underlay. The output goes to a file. */
function startIn(lab: Lab, folder: string, name: string, args: readonly string[]): ChildProcess {
  return spawnLogged(join(folder, `${name}.log`), [
    ...(['ip', 'netns', 'exec', lab.underlayNamespace] as const),
    ...[join(kubernetesFolder, name), ...args],
  ]);
}

/** Sends the request that it reads, and prints the answer. */
const asking = `
import { request } from 'node:https';
import { json } from 'node:stream/consumers';
const { url, method, body } = await json(process.stdin);
const headers = { authorization: 'Bearer admin', 'content-type': 'application/json' };
const asked = request(url, { method, headers, rejectUnauthorized: false, timeout: 5000 });
asked.on('timeout', () => asked.destroy(new Error('timeout')));
asked.on('response', async (answer) => {
  process.stdout.write(JSON.stringify({ status: answer.statusCode, body: await json(answer) }));
});
asked.end(body && JSON.stringify(body));
`;
