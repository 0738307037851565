import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createApiClient } from '../../../agent/discovery/kubernetes/api-client.js';
import { noSpread } from '../../../agent/discovery/kubernetes/list-watch-timings.js';
import { changeText } from '../../../agent/model/host-words.js';
import type { SeenChange } from '../../../agent/model/row-host.js';
import { NetworkPods } from '../../../agent/network-pods/network-pods.js';
import { Problems } from '../../../agent/platform/problems.js';
import type { ApiServer } from '../../doubles/api-server/api-server.js';
import {
  podObject,
  type ContainerOptions,
  type PodOptions,
} from '../../doubles/api-server/objects.js';
import { FakeClock } from '../../unit/agent/probing/fake-clock.js';
import { accessTo } from './discovery/kubernetes/lib/access.js';
import { startApiServer } from '../../doubles/api-server/start-api-server.js';

// The watch, its HTTP client and an API server that is a double. Only the clock of its patience is turned by hand.

const namespace = 'kube-system';
const path = `/api/v1/namespaces/${namespace}/pods`;

let server: ApiServer;
let clock: FakeClock;
let problems: Problems;
let warnings: unknown[];
let changes: SeenChange[];
let pods: NetworkPods;

beforeEach(async () => {
  server = await startApiServer();
  clock = new FakeClock();
  clock.wallOffsetMs = Date.now() - clock.nowMs();
  problems = new Problems();
  [changes, warnings] = [[], []];
  put('kube-proxy-1', { uid: '1' });
});
afterEach(() => pods.stop());

const startedAt = new Date(Date.now() - 3_600_000);
const image = (version: string) => `registry.k8s.io/kube-proxy:${version}`;
const firstRun = { image: image('v1.34.1'), id: 'a', startedAt };

function put(
  name: string,
  {
    container,
    ...more
  }: Partial<Omit<PodOptions, 'container'>> & {
    container?: Partial<ContainerOptions>;
  } = {},
): void {
  const labels = { 'k8s-app': 'kube-proxy' };
  const pod = { node: 'n1', namespace, labels, ...more };
  server.pods(namespace).put(podObject(name, { ...pod, container: { ...firstRun, ...container } }));
}

function watch(namespaces: readonly string[] = [namespace]): void {
  pods = new NetworkPods({
    client: createApiClient(accessTo(server.url, () => 'good')),
    namespaces,
    nodeName: 'n1',
    clock,
    logger: pino({ level: 'warn' }, { write: (line: string) => warnings.push(line) }),
    problems,
    onChange: (change) => changes.push(change),
    timings: {
      spread: noSpread,
      shortLivedMs: 100,
      backoff: { firstMs: 10, maxMs: 40, healthyMs: 1000 },
    },
  });
}

const until = (check: () => void) => vi.waitFor(check, { timeout: 20_000, interval: 5 });
const untilWatched = () => until(() => expect(server.openWatches).toBe(1));
const untilTold = (...texts: string[]) =>
  until(() => expect(changes.map(changeText)).toEqual(texts));
const secondsAgo = (seconds: number) => new Date(clock.wallMs() - seconds * 1000);

describe('the pods of a node are watched', () => {
  test('through a query for that node alone, and those of others are not told', async () => {
    put('kube-proxy-2', { node: 'n2', uid: '2' });
    watch();
    await untilWatched();
    for (const { query, path: asked } of server.requests) {
      expect([asked, query.get('fieldSelector')]).toEqual([path, 'spec.nodeName=n1']);
    }
    put('kube-proxy-2', { node: 'n2', uid: '2', container: { id: 'z', restarts: 1 } });
    put('coredns-1', { labels: { 'k8s-app': 'kube-dns' }, uid: 'c' });
    put('coredns-1', { labels: { 'k8s-app': 'kube-dns' }, uid: 'd', container: { id: 'y' } });
    put('kube-proxy-1', {
      uid: '1',
      container: { id: 'b', restarts: 1, startedAt: secondsAgo(4) },
    });
    await untilTold('kube-proxy restarted (v1.34.1, restart 1)');
    expect(problems.list()).toEqual([]);
  });

  test('and a replaced one is told by the times of its kubelet', async () => {
    watch();
    await untilWatched();
    put('kube-proxy-1', { uid: '1', container: { finishedAt: secondsAgo(20) } });
    await untilTold('kube-proxy stopped (v1.34.1)');
    server.pods(namespace).remove('kube-proxy-1');
    const next = { image: image('v1.34.4'), id: 'b', startedAt: secondsAgo(10) };
    put('kube-proxy-2', { uid: '2', container: next });
    await untilTold('kube-proxy stopped (v1.34.1)', 'kube-proxy was replaced (v1.34.1 to v1.34.4)');
    const ages = changes.map(({ foundMs }) => (clock.nowMs() - foundMs) / 1000);
    expect(ages[0]).toBeGreaterThanOrEqual(19);
    expect(ages[0]).toBeLessThanOrEqual(20);
    expect(ages[1]).toBeGreaterThanOrEqual(9);
    expect(ages[1]).toBeLessThanOrEqual(10);
    expect(changes.map(({ withinSeconds }) => withinSeconds)).toEqual([1, 1]);
  });

  test('and one that is gone without a word is told with what is not known of its time', async () => {
    watch();
    await untilWatched();
    server.pods(namespace).remove('kube-proxy-1');
    await untilTold('kube-proxy stopped (v1.34.1)');
    expect(changes).toMatchObject([{ foundMs: clock.nowMs(), withinSeconds: 30 }]);
  });

  test('and what happened while the server was away is told with that', async () => {
    watch();
    await untilWatched();
    await server.stop();
    server.pods(namespace).remove('kube-proxy-1');
    server.compact();
    // By its own clock the watch noticed at once that the server is away.
    clock.stall(90_000);
    await server.start();
    await untilTold('kube-proxy stopped (v1.34.1)');
    expect(changes[0]?.withinSeconds).toBeGreaterThanOrEqual(100);
    expect(problems.list()).toEqual([]);
  });
});

