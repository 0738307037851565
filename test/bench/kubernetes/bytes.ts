import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo, type Server } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createApiClient } from '../../../agent/discovery/kubernetes/api-client.js';
import { createKubeAccess } from '../../../agent/discovery/kubernetes/kube-access.js';
import { KubernetesSource } from '../../../agent/discovery/kubernetes/kubernetes-source.js';
import type { SourceState } from '../../../agent/discovery/source-state.js';
import type { Node } from '../../../agent/model/node.js';
import { kubeconfigText } from '../../doubles/api-server/kubeconfig.js';
import { kubeletNode, kubeletReport } from './kubelet-node.js';
import { RealApiServer } from './real-api-server.js';

/** What one agent took from an API server. */
export interface TakenBytes {
  readonly form: SourceState['form'];
  /** By its first list. */
  readonly list: number;
  /** While kubelets reported, in a minute. */
  readonly perMinute: number;
  /** How long until it knew of a taint, a cordon and a node that is NotReady, in milliseconds. */
  readonly knownMs: number;
}

export interface KubernetesBytesFigures {
  readonly nodes: number;
  readonly reportsPerMinute: number;
  readonly objects: TakenBytes;
  readonly rows: TakenBytes;
}

const reportMs = 300_000;
const taint = 'ToBeDeletedByClusterAutoscaler';

/**
 * Has two agents' node sources follow one real API server: one takes whole objects, one takes rows.
 * Each node's kubelet reports every five minutes that nothing has changed. Meanwhile one node is
 * tainted, one cordoned, one lost.
 */
