import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createApiClient } from '../../../../../agent/discovery/kubernetes/api-client.js';
import {
  noSpread,
  type ListWatchTimings,
} from '../../../../../agent/discovery/kubernetes/list-watch-timings.js';
import {
  KubernetesSource,
  type EndpointSource,
  type KubernetesTimings,
} from '../../../../../agent/discovery/kubernetes/kubernetes-source.js';
import { readLabelSelector } from '../../../../../agent/discovery/kubernetes/label-selector.js';
import type { Node } from '../../../../../agent/model/node.js';
import type { SourceState } from '../../../../../agent/discovery/source-state.js';
import type { ApiServer } from '../../../../doubles/api-server/api-server.js';
import {
  ciliumNodeObject,
  nodeObject,
  podObject,
  type NodeOptions,
  type PodOptions,
} from '../../../../doubles/api-server/objects.js';
import { accessTo } from './lib/access.js';
import { startApiServer } from '../../../../doubles/api-server/start-api-server.js';

let server: ApiServer;
let source: KubernetesSource;
let lists: (readonly Node[])[];
let states: SourceState[];
let nodesOnServer = 0;
let token: string;
/** How changes of nodes come. */
let form: 'rows' | 'objects';

const pods: EndpointSource = {
  kind: 'pods',
  namespace: 'meshprobe',
  selector: 'app.kubernetes.io/name=meshprobe,app.kubernetes.io/component=endpoint',
};

const quick: Partial<ListWatchTimings> = {
  shortLivedMs: 50,
  backoff: { firstMs: 10, maxMs: 40, healthyMs: 1000 },
  spread: noSpread,
  lookups: { soonMs: () => 1, laterMs: () => 5 },
};

async function start(
  timings: Partial<KubernetesTimings> = {},
  endpoints: EndpointSource = pods,
): Promise<void> {
  source = new KubernetesSource({
    clusterName: 'c',
    client: createApiClient(accessTo(server.url, () => token)),
    endpoints,
    isDeselected: readLabelSelector('role=edge') ?? (() => false),
    report: (state) => states.push(state),
    watchesWhole: form === 'objects',
    onListedNodes: ({ nodes }) => (nodesOnServer = nodes.size),
    timings: {
      debounceMs: 10,
      listWatch: quick,
      ...timings,
    },
  });
  await source.start((nodes) => lists.push(nodes));
}

const until = (check: () => void) => vi.waitFor(check, { timeout: 20_000, interval: 5 });
const latest = () => lists.at(-1) ?? [];
const names = () => latest().map(({ name }) => name);
const find = (name: string) => latest().find((node) => node.name === `c/${name}`);
const untilNames = (...expected: string[]) => until(() => expect(names()).toEqual(expected));

/** Adds a node to the server or changes it; it stays the same one, if nothing else is said. */
const put = (name: string, options: NodeOptions = {}) =>
  server.nodes.put(nodeObject(name, { uid: `${name}-1`, ...options }));

const untilWatching = (watches = 2) => until(() => expect(server.openWatches).toBe(watches));
/** Starts, and goes on when it has both nodes and follows all changes. */
async function startWatching(timings?: Partial<KubernetesTimings>): Promise<void> {
  await start(timings);
  await untilNames('c/a', 'c/b');
  await untilWatching();
}

beforeEach(async () => {
  server = await startApiServer();
  [lists, states, token] = [[], [], 'good'];
  for (const [index, name] of ['a', 'b'].entries()) {
    server.nodes.put(nodeObject(name, { internal: [`198.51.100.${index + 1}`], uid: `${name}-1` }));
    server
      .pods('meshprobe')
      .put(podObject(`endpoint-${name}`, { node: name, ips: [`10.244.${index}.2`] }));
  }
});
afterEach(() => source.stop());

