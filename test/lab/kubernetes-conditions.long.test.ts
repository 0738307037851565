import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, onTestFailed, test, vi } from 'vitest';
import type { Agents } from './lib/agents.js';
import * as faults from './lib/faults.js';
import { startKubeApiServer, type KubeApiServer } from './lib/kube-apiserver.js';
import { createLab, type Lab } from './lib/lab.js';
import type { Host } from './lib/plan.js';
import { missingFor } from './lib/requirements.js';
import { getJson } from './lib/unix-socket.js';
import { nameHash } from '../../agent/model/name-hash.js';
import type { Status } from '../../api/schema/status.js';
import { whyNoKubernetes } from '../../scripts/kubernetes-tools.js';

// Twelve agents and a real kube-apiserver with its etcd. The rules are tested on a virtual clock in
// unit/agent/kubernetes-status; here they meet the server that they were made for.

const missing = missingFor(4) ?? whyNoKubernetes();
const size = 12;
/** Each write may wait for its turn, and the server for its watches. */
const polling = { timeout: 240_000, interval: 1000 };
const testTimeoutMs = 900_000;
/** The cadence is that of a cluster: twelve agents and an API server share a small machine here. */
const settings = {
  'kubernetes-conditions': 'true',
  'kubernetes-events': 'true',
  'icmp-interval': '1s',
  'http-interval': '5s',
  'probe-timeout': '1s',
};

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
  readonly lastTransitionTime: string;
}
interface KubernetesEvent {
  readonly reason: string;
  readonly note: string;
  readonly regarding: { readonly kind: string; readonly name: string };
  readonly series?: { readonly count: number };
}
interface LogLine {
  readonly msg: string;
  readonly node?: string;
  readonly reason?: string;
  readonly time: string;
  readonly by: string;
}