describe('where it is forbidden', () => {
  test('that is said once, and asked for again after ten minutes', async () => {
    server.fail({ kind: 'status', status: 403 }, 'list', 2);
    watch();
    await until(() => expect(problems.coded()).toHaveLength(1));
    expect(problems.coded()).toEqual([
      {
        code: 'network-pods',
        severity: 'warning',
        text: 'pods of the network in namespace kube-system cannot be watched: HTTP 403: refused with 403; it takes the right to list and watch pods there (--network-pods)',
      },
    ]);
    await clock.advance(599_000);
    expect(server.count('list')).toBe(1);
    await clock.advance(601_000);
    await until(() => expect(server.count('list')).toBe(2));
    await until(() => expect(clock.pendingTimers).toBe(1));
    expect(warnings).toHaveLength(1);
    await clock.advance(1_200_000);
    await untilWatched();
    expect(problems.list()).toEqual([]);
    expect(server.count('list')).toBe(3);
  });

  test('it ends the watch that was allowed, and goes on from what was known', async () => {
    watch();
    await untilWatched();
    server.fail({ kind: 'status', status: 403 }, 'any', 1);
    server.endWatches();
    await until(() => expect(problems.list()).toHaveLength(1));
    put('kube-proxy-1', {
      uid: '1',
      container: { id: 'b', restarts: 1, startedAt: secondsAgo(2) },
    });
    await clock.advance(1_200_000);
    await untilTold('kube-proxy restarted (v1.34.1, restart 1)');
    expect(problems.list()).toEqual([]);
  });

  test('what stopped meanwhile is told with all the time in which nothing was heard', async () => {
    watch();
    await untilWatched();
    server.fail({ kind: 'status', status: 403 }, 'any', 1);
    server.endWatches();
    await until(() => expect(problems.list()).toHaveLength(1));
    server.pods(namespace).remove('kube-proxy-1');
    await clock.advance(1_200_000);
    await untilTold('kube-proxy stopped (v1.34.1)');
    expect(changes[0]?.withinSeconds).toBeGreaterThanOrEqual(1200);
  });

  test('in one namespace, the other is watched all the same', async () => {
    server.fail({ kind: 'status', status: 403 }, 'list', 1);
    server.pods('kube-flannel');
    watch([namespace, 'kube-flannel']);
    await until(() => expect(problems.list()).toHaveLength(1));
    await untilWatched();
  });
});

test('after its stop nothing is asked and nothing told', async () => {
  server.fail({ kind: 'status', status: 403 }, 'list', 1);
  watch();
  await until(() => expect(problems.list()).toHaveLength(1));
  pods.stop();
  expect(clock.pendingTimers).toBe(0);
});

test.for<[string, object]>([
  ['labels that are a list', { metadata: { name: 'x', uid: 'x', labels: ['k8s-app'] } }],
  ['containers that are a text', { spec: { nodeName: 'n1', containers: 'x' } }],
  ['a status that is a number', { spec: { nodeName: 'n1' }, status: 7 }],
  [
    'a start in the far future, and an image with controls',
    {
      spec: { nodeName: 'n1', containers: [{ name: 'main', image: 'x:\u001b[31m' }] },
      status: {
        containerStatuses: [{ name: 'main', state: { running: { startedAt: '9999-01-01' } } }],
      },
    },
  ],
])('a pod with %s is read as what it is', async ([, more]) => {
  watch();
  await untilWatched();
  const labels = { 'k8s-app': 'cilium' };
  const metadata = { name: 'x', namespace, uid: 'x', labels };
  server.pods(namespace).put({ metadata, spec: { nodeName: 'n1' }, ...more });
  put('kube-proxy-1', { uid: '1', container: { id: 'b', restarts: 1 } });
  await until(() => expect(changes.some(({ about }) => about === 'kube-proxy')).toBe(true));
  for (const { foundMs, from, to } of changes) {
    expect(foundMs).toBeLessThanOrEqual(clock.nowMs());
    expect(`${from}${to}`).not.toContain('\u001b');
  }
  expect(problems.list()).toEqual([]);
});
