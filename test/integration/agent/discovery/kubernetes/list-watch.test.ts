import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ApiServer } from '../../../../doubles/api-server/api-server.js';
import type { Fault } from '../../../../doubles/api-server/faults.js';
import { nodeObject } from '../../../../doubles/api-server/objects.js';
import { createApiClient } from '../../../../../agent/discovery/kubernetes/api-client.js';
import {
  noSpread,
  type ListWatchTimings,
} from '../../../../../agent/discovery/kubernetes/list-watch-timings.js';
import type { ListWatchState } from '../../../../../agent/discovery/kubernetes/connection-state.js';
import { ListWatch } from '../../../../../agent/discovery/kubernetes/list-watch.js';
import type { RowJudge } from '../../../../../agent/discovery/kubernetes/row-lookups.js';
import { accessTo } from './lib/access.js';
import { startApiServer } from '../../../../doubles/api-server/start-api-server.js';

let server: ApiServer;
let watch: ListWatch<Projected>;
let names: string[];
let emitted: number;
let states: ListWatchState[];

const quick: Partial<ListWatchTimings> = {
  pageSize: 2,
  headersMs: 300,
  silenceMs: 300,
  listMs: 2000,
  shortLivedMs: 100,
  backoff: { firstMs: 10, maxMs: 40, healthyMs: 1000 },
  spread: noSpread,
};

type Projected = { uid: string; labels: object };

function follow(timings: Partial<ListWatchTimings> = {}, rows?: RowJudge<Projected>): void {
  watch = new ListWatch({
    client: createApiClient(accessTo(server.url, () => 'good')),
    path: '/api/v1/nodes',
    project: (object) => {
      const { uid, labels } = (object as { metadata: { uid: string; labels: object } }).metadata;
      return { uid, labels };
    },
    onObjects: (objects) => {
      emitted++;
      names = [...objects.keys()].sort();
    },
    onState: (state) => states.push(state),
    timings: { ...quick, ...timings },
    rows,
  });
  watch.start();
}

const until = (check: () => void) => vi.waitFor(check, { timeout: 20_000, interval: 5 });
const untilNames = (...expected: string[]) => until(() => expect(names).toEqual(expected));
const untilWatched = () => until(() => expect(server.openWatches).toBe(1));
const put = (...list: string[]) => {
  for (const name of list) server.nodes.put(nodeObject(name));
};

beforeEach(async () => {
  server = await startApiServer();
  [names, emitted, states] = [[], 0, []];
  put('a', 'b', 'c', 'd', 'e');
});
afterEach(() => watch.stop());