describe('twelve agents that write conditions and Events', { timeout: testTimeoutMs }, () => {
  let lab: Lab;
  let server: KubeApiServer;
  let agents: Agents;

  beforeAll(async () => {
    if (missing !== undefined) return;
    lab = await createLab({ hosts: size, family: 4 });
    server = await startKubeApiServer(lab);
    await server.grant('deploy/kubernetes/base/rbac.yaml');
    await server.grant('deploy/kubernetes/components/kubernetes-status/rbac.yaml');
    agents = lab.agentsWith({ ...server.source, ...settings });
    for (const host of lab.hosts) {
      await server.putNode(host);
      agents.start(host);
    }
    return async () => {
      await agents.stop();
      await server.stop();
      await lab.close();
    };
  }, 300_000);
  beforeEach(({ skip }) => {
    if (missing !== undefined) skip(missing);
    onTestFailed(() => console.error(agents.logs()));
  });

  const repairs = new Set<faults.Repair>();
  afterEach(async () => {
    for (const repair of repairs) await repair();
    repairs.clear();
  });
  /** Unplugs a host until the repair, or until the test ends. */
  async function cutOff(name: string): Promise<faults.Repair> {
    const repair = await faults.cutOff(lab, host(name));
    repairs.add(repair);
    return async () => {
      repairs.delete(repair);
      await repair();
    };
  }

  async function conditionOf(name: string, type: string): Promise<Condition | undefined> {
    const { body } = await server.ask('GET', `/api/v1/nodes/${name}`);
    return (body['status'] as { conditions: Condition[] }).conditions.find(
      (condition) => condition.type === type,
    );
  }
  /** The conditions that agents have written, by the names of the nodes. */
  async function conditions(): Promise<Record<string, Condition>> {
    const { body } = await server.ask('GET', '/api/v1/nodes');
    const items = body['items'] as {
      metadata: { name: string };
      status: { conditions: Condition[] };
    }[];
    return Object.fromEntries(
      items.flatMap(({ metadata: { name }, status }) => {
        const found = status.conditions.find(({ type }) => type === 'MeshprobeNetworkHealthy');
        return found ? [[name, found]] : [];
      }),
    );
  }
  async function statuses(): Promise<Record<string, string>> {
    const entries = Object.entries(await conditions());
    return Object.fromEntries(entries.map(([name, { status }]) => [name, status]));
  }
  /** Others may have one too: on a busy machine an agent may seem to be gone for a while. */
  const untilStatuses = (expected: Record<string, string>) =>
    vi.waitFor(async () => expect(await statuses()).toMatchObject(expected), polling);
  async function events(): Promise<KubernetesEvent[]> {
    const { body } = await server.ask('GET', '/apis/events.k8s.io/v1/namespaces/default/events');
    return (body['items'] as KubernetesEvent[]).filter(
      ({ regarding }) => regarding.kind === 'Node',
    );
  }
  /** What all agents logged with this message, the oldest first. */
  async function logged(pattern: RegExp): Promise<LogLine[]> {
    const files = lab.hosts.map(async ({ name }) => {
      const text = await readFile(join(lab.folder, `${name}-agent.log`), 'utf8');
      const lines = text.split('\n').filter((line) => line.startsWith('{'));
      return lines.map((line) => ({ ...(JSON.parse(line) as LogLine), by: name }));
    });
    const all = (await Promise.all(files)).flat();
    return all
      .filter(({ msg }) => pattern.test(msg))
      .sort((a, b) => Date.parse(a.time) - Date.parse(b.time));
  }
  async function writesFor(isNewNode: boolean): Promise<LogLine[]> {
    const writes = await logged(/^wrote the condition/);
    return writes.filter(({ reason }) => (reason === 'PeersReached') === isNewNode);
  }
  /** Those that findings are the reason of. */
  const conditionWrites = () => writesFor(false);
  /** Waits as long as two further agents would have to write. */
  const twoSteps = () => new Promise((resolve) => setTimeout(resolve, 25_000));
  const host = (name: string): Host => lab.host(name);

  test('write of each new node once that it is well, and nothing else while all is well', async () => {
    const isWell = { status: 'True', reason: 'PeersReached' };
    const all = Object.fromEntries(lab.hosts.map(({ name }) => [name, isWell]));
    await vi.waitFor(async () => expect(await conditions()).toMatchObject(all), polling);
    await twoSteps();
    expect(await conditions()).toMatchObject(all);
    const first = (await writesFor(true)).map(({ node }) => node);
    expect(first.sort()).toEqual(Object.keys(all).sort());
    expect(await conditionWrites()).toEqual([]);
    expect(await events()).toEqual([]);
  });

  test('write one condition and one Event when a node dies, and that it is well again', async () => {
    const repair = await cutOff('n3');
    await untilStatuses({ n3: 'False' });
    await twoSteps();
    // Who has not looked by the time at which it is written is not counted, as on a busy machine.
    const reachedByNone = /^none of (8|9|10|11) nodes can reach lab\/n3 /;
    const { n3 } = await conditions();
    expect(n3).toMatchObject({ reason: 'NodeDown' });
    expect(n3?.message).toMatch(reachedByNone);
    expect(await conditionWrites()).toHaveLength(1);
    expect(await conditionOf('n3', 'Ready')).toMatchObject({
      status: 'True',
      reason: 'KubeletReady',
      lastTransitionTime: '2026-01-01T00:00:00Z',
    });
    const [event, ...more] = await events();
    expect(more).toEqual([]);
    expect(event).toMatchObject({ reason: 'NodeDown', regarding: { name: 'n3' } });
    expect(event?.note).toMatch(reachedByNone);
    expect(event?.note).toMatch(/\. Next: /);
    await repair();
    await untilStatuses({ n3: 'True' });
    await twoSteps();
    expect(await conditionWrites()).toHaveLength(2);
  });

  test('count up the Event of a finding that comes again', async () => {
    const repair = await cutOff('n3');
    await vi.waitFor(async () => {
      expect(await events()).toMatchObject([{ reason: 'NodeDown', series: { count: 2 } }]);
    }, polling);
    await repair();
    await untilStatuses({ n3: 'True' });
  });

  test('write it also where those whose turn it is have died', async () => {
    const dead = 'n5';
    const turns = lab.hosts
      .map(({ name }) => name)
      .filter((name) => name !== dead)
      .sort((a, b) => turnOf(a) - turnOf(b));
    function turnOf(name: string): number {
      return nameHash(`node:lab/${dead} lab/${name}`);
    }
    const frozen = turns.slice(0, 2).map(host);
    const before = (await conditionWrites()).length;
    const repair = await cutOff(dead);
    for (const one of frozen) agents.pause(one);
    try {
      await vi.waitFor(async () => expect((await statuses())[dead]).toBe('False'), polling);
      // An agent writes once a second at most, so the Event may follow the condition.
      await vi.waitFor(async () => {
        const about = (await events()).filter(({ regarding }) => regarding.name === dead);
        expect(about).toHaveLength(1);
      }, polling);
    } finally {
      for (const one of frozen) agents.resume(one);
    }
    await twoSteps();
    const writes = (await conditionWrites()).slice(before).filter(({ node }) => node === dead);
    expect(writes).toHaveLength(1);
    expect(frozen.map(({ name }) => name)).not.toContain(writes[0]?.by);
    await repair();
    await untilStatuses({ n5: 'True' });
  });

  test('write the end state when the API server is back', async () => {
    const repairFirst = await cutOff('n7');
    await untilStatuses({ n7: 'False' });
    await server.goAway();
    const before = (await conditionWrites()).length;
    await repairFirst();
    // One that dies and comes back meanwhile is nothing that the end state has.
    const repairSecond = await cutOff('n8');
    await twoSteps();
    await repairSecond();
    const repairThird = await cutOff('n9');
    await twoSteps();
    await server.comeBack();
    await untilStatuses({ n7: 'True', n9: 'False' });
    await twoSteps();
    const cut = new Set<string | undefined>(['n7', 'n8', 'n9']);
    const writes = (await conditionWrites()).slice(before).filter(({ node }) => cut.has(node));
    expect(writes.map(({ node }) => node).sort()).toEqual(['n7', 'n9']);
    await repairThird();
    await untilStatuses({ n9: 'True' });
  });

  test('write from the seven alone when the mesh splits seven to five', async () => {
    const five = lab.hosts.slice(0, 5);
    const seven = lab.hosts.slice(5);
    const before = (await conditionWrites()).length;
    const drops = await Promise.all([
      ...five.map((target) => faults.dropFromAll(lab, seven, target)),
      ...seven.map((target) => faults.dropFromAll(lab, five, target)),
    ]);
    for (const drop of drops) repairs.add(drop);
    const isFalse = (entries: Record<string, string>) =>
      Object.keys(entries)
        .filter((name) => entries[name] === 'False')
        .sort();
    await vi.waitFor(
      async () => expect(isFalse(await statuses())).toEqual(['n1', 'n2', 'n3', 'n4', 'n5']),
      polling,
    );
    await twoSteps();
    expect(isFalse(await statuses())).toEqual(['n1', 'n2', 'n3', 'n4', 'n5']);
    const writers = (await conditionWrites()).slice(before).map(({ by }) => by);
    const small = new Set(five.map(({ name }) => name));
    expect(writers.filter((name) => small.has(name))).toEqual([]);
    for (const drop of drops) repairs.delete(drop);
    for (const mend of drops) await mend();
    await vi.waitFor(async () => expect(isFalse(await statuses())).toEqual([]), polling);
  });

  test('write nothing of the old node onto one that was made anew', async () => {
    const repair = await cutOff('n11');
    await untilStatuses({ n11: 'False' });
    expect((await server.ask('DELETE', '/api/v1/nodes/n11')).status).toBe(200);
    // Nobody finds anything of a node that is not listed, so what is written then is of the new one.
    const others = lab.hosts.filter(({ name }) => name !== 'n11');
    await vi.waitFor(async () => {
      const status = others.map((one) => getJson(agents.socketPath(one), '/v1beta/status'));
      for (const one of (await Promise.all(status)) as Status[]) expect(one.nodes).toHaveLength(11);
    }, polling);
    await repair();
    await server.putNode(host('n11'));
    await twoSteps();
    await vi.waitFor(async () => {
      const { n11 } = await conditions();
      expect(n11).toMatchObject({ status: 'True', reason: 'PeersReached' });
    }, polling);
    expect(await conditionOf('n11', 'Ready')).toMatchObject({ status: 'True' });
    const again = await cutOff('n11');
    await untilStatuses({ n11: 'False' });
    await again();
    await untilStatuses({ n11: 'True' });
  });

  test('say once which right is missing', async () => {
    const binding = '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/meshprobe-status';
    expect((await server.ask('DELETE', binding)).status).toBe(200);
    const repair = await cutOff('n10');
    // Where the budget is short, an agent may write its Event first.
    const aboutConditions = /takes the right to patch nodes\/status/;
    await vi.waitFor(async () => expect(await logged(aboutConditions)).not.toEqual([]), polling);
    await twoSteps();
    const lines = await logged(/takes the right to/);
    for (const { name } of lab.hosts) {
      const texts = lines.filter(({ by }) => by === name).map(({ msg }) => msg);
      expect(texts).toEqual([...new Set(texts)]);
    }
    const [last] = (await logged(aboutConditions)).slice(-1);
    const health = await agents.healthz(host(last?.by ?? ''));
    expect(JSON.stringify(health)).toContain('"code":"kubernetes-status"');
    expect(JSON.stringify(health)).toContain('the right to patch nodes/status');
    await repair();
  });
});