export async function measureKubernetesBytes(
  programs: string,
  nodes: number,
  seconds: number,
): Promise<KubernetesBytesFigures> {
  const folder = mkdtempSync(join(tmpdir(), 'meshprobe-bench-'));
  const server = new RealApiServer(programs, folder);
  const followers = [new Follower(folder, 'objects'), new Follower(folder, 'rows')] as const;
  try {
    await server.start();
    const names = Array.from({ length: nodes }, (_, n) => `node-${n}`);
    const kubelets = new Kubelets(server, names);
    await kubelets.register();
    for (const follower of followers) await follower.start(server.port, nodes);
    const lists = followers.map(({ bytes }) => bytes);
    // The watches open.
    await sleep(3000);
    const before = followers.map(({ bytes }) => bytes);
    const [startedMs, reportsBefore] = [performance.now(), kubelets.reports];
    await sleep(seconds * 250);
    const known = followers.map((follower) => follower.untilKnown(names));
    await kubelets.change();
    await sleep(seconds * 750);
    const minutes = (performance.now() - startedMs) / 60_000;
    const reports = kubelets.reports - reportsBefore;
    const after = followers.map(({ bytes }) => bytes);
    const knownMs = await Promise.all(known);
    kubelets.stop();
    const takenBy = (at: 0 | 1): TakenBytes => ({
      form: followers[at].state?.form,
      list: lists[at] ?? NaN,
      perMinute: ((after[at] ?? NaN) - (before[at] ?? NaN)) / minutes,
      knownMs: knownMs[at] ?? NaN,
    });
    return { nodes, reportsPerMinute: reports / minutes, objects: takenBy(0), rows: takenBy(1) };
  } finally {
    for (const follower of followers) follower.stop();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * The kubelets of all nodes. As real ones, each reports five minutes after it did so last, or up to ten
 * seconds later.
 */
class Kubelets {
  reports = 0;
  readonly #server: RealApiServer;
  readonly #names: readonly string[];
  #isStopped = false;

  constructor(server: RealApiServer, names: readonly string[]) {
    [this.#server, this.#names] = [server, names];
  }

  /** Registers all nodes. Each reports from then on, at a time of its own. */
  async register(): Promise<void> {
    await forEach(this.#names, 16, async (name, index) => {
      const firstMs = ((index * 0.618) % 1) * reportMs;
      const node = kubeletNode(name, index, new Date(Date.now() + firstMs - reportMs));
      const status = await this.#server.ask('POST', '/api/v1/nodes', node);
      if (status !== 201) throw new Error(`POST of a node: expected 201, got ${status}`);
      this.#reportIn(name, firstMs);
    });
  }

  /** Taints the first node, cordons the second, loses the third. */
  async change(): Promise<void> {
    const [tainted = '', cordoned = '', lost = ''] = this.#names;
    await this.#patch(tainted, '', { spec: { taints: [{ key: taint, effect: 'NoSchedule' }] } });
    await this.#patch(cordoned, '', { spec: { unschedulable: true } });
    const ready = { type: 'Ready', status: 'Unknown', reason: 'NodeStatusUnknown' };
    await this.#patch(lost, '/status', { status: { conditions: [ready] } });
  }

  stop(): void {
    this.#isStopped = true;
  }

  #reportIn(name: string, delayMs: number): void {
    setTimeout(() => {
      if (this.#isStopped) return;
      this.#reportIn(name, reportMs + Math.random() * 10_000);
      this.reports++;
      void this.#patch(name, '/status', kubeletReport(new Date()));
    }, delayMs).unref();
  }

  /** What fails as the server ends was not wanted any more. */
  async #patch(name: string, what: string, body: object): Promise<void> {
    await this.#server.ask('PATCH', `/api/v1/nodes/${name}${what}`, body).catch(() => undefined);
  }
}

/** The node source of one agent, and what it is sent. */
class Follower {
  state: SourceState | undefined;
  bytes = 0;
  readonly #folder: string;
  readonly #form: 'objects' | 'rows';
  #relay: Server | undefined;
  #source: KubernetesSource | undefined;
  #nodes: readonly Node[] = [];
  #onNodes: () => void = () => undefined;

  constructor(folder: string, form: 'objects' | 'rows') {
    [this.#folder, this.#form] = [folder, form];
  }

  /** Resolves once it has listed so many nodes and watches. */
  async start(port: number, nodes: number): Promise<void> {
    const kubeconfig = join(this.#folder, `kubeconfig-${this.#form}`);
    writeFileSync(
      kubeconfig,
      kubeconfigText(`https://127.0.0.1:${await this.#listen(port)}`, { token: 'admin' }),
    );
    const access = createKubeAccess({
      kind: 'kubeconfig',
      paths: kubeconfig,
      environment: process.env,
    });
    this.#source = new KubernetesSource({
      clusterName: 'c',
      client: createApiClient(access),
      endpoints: { kind: 'none' },
      report: (state) => (this.state = state),
      watchesWhole: this.#form === 'objects',
    });
    await this.#source.start((listed) => {
      this.#nodes = listed;
      this.#onNodes();
    });
    await this.#until(() => this.#nodes.length === nodes);
  }

  /** Resolves with the milliseconds until what {@link Kubelets.change} does is known. */
  async untilKnown([tainted, cordoned, lost]: readonly string[]): Promise<number> {
    const startedAt = performance.now();
    const find = (name: string | undefined) =>
      this.#nodes.find((node) => node.name === `c/${name}`);
    await this.#until(
      () =>
        find(tainted)?.lifecycle?.reason === `tainted ${taint}` &&
        find(cordoned)?.lifecycle?.reason === 'cordoned' &&
        find(lost)?.condition?.name === 'NotReady',
    );
    return performance.now() - startedAt;
  }

  stop(): void {
    this.#source?.stop();
    this.#relay?.close();
  }

  #until(isSo: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      this.#onNodes = () => {
        if (isSo()) resolve();
      };
      this.#onNodes();
    });
  }

  /** A relay that counts what comes from the server. */
  async #listen(port: number): Promise<number> {
    const relay = createServer((client) => {
      const upstream = connect(port, '127.0.0.1');
      upstream.on('data', (chunk) => (this.bytes += chunk.length));
      client.pipe(upstream).pipe(client);
      for (const [one, other] of [
        [client, upstream],
        [upstream, client],
      ] as const) {
        one.on('error', () => other.destroy());
        one.on('close', () => other.destroy());
      }
    });
    this.#relay = relay;
    relay.listen(0, '127.0.0.1');
    await once(relay, 'listening');
    return (relay.address() as AddressInfo).port;
  }
}

async function forEach<T>(
  items: readonly T[],
  atOnce: number,
  action: (item: T, index: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let index = next++; index < items.length; index = next++) {
      await action(items[index] as T, index);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}