describe.each(['rows', 'objects'] as const)('Kubernetes as a node source, by %s', (wanted) => {
  beforeEach(() => void (form = wanted));

  test('joins nodes and endpoint pods into one first list', async () => {
    put('a', {
      external: ['203.0.113.1', '2001:DB8:0::1'],
      internal: ['198.51.100.1', '2001:db8::1'],
    });
    const namespace = server.pods('meshprobe');
    namespace.put(podObject('endpoint-a', { node: 'a', ips: ['10.244.0.2', 'fd00::2'] }));
    namespace.put(podObject('other', { node: 'a', ips: ['10.244.0.3'], labels: { app: 'x' } }));
    namespace.put(podObject('done', { node: 'a', ips: ['10.244.0.4'], phase: 'Succeeded' }));
    namespace.put(podObject('going', { node: 'a', ips: ['10.244.0.5'], deletedAt: new Date() }));
    await start();
    await untilNames('c/a', 'c/b');
    expect(lists).toHaveLength(1);
    expect(find('a')).toEqual({
      name: 'c/a',
      host: ['198.51.100.1', '2001:db8::1', '203.0.113.1'],
      endpoint: ['10.244.0.2', 'fd00::2'],
      incarnation: 'a-1',
      lifecycle: { phase: 'active' },
    });
  });

  test('takes the health addresses of CiliumNodes where it is told to', async () => {
    const cilium = server.collection('/apis/cilium.io/v2/ciliumnodes');
    cilium.put(ciliumNodeObject('a', { ipv4: '10.0.0.7', ipv6: 'fd00::7' }));
    await start({}, { kind: 'ciliumnodes' });
    await untilNames('c/a', 'c/b');
    expect(find('a')?.endpoint).toEqual(['10.0.0.7', 'fd00::7']);
    expect(find('b')?.endpoint).toEqual([]);
  });

  test('asks for no endpoints where it is told to', async () => {
    await start({}, { kind: 'none' });
    await untilNames('c/a', 'c/b');
    await untilWatching(1);
    expect(find('a')?.endpoint).toEqual([]);
    expect(server.requests.every(({ path }) => path === '/api/v1/nodes')).toBe(true);
    expect(states.at(-1)?.since).toBeUndefined();
  });

  test('follows nodes and pods that come, change and go', async () => {
    await startWatching();
    put('d', { internal: ['198.51.100.4'] });
    server.nodes.remove('a');
    await untilNames('c/b', 'c/d');
    server.pods('meshprobe').put(podObject('endpoint-d', { node: 'd', ips: ['10.244.4.2'] }));
    server.pods('meshprobe').remove('endpoint-b');
    await until(() => expect(find('d')?.endpoint).toEqual(['10.244.4.2']));
    await until(() => expect(find('b')?.endpoint).toEqual([]));
  });

  test('says that a node made anew under its name is a new one', async () => {
    await start();
    await untilNames('c/a', 'c/b');
    server.nodes.remove('a');
    put('a', { internal: ['198.51.100.1'], uid: 'a-2' });
    await until(() => expect(find('a')?.incarnation).toBe('a-2'));
  });

  test('emits nothing if nothing relevant changed', async () => {
    await startWatching();
    put('a', { internal: ['198.51.100.1'], ballastBytes: 900 });
    put('d');
    await untilNames('c/a', 'c/b', 'c/d');
    expect(lists).toHaveLength(2);
  });

  test('gives the phase of each node and the reason', async () => {
    const now = Date.now();
    const at = (ms: number) => new Date(now + ms);
    const add = (name: string, ip: number, options: NodeOptions) =>
      put(name, { internal: [`198.51.100.${ip}`], ...options });
    add('cordoned', 10, { isCordoned: true });
    add('not-ready', 11, { isReady: false });
    add('lost', 12, { isReady: 'unknown' });
    add('edge', 13, { labels: { role: 'edge' } });
    add('new', 14, { isReady: false, createdAt: at(-1000) });
    add('leaving', 15, { deletedAt: at(-1000) });
    add('stuck', 16, { deletedAt: at(-600_000) });
    add('bare', 0, { internal: [] });
    add('bare-new', 0, { internal: [], createdAt: at(-1000) });
    add('twin', 1, { createdAt: new Date('2026-02-01T00:00:00Z') });
    await start();
    await until(() => expect(latest()).toHaveLength(12));
    const lives = Object.fromEntries(latest().map(({ name, lifecycle }) => [name, lifecycle]));
    expect(lives).toEqual({
      'c/a': { phase: 'active' },
      'c/b': { phase: 'active' },
      'c/bare': { phase: 'excluded', reason: 'no address' },
      'c/bare-new': { phase: 'joining', reason: 'no address' },
      'c/cordoned': { phase: 'excluded', reason: 'cordoned' },
      'c/edge': { phase: 'excluded', reason: 'matched by --exclude-selector' },
      'c/leaving': { phase: 'leaving', reason: 'deleting' },
      'c/lost': { phase: 'active' },
      'c/new': { phase: 'joining', reason: 'NotReady (KubeletNotReady)' },
      'c/not-ready': { phase: 'active' },
      'c/stuck': { phase: 'excluded', reason: 'deleting' },
      'c/twin': { phase: 'excluded', reason: 'address 198.51.100.1 belongs to c/a' },
    });
    expect(find('twin')?.host).toEqual([]);
    expect(find('cordoned')?.host).toEqual(['198.51.100.10']);
  });

  test('expects a node that turns NotReady, and says since when it is so', async () => {
    await start();
    await until(() => expect(find('a')?.lifecycle).toEqual({ phase: 'active' }));
    expect(find('a')?.condition).toBeUndefined();
    await untilWatching();
    const lost = { internal: ['198.51.100.1'] };
    const readyChangedAt = new Date('2026-05-01T14:02:07Z');
    put('a', { ...lost, isReady: 'unknown', readyChangedAt });
    await until(() => expect(find('a')?.condition).toBeDefined());
    expect(find('a')?.lifecycle).toEqual({ phase: 'active' });
    expect(find('a')?.condition).toEqual({ name: 'NotReady', sinceAt: readyChangedAt.getTime() });
    put('a', lost);
    await until(() => expect(find('a')?.condition).toBeUndefined());
  });

  test.each([
    'ToBeDeletedByClusterAutoscaler',
    'karpenter.sh/disrupted',
    'karpenter.sh/disruption',
    'node.cloudprovider.kubernetes.io/shutdown',
    'node.kubernetes.io/out-of-service',
  ])('excludes a node that has the taint %s', async (taint) => {
    const taints = ['node.kubernetes.io/unreachable', taint];
    put('a', { internal: ['198.51.100.1'], taints });
    await start();
    await until(() =>
      expect(find('a')?.lifecycle).toEqual({ phase: 'excluded', reason: `tainted ${taint}` }),
    );
  });

  test('expects a node whose taints are symptoms, or anything but a list', async () => {
    const taints = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable', 'gpu'];
    put('a', { internal: ['198.51.100.1'], taints });
    const b = nodeObject('b', { uid: 'b-1', internal: ['198.51.100.2'] });
    server.nodes.put({ ...b, spec: { taints: { key: 'karpenter.sh/disrupted' } } });
    await start();
    await untilNames('c/a', 'c/b');
    expect(latest().map(({ lifecycle }) => lifecycle?.phase)).toEqual(['active', 'active']);
  });

  test('ends a grace by itself', async () => {
    put('new', { internal: ['198.51.100.8'], isReady: false, createdAt: new Date() });
    put('gone', { internal: ['198.51.100.9'], deletedAt: new Date(Date.now() + 100) });
    await start({ gracePeriods: { joinMs: 400, leaveMs: 200 } });
    await until(() => expect(find('new')?.lifecycle?.phase).toBe('joining'));
    expect(find('gone')?.lifecycle?.phase).toBe('leaving');
    await until(() => expect(find('gone')?.lifecycle?.phase).toBe('excluded'));
    await until(() => expect(find('new')?.lifecycle?.phase).toBe('active'));
    expect(find('new')?.condition?.name).toBe('NotReady');
  });

  test('gives the address of a node that is lost to the one that is ready', async () => {
    put('a', { internal: ['198.51.100.1'], isReady: 'unknown' });
    put('heir', { internal: ['198.51.100.1'], createdAt: new Date('2026-03-01') });
    await start();
    await until(() => expect(find('heir')?.lifecycle).toEqual({ phase: 'active' }));
    expect(find('heir')?.host).toEqual(['198.51.100.1']);
    expect(find('a')?.host).toEqual([]);
  });

  test('gives no address of a node to one that claims it beside its own', async () => {
    const internal = ['203.0.113.9', '198.51.100.1', '198.51.100.2'];
    put('0', { internal, createdAt: new Date('2020-01-01') });
    await start();
    await untilNames('c/0', 'c/a', 'c/b');
    expect(latest().map(({ host }) => host)).toEqual([
      ['203.0.113.9'],
      ['198.51.100.1'],
      ['198.51.100.2'],
    ]);
    expect(find('a')?.lifecycle).toEqual({ phase: 'active' });
    expect(find('0')?.lost).toEqual([
      { ip: '198.51.100.1', holder: 'c/a' },
      { ip: '198.51.100.2', holder: 'c/b' },
    ]);
  });

  test('keeps an endpoint address with one node and says so at the other', async () => {
    server.pods('meshprobe').put(podObject('twin', { node: 'b', ips: ['10.244.0.2'] }));
    await start();
    await until(() =>
      expect(find('b')?.lifecycle).toEqual({
        phase: 'active',
        reason: 'endpoint address 10.244.0.2 belongs to c/a',
      }),
    );
    expect(find('b')?.endpoint).toEqual(['10.244.1.2']);
  });

  test('keeps the last list while the API server is away, and tells its age', async () => {
    await start();
    await untilNames('c/a', 'c/b');
    await until(() => expect(states.at(-1)?.since).toBeUndefined());
    const before = Date.now();
    await server.stop();
    await until(() => expect(states.at(-1)?.lastError).toContain('ECONNREFUSED'));
    expect(states.at(-1)?.since).toBeGreaterThanOrEqual(before);
    expect(states.at(-1)?.listAt).toBeLessThanOrEqual(Date.now());
    expect(states.at(-1)?.waitsFor).toContain('Kubernetes API of c');
    server.nodes.remove('a');
    await server.start();
    await untilNames('c/b');
    await until(() => expect(states.at(-1)?.since).toBeUndefined());
  });

  test('waits for an API server without end, and says for what and since when', async () => {
    await server.stop();
    const before = Date.now();
    await start();
    await until(() => expect(states.length).toBeGreaterThan(5));
    expect(lists).toEqual([]);
    expect(states.at(-1)).toMatchObject({
      waitsFor: expect.stringContaining('of the Kubernetes API of c') as string,
      listAt: undefined,
      lastError: expect.stringContaining('ECONNREFUSED') as string,
    });
    expect(states.at(-1)?.since).toBeGreaterThanOrEqual(before);
    await server.start();
    await untilNames('c/a', 'c/b');
  });

  test('believes an empty list after a full one only after some time', async () => {
    await startWatching({ emptyGraceMs: 400 });
    server.nodes.remove('a');
    await untilNames('c/b');
    server.nodes.remove('b');
    put('a', { internal: ['198.51.100.1'], uid: 'a-2' });
    await untilNames('c/a');
    server.nodes.remove('a');
    await untilNames();
    expect(lists.filter((list) => list.length === 0)).toHaveLength(1);
  });

  test('doubts an empty list as long where the wall clock is set forward meanwhile', async () => {
    await startWatching({ emptyGraceMs: 60_000 });
    server.nodes.remove('b');
    await untilNames('c/a');
    server.nodes.remove('a');
    await until(() => expect(nodesOnServer).toBe(0));
    const moveEndpoint = async (ip: string): Promise<void> => {
      server.pods('meshprobe').put(podObject('endpoint-a', { node: 'a', ips: [ip] }));
      await until(() => expect(find('a')?.endpoint).toEqual([ip]));
    };
    await moveEndpoint('10.244.0.8');
    const now = Date.now.bind(Date);
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => now() + 3_600_000);
    await moveEndpoint('10.244.0.9').finally(() => clock.mockRestore());
    expect(lists.every((list) => list.length > 0)).toBe(true);
  });

  test('emits nodes without endpoints if it cannot get them, and says so', async () => {
    await server.stop();
    server = await startApiServer();
    put('a', { internal: ['198.51.100.1'] });
    await start({ endpointWaitMs: 50 });
    await untilNames('c/a');
    expect(states.at(-1)?.waitsFor).toContain('endpoint pods in namespace meshprobe');
    await until(() => expect(states.at(-1)?.lastError).toContain('404'));
    server.pods('meshprobe').put(podObject('endpoint-a', { node: 'a', ips: ['10.244.0.2'] }));
    await until(() => expect(find('a')?.endpoint).toEqual(['10.244.0.2']));
  });

  test('goes on with a new token when the old one has expired', async () => {
    server.tokens.add('good');
    await start();
    await untilNames('c/a', 'c/b');
    server.tokens.clear();
    server.tokens.add('fresh');
    server.endWatches();
    server.nodes.remove('a');
    await until(() => expect(states.at(-1)?.lastError).toContain('401'));
    expect(names()).toEqual(['c/a', 'c/b']);
    token = 'fresh';
    await untilNames('c/b');
  });

  test('is silent once it is stopped', async () => {
    await start();
    await untilNames('c/a', 'c/b');
    source.stop();
    const [listCount, stateCount] = [lists.length, states.length];
    server.nodes.remove('a');
    await untilWatching(0);
    expect([lists.length, states.length]).toEqual([listCount, stateCount]);
  });
});