describe('a list and watch', () => {
  test('takes objects whole, and lists them, where a row makes its judge throw', async () => {
    const idle = () => undefined;
    const judge = () => {
      throw new RangeError('no such cell');
    };
    follow({}, { suffices: true, judge, learn: idle, forget: idle, reset: idle });
    await untilNames('a', 'b', 'c', 'd', 'e');
    await untilWatched();
    put('f');
    await untilNames('a', 'b', 'c', 'd', 'e', 'f');
    expect(states.map(({ lastError }) => lastError)).toContain('no such cell');
    expect(watch.state.lists).toBe(2);
    await until(() => expect(watch.state.form).toBe('objects'));
  });

  test('asks for a first list from the memory of the server, whatever the limit', async () => {
    follow();
    await untilNames('a', 'b', 'c', 'd', 'e');
    expect(server.count('list')).toBe(1);
    expect(Object.fromEntries(server.requests[0]?.query ?? [])).toEqual({
      resourceVersion: '0',
      resourceVersionMatch: 'NotOlderThan',
      limit: '2',
    });
  });

  test.each([
    ['has no object and goes on', [], 'got a page without objects'],
    [
      'never ends',
      Array.from({ length: 100_001 }, (_, at) => ({ metadata: { name: `n${at}` } })),
      'expected at most 100000 objects',
    ],
  ])('takes no page that %s', async (_, items, words) => {
    const metadata = { resourceVersion: '1', continue: 'more' };
    server.fail({ kind: 'say', text: JSON.stringify({ metadata, items }) }, 'list');
    follow();
    await untilNames('a', 'b', 'c', 'd', 'e');
    expect(states.map(({ lastError }) => lastError).join()).toContain(words);
  });

  test('asks for pages if the first list did not come whole', async () => {
    server.fail({ kind: 'say', text: '{"metadata":{},"items":[{"a":1}' }, 'list');
    follow();
    await untilNames('a', 'b', 'c', 'd', 'e');
    const lists = server.requests.filter(({ kind }) => kind === 'list');
    expect(lists.map(({ query }) => query.get('resourceVersion'))).toEqual(['0', null, null, null]);
  });

  test('waits longer if a busy server is slow to answer a small request', async () => {
    const waits: number[] = [];
    follow({
      spread: { factor: 1000, maxMs: 7, perKnownMs: 3, random: () => 0.5 },
      sleep: (ms) => {
        waits.push(ms);
        return Promise.resolve();
      },
    });
    await untilNames('a', 'b', 'c', 'd', 'e');
    await untilWatched();
    expect(waits).toEqual([3.5]);
    const lists = server.requests.filter(({ kind }) => kind === 'list');
    expect(lists.map(({ query }) => query.get('limit'))).toEqual(['1', '1', '2']);
  });

  test('lists in pages, emits them as one, and follows what happens then', async () => {
    server.hasWatchCache = false;
    follow();
    await untilNames('a', 'b', 'c', 'd', 'e');
    expect(emitted).toBe(1);
    expect(server.requests.slice(0, 3).map(({ query }) => query.get('limit'))).toEqual([
      '2',
      '2',
      '2',
    ]);
    await untilWatched();
    put('f');
    server.nodes.remove('a');
    await untilNames('b', 'c', 'd', 'e', 'f');
    expect(server.count('list')).toBe(3);
  });

  test('emits nothing for a change that its projection does not show', async () => {
    server.nodes.put(nodeObject('a', { uid: '1' }));
    follow();
    await untilWatched();
    server.nodes.put(nodeObject('a', { uid: '1', internal: ['198.51.100.1'] }));
    put('f');
    await untilNames('a', 'b', 'c', 'd', 'e', 'f');
    expect(emitted).toBe(2);
  });

  test('takes an object made anew under its name for another one', async () => {
    follow();
    await untilWatched();
    server.nodes.remove('a');
    put('a');
    await until(() => expect(emitted).toBeGreaterThan(1));
    await untilNames('a', 'b', 'c', 'd', 'e');
  });

  test('continues a watch from the last bookmark, without a list', async () => {
    follow({ watchSeconds: () => 1 });
    await untilWatched();
    // Events of other resources also raise the version, and only bookmarks report that.
    server.pods('x').put(nodeObject('p'));
    await until(() => expect(watch.state.heardAt).toBeGreaterThan(0));
    await until(() => expect(server.count('watch')).toBeGreaterThan(1));
    expect(server.requests.at(-1)?.query.get('resourceVersion')).toBe(String(server.version));
    expect(server.count('list')).toBe(1);
    expect(states.every(({ failingSince }) => failingSince === undefined)).toBe(true);
  });

  test.each(['http', 'stream'] as const)(
    'lists anew when the server says by %s that its version has expired, and never goes back in time',
    async (shape) => {
      server.goneShape = shape;
      server.bookmarkMs = 10_000;
      follow();
      await untilWatched();
      const { version } = server;
      await server.stop();
      server.nodes.remove('a');
      put('f');
      server.compact();
      await server.start();
      await untilNames('b', 'c', 'd', 'e', 'f');
      const asked = server.requests.filter(({ query }) => query.has('resourceVersionMatch'));
      const relist = asked.filter(({ query }) => query.get('resourceVersion') !== '0');
      expect(relist[0]?.query.get('resourceVersion')).toBe(String(version));
      expect(relist[0]?.query.get('resourceVersionMatch')).toBe('NotOlderThan');
    },
  );

  test('lists without a further delay once a server is back that has forgotten its version', async () => {
    const waits: { requests: number; after: string | undefined }[] = [];
    follow({
      sleep: async (ms, signal) => {
        waits.push({ requests: server.requests.length, after: server.requests.at(-1)?.kind });
        await delay(ms, undefined, { signal }).catch(() => undefined);
      },
    });
    await untilWatched();
    const before = server.requests.length;
    await server.stop();
    await until(() => expect(waits.length).toBeGreaterThan(10));
    server.nodes.remove('a');
    server.compact();
    await server.start();
    await untilNames('b', 'c', 'd', 'e');
    await untilWatched();
    expect(waits.filter(({ requests }) => requests > before)).toEqual([]);
  });

  test('spreads its list, by how much it knows, where a server that is back has forgotten its version', async () => {
    const waits: number[] = [];
    follow({
      spread: { factor: 1000, maxMs: 7, perKnownMs: 3, random: () => 0.5 },
      sleep: async (ms, signal) => {
        waits.push(ms);
        await delay(ms, undefined, { signal }).catch(() => undefined);
      },
    });
    await untilWatched();
    expect(waits.filter((ms) => [3.5, 7.5].includes(ms))).toEqual([3.5]);
    await delay(150);
    await server.stop();
    server.nodes.remove('a');
    server.compact();
    await server.start();
    await untilNames('b', 'c', 'd', 'e');
    await untilWatched();
    expect(waits.filter((ms) => [3.5, 7.5].includes(ms))).toEqual([3.5, 7.5]);
  });

  test('starts a list again when its continue token expires in between', async () => {
    server.fail({ kind: 'status', status: 410 }, 'list');
    follow();
    await untilNames('a', 'b', 'c', 'd', 'e');
    expect(states[0]?.lastError).toContain('410');
  });

  const faults: readonly [string, Fault][] = [
    ['a hang', { kind: 'hang' }],
    ['silence after the headers', { kind: 'silent' }],
    ['a cut connection', { kind: 'cut' }],
    ['an empty answer', { kind: 'end' }],
    ['401', { kind: 'status', status: 401 }],
    ['403', { kind: 'status', status: 403 }],
    ['429', { kind: 'status', status: 429, retryAfter: '0' }],
    ['500', { kind: 'status', status: 500 }],
    ['HTML', { kind: 'say', text: '<html>' }],
    ['truncated JSON', { kind: 'say', text: '{"metadata":{"resourceVersion":"7"},"items":[{"a' }],
    ['half a line', { kind: 'say-and-cut', text: '{"type":"ADDED","object":{"metad' }],
    ['an event of no known type', { kind: 'say', text: '{"type":"HELLO","object":{}}\n' }],
    [
      'an error inside the stream',
      { kind: 'say', text: '{"type":"ERROR","object":{"code":500,"message":"etcd is away"}}\n' },
    ],
    ['a connection closed at once', { kind: 'say', text: '' }],
  ];
  test.each(faults)('survives %s in a list', async (_, fault) => {
    server.fail(fault, 'list', 2);
    follow();
    await untilNames('a', 'b', 'c', 'd', 'e');
    expect(states.some(({ failingSince }) => failingSince !== undefined)).toBe(true);
    await until(() => expect(watch.state.failingSince).toBeUndefined());
  });

  test.each(faults)('survives %s in a watch and loses nothing', async (_, fault) => {
    follow();
    await untilWatched();
    server.fail(fault, 'watch', 2);
    server.endWatches();
    put('f');
    await untilNames('a', 'b', 'c', 'd', 'e', 'f');
    await until(() => expect(watch.state.failingSince).toBeUndefined());
    expect(states.some(({ failingSince }) => failingSince !== undefined)).toBe(true);
  });

  test('lists anew after a line it could not read', async () => {
    follow();
    await untilWatched();
    const lists = server.count('list');
    server.inject('{"type":"ADDED","object"\n');
    await until(() => expect(server.count('list')).toBeGreaterThan(lists));
    await untilWatched();
    expect(names).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  test('backs off from a server that ends every watch at once, cleanly', async () => {
    server.fail({ kind: 'end' }, 'watch', 1000);
    follow({ backoff: { firstMs: 40, maxMs: 10_000, healthyMs: 1000, random: () => 0 } });
    await until(() => expect(server.count('watch')).toBe(4));
    expect(watch.state.lastError).toMatch(/watch was closed after \d+ ms/);
    expect(names).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  test('gives up a watch that has gone silent', async () => {
    server.bookmarkMs = 60_000;
    follow();
    await untilWatched();
    await until(() => expect(server.count('watch')).toBeGreaterThan(1));
    expect(watch.state.lastError).toBe('not a byte for 0.3 s');
  });

  test('gives up a watch that the server never ends', async () => {
    follow({ watchSeconds: () => 0.05, overtimeMs: 200, silenceMs: 10_000 });
    await untilWatched();
    server.fail({ kind: 'silent' }, 'watch');
    await until(() => expect(watch.state.lastError).toBe('not done for 0.25 s'));
    await untilWatched();
  });

  test('waits as long as the server asks, and a random while longer', async () => {
    const waitsMs: number[] = [];
    server.fail({ kind: 'status', status: 429, retryAfter: '7' }, 'list');
    follow({
      sleep: (ms) => {
        waitsMs.push(ms);
        return Promise.resolve();
      },
    });
    await untilNames('a', 'b', 'c', 'd', 'e');
    expect(waitsMs).toHaveLength(1);
    expect(waitsMs[0]).toBeGreaterThan(7000);
  });

  test('starts from nothing when the server stays behind what was already seen', async () => {
    follow();
    await untilWatched();
    await server.stop();
    server.goBackTo(50);
    server.nodes.remove('a');
    await server.start();
    await untilNames('b', 'c', 'd', 'e');
    expect(states.some(({ lastError }) => lastError?.includes('Too large'))).toBe(true);
  });

  test('goes on to watch where it cannot look up an object, and looks again', async () => {
    const rows: RowJudge<Projected> = {
      suffices: true,
      judge: () => ({ name: 'a', lookUp: 'soon' }),
      learn: () => undefined,
      forget: () => undefined,
      reset: () => undefined,
    };
    server.bookmarkMs = 50;
    follow({ lookups: { soonMs: () => 0, laterMs: () => 0 } }, rows);
    await untilWatched();
    server.fail({ kind: 'status', status: 429 }, 'list', 3);
    put('f');
    await until(() => expect(server.count('list')).toBeGreaterThan(4));
    expect(server.count('watch')).toBe(1);
  });

  test('asks for a list after an outage from the memory of the server', async () => {
    follow();
    await untilWatched();
    await server.stop();
    put('f');
    server.compact();
    await server.start();
    await untilNames('a', 'b', 'c', 'd', 'e', 'f');
    const lists = server.requests.filter(({ kind }) => kind === 'list');
    expect(lists.length).toBeGreaterThan(1);
    expect(lists.at(-1)?.query.get('limit')).toBeNull();
  });

  test('keeps everything while the server is away', async () => {
    follow();
    await untilWatched();
    await server.stop();
    await until(() => expect(watch.state.lastError).toContain('ECONNREFUSED'));
    expect(names).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(emitted).toBe(1);
    await server.start();
    await until(() => expect(watch.state.failingSince).toBeUndefined());
    expect(emitted).toBe(1);
  });

  test('lists anew from time to time', async () => {
    follow({ relistMs: 200, watchSeconds: () => 0.15 });
    await until(() => expect(watch.state.lists).toBe(3));
    expect(emitted).toBe(1);
  });

  test('leaves no request behind when it is stopped while it connects', async () => {
    server.fail({ kind: 'hang' }, 'list');
    follow();
    await until(() => expect(server.requests).toHaveLength(1));
    watch.stop();
    await until(() => expect(server.requests[0]?.isOpen()).toBe(false));
    expect(emitted).toBe(0);
    expect(states).toEqual([]);
  });

  test('is one watch after a stop and a start, and after two starts', async () => {
    follow();
    watch.stop();
    watch.start();
    watch.start();
    await untilNames('a', 'b', 'c', 'd', 'e');
    await untilWatched();
    watch.stop();
    await until(() => expect(server.openWatches).toBe(0));
    put('f');
    expect(names).toEqual(['a', 'b', 'c', 'd', 'e']);
  });
});