describe('changes that come as rows', () => {
  const watchesOf = (path: string) =>
    server.requests.filter((one) => one.kind === 'watch' && one.path === path);
  const watches = () => watchesOf('/api/v1/nodes');
  const lookups = () =>
    server.requests.filter(({ query }) => query.has('fieldSelector') || query.has('labelSelector'));
  const ofNodes = () => lookups().filter(({ path }) => path === '/api/v1/nodes');
  const moveA = async (ip: string): Promise<void> => {
    put('a', { internal: [ip] });
    await until(() => expect(find('a')?.host).toEqual([ip]));
  };
  const reported = (agoMs: number) => ({ reportedAt: new Date(Date.now() - agoMs) });
  beforeEach(() => void (form = 'rows'));

  test('leave out whole lists for longer, and so do those of pods', async () => {
    const lists = (path: string) =>
      server.requests.filter(
        (one) => one.kind === 'list' && one.path === path && !one.query.has('fieldSelector'),
      );
    form = 'objects';
    await start({ listWatch: { ...quick, relistMs: 0, shortLivedMs: 0 } });
    for (let times = 2; times < 5; times++) {
      await untilWatching();
      server.endWatches();
      await until(() => expect(lists('/api/v1/nodes')).toHaveLength(times));
    }
    expect(lists('/api/v1/namespaces/meshprobe/pods')).toHaveLength(1);
    source.stop();
    await untilWatching(0);
    form = 'rows';
    await start({ listWatch: { ...quick, relistMs: 0, shortLivedMs: 0 } });
    await untilWatching();
    // The first row tells that changes come so.
    await moveA('198.51.100.9');
    const before = watches().length;
    server.endWatches();
    await until(() => expect(watches()).toHaveLength(before + 1));
    expect(lists('/api/v1/nodes')).toHaveLength(5);
  });

  describe('of pods', () => {
    const path = '/api/v1/namespaces/meshprobe/pods';
    const putPod = (more: Partial<PodOptions> = {}) =>
      server
        .pods('meshprobe')
        .put(podObject('endpoint-a', { node: 'a', ips: ['10.244.0.9'], ...more }));
    const untilEndpoint = (...ips: string[]) =>
      until(() => expect(find('a')?.endpoint).toEqual(ips));
    const looks = () =>
      lookups().filter((one) => one.path === path && one.query.has('fieldSelector'));

    test('are all that is read of those that run, go, and come', async () => {
      await startWatching();
      putPod();
      await untilEndpoint('10.244.0.9');
      putPod({ deletedAt: new Date() });
      await untilEndpoint();
      server.pods('meshprobe').remove('endpoint-a');
      const next = podObject('endpoint-c', { node: 'a', phase: 'Pending' });
      server.pods('meshprobe').put(next);
      server.pods('meshprobe').put({ ...next, status: { phase: 'Running', podIP: '10.244.0.10' } });
      await untilEndpoint('10.244.0.10');
      server.pods('meshprobe').remove('endpoint-c');
      await untilEndpoint();
      expect(watchesOf(path).map(({ query }) => query.get('includeObject'))).toEqual(['None']);
      expect(looks()).toEqual([]);
    });

    test('call for a look where they do not say how it is', async () => {
      await startWatching();
      putPod({ phase: 'Failed' });
      await untilEndpoint();
      expect(looks().map(({ query }) => query.get('fieldSelector'))).toEqual([
        'metadata.name=endpoint-a',
      ]);
    });

    test('call for a look at the first one', async () => {
      for (const name of ['endpoint-a', 'endpoint-b']) server.pods('meshprobe').remove(name);
      await start();
      await untilWatching();
      putPod({ ips: ['10.244.0.9', 'fd00::9'] });
      await untilEndpoint('10.244.0.9', 'fd00::9');
      putPod({ ips: ['10.244.0.9', 'fd00::8'] });
      server.endWatches();
      putPod({ ips: ['10.244.0.10', 'fd00::8'] });
      await untilEndpoint('10.244.0.10', 'fd00::8');
    });

    test.each([{ ips: ['10.244.0.2', 'fd00::2'] }, { hostNetwork: true }])(
      'are no help where one of them has %o: then they come whole',
      async (more) => {
        putPod(more);
        await start();
        await untilWatching();
        expect(watchesOf(path).map(({ query }) => query.get('includeObject'))).toEqual([null]);
        putPod({ ips: ['10.244.0.3', 'fd00::3'] });
        await untilEndpoint('10.244.0.3', 'fd00::3');
        expect(looks()).toEqual([]);
      },
    );
  });

  test('are said to do so, and whoever writes onto nodes takes them whole', async () => {
    await start();
    await untilWatching();
    await moveA('198.51.100.9');
    expect(states.at(-1)?.form).toBe('rows');
    expect(watches().map(({ query }) => query.get('includeObject'))).toEqual(['None']);
    source.stop();
    form = 'objects';
    await start();
    await untilWatching();
    await moveA('198.51.100.8');
    expect(states.at(-1)?.form).toBe('objects');
  });

  test('bring no request where a kubelet reports in time that nothing has changed', async () => {
    put('a', { internal: ['198.51.100.1'], ...reported(301_000) });
    await startWatching();
    put('a', { internal: ['198.51.100.1'], ...reported(0) });
    put('d', { internal: ['198.51.100.4'] });
    await untilNames('c/a', 'c/b', 'c/d');
    expect(ofNodes().map(({ query }) => query.get('fieldSelector'))).toEqual(['metadata.name=d']);
  });

  test('of many nodes are looked at in one request', async () => {
    for (let n = 0; n < 40; n++) put(`n${n}`, { internal: [`203.0.113.${n}`] });
    await start({
      debounceMs: 50,
      listWatch: { ...quick, lookups: { soonMs: () => 200, laterMs: () => 200 } },
    });
    await untilWatching();
    for (let n = 0; n < 40; n++) put(`n${n}`, { internal: [`203.0.113.${n}`], isReady: 'unknown' });
    await until(() => expect(latest().filter(({ condition }) => condition)).toHaveLength(40));
    expect(ofNodes()).toHaveLength(1);
  });

  test.each(['ignored', 'refused'] as const)(
    'do not where Tables are %s: then objects come whole',
    async (tables) => {
      server.tables = tables;
      await startWatching();
      await moveA('198.51.100.9');
      expect(states.at(-1)?.form).toBe('objects');
      expect(ofNodes()).toEqual([]);
    },
  );

  test('are given up for whole objects for a while where most of them call for a look', async () => {
    await start({ listWatch: { ...quick, manyLookUps: 3, shortLivedMs: 0 } });
    await untilWatching();
    for (const n of [1, 2, 3]) put(`n${n}`, { internal: [`203.0.113.${n}`] });
    await until(() => expect(latest()).toHaveLength(5));
    expect(states.at(-1)?.form).toBe('rows');
    server.endWatches();
    await until(() => expect(states.at(-1)?.form).toBe('objects'));
    await moveA('198.51.100.9');
    source.stop();
    await untilWatching(0);
    [lists, states] = [[], []];
    await start({ listWatch: { ...quick, manyLookUps: 3, wholeMs: 0, shortLivedMs: 0 } });
    await untilWatching();
    for (const n of [4, 5, 6]) put(`n${n}`, { internal: [`203.0.113.${n}`] });
    await until(() => expect(latest()).toHaveLength(8));
    server.endWatches();
    await until(() =>
      expect(watches().filter(({ query }) => query.has('includeObject'))).toHaveLength(3),
    );
    expect(states.some(({ form: taken }) => taken === 'objects')).toBe(false);
  });

  test('that make no sense are given up for whole objects', async () => {
    await start();
    await untilWatching();
    const table = { kind: 'Table', metadata: { resourceVersion: '101' }, rows: [] };
    server.inject(`${JSON.stringify({ type: 'MODIFIED', object: table })}\n`);
    await until(() => expect(watches().at(-1)?.accept).toBe('application/json'));
    await untilWatching();
    await moveA('198.51.100.9');
    expect(states.at(-1)?.form).toBe('objects');
  });

  test('that lack cells are given up for whole objects, and no change is lost', async () => {
    server.tables = 'cut';
    await startWatching();
    await moveA('198.51.100.9');
    expect(states.at(-1)?.form).toBe('objects');
  });

  test.each([
    ['an error', { kind: 'status', status: 500 }],
    ['too many requests', { kind: 'status', status: 429 }],
    ['a cut connection', { kind: 'cut' }],
  ] as const)('are looked at again after %s', async (_, fault) => {
    await startWatching();
    server.fail(fault, 'list');
    await moveA('198.51.100.9');
    await until(() => expect(states.at(-1)?.since).toBeUndefined());
    await untilWatching();
  });
});
