import { describe, expect, test } from 'vitest';
import { encodeRow } from '../../../../agent/peers/row/row-text.js';
import { nameHash } from '../../../../agent/model/name-hash.js';
import { listOf } from '../../../../agent/model/row-coverage.js';
import { FakeMesh } from './lib/fake-peers.js';
import { wellRow } from './lib/rows.js';

describe('rows', () => {
  test('come back with the first exchange, and again only when they change', () => {
    const mesh = new FakeMesh(3);
    const [asker, asked] = [mesh.peer(0), mesh.peer(1)];
    expect(mesh.exchangeBetween(asker, asked)?.body).toContain('"row"');
    mesh.clock.runUntil(60_000);
    const again = mesh.exchangeBetween(asker, asked);
    expect(again?.body).toBe('');
    expect(again?.header.length).toBeLessThan(50);
  });

  test('make an observer fresh, then stale after two intervals and the timeout; it is silent without a row', () => {
    const mesh = new FakeMesh(3);
    const { peers } = mesh.peer(0);
    mesh.exchangeBetween(mesh.peer(0), mesh.peer(1));
    const counts = () => peers.counts();
    expect(counts()).toMatchObject({ fresh: 1, stale: 0, silent: 1 });
    mesh.clock.runUntil(11_000);
    expect(counts()).toMatchObject({ fresh: 1, stale: 0, silent: 1 });
    mesh.clock.runUntil(11_001);
    expect(counts()).toEqual({
      fresh: 0,
      stale: 1,
      missed: 1,
      silent: 1,
      plain: 0,
      oldestMs: 11_001,
    });
    mesh.exchangeBetween(mesh.peer(0), mesh.peer(1));
    expect(counts()).toMatchObject({ fresh: 1, stale: 0, silent: 1 });
    expect([...peers.observers.rows(mesh.clock.nowMs())]).toMatchObject([
      {
        row: { observer: 'c/n1', version: '1.2.3' },
        ageMs: 0,
        bodyAgeMs: 11_001,
        freshness: 'fresh',
      },
    ]);
  });

  test('of a peer that claims a long interval are fresh for ten times the own time at most', () => {
    const mesh = new FakeMesh(2);
    const { peers } = mesh.peer(0);
    const row = { ...wellRow('c/n1'), httpIntervalMs: 1e10, httpTimeoutMs: 1e10 };
    const kept = peers.observers.read('c/n1', JSON.parse(encodeRow(row)));
    if (kept) peers.observers.keep(kept, 'p1.1', 0, 0);
    expect([...peers.rows()][0]?.row).toMatchObject({
      httpIntervalMs: 50_000,
      httpTimeoutMs: 10_000,
    });
    mesh.clock.runUntil(110_000);
    expect(peers.counts()).toMatchObject({ fresh: 1, stale: 0 });
    mesh.clock.runUntil(110_001);
    expect(peers.counts()).toMatchObject({ fresh: 0, stale: 1 });
  });

  test('of a peer that changes its version all the time leave the versions of others alone', () => {
    const mesh = new FakeMesh(3);
    const { peers } = mesh.peer(0);
    for (let version = 0; version < 5000; version++) {
      const row = { ...wellRow('c/n1'), version: `9.${version}` };
      peers.observers.keep(row, `p1.${version}`, 0, 0);
    }
    peers.observers.keep({ ...wellRow('c/n2'), version: '1.2.3' }, 'p2.1', 0, 0);
    expect([...peers.rows()].map(({ row }) => row.version)).toEqual(['9.4999', '1.2.3']);
  });

  test('are counted for nodes that are not active too', () => {
    const mesh = new FakeMesh(3);
    const peer = mesh.peer(0);
    const nodes = mesh.nodes.map((node) => ({
      ...node,
      lifecycle: { phase: 'excluded' as const },
    }));
    peer.update(nodes);
    expect(peer.peers.counts()).toMatchObject({ fresh: 0, stale: 0, silent: 2 });
  });

  test('tell which active nodes their observer knows, anew with each node list', () => {
    const mesh = new FakeMesh(3);
    const [asker, asked] = [mesh.peer(0), mesh.peer(1)];
    const told = () => [...asker.peers.observers.rows(mesh.clock.nowMs())][0]?.row.list;
    mesh.exchangeBetween(asker, asked);
    expect(told()).toEqual(listOf(mesh.nodes.map(({ name }) => nameHash(name))));
    const nodes = mesh.nodes.map((node) =>
      node.name === 'c/n2' ? { ...node, lifecycle: { phase: 'leaving' as const } } : node,
    );
    asked.update(nodes);
    mesh.clock.runUntil(2000);
    mesh.exchangeBetween(asker, asked);
    expect(told()).toEqual(listOf(['c/n0', 'c/n1'].map(nameHash)));
  });

  test('are forgotten with the node', () => {
    const mesh = FakeMesh.introduced(3);
    const peer = mesh.peer(0);
    const removed = [mesh.path(1), mesh.path(1, 'endpoint')];
    peer.update(
      mesh.nodes.filter(({ name }) => name !== 'c/n1'),
      { added: [], removed },
    );
    expect(peer.peers.counts()).toMatchObject({ fresh: 1, silent: 0 });
    expect(peer.exchange.ask(mesh.path(1))).toBeUndefined();
  });
});

describe('whole rows', () => {
  const wholeRow = (mesh: FakeMesh) => mesh.peer(0).peers.wholeRows.get('c/n1', 'host', 'icmp');

  test('are requested only while someone reads them, and for five minutes after that', () => {
    const mesh = FakeMesh.introduced(3);
    mesh.exchangeBetween(mesh.peer(0), mesh.peer(1));
    expect(wholeRow(mesh)).toBeUndefined();
    mesh.exchangeBetween(mesh.peer(0), mesh.peer(1));
    expect(wholeRow(mesh)).toEqual({
      nodes: ['c/n0', 'c/n1', 'c/n2'],
      states: Uint8Array.of(2, 3, 2),
      rtts: Uint8Array.of(9, 22, 28),
      few: Uint8Array.of(0, 1, 0),
      ageMs: 0,
    });
    mesh.clock.runUntil(299_999);
    expect(mesh.exchangeBetween(mesh.peer(0), mesh.peer(1))?.body).toContain('"whole"');
    mesh.clock.runUntil(300_001);
    expect(mesh.exchangeBetween(mesh.peer(0), mesh.peer(1))?.body).toBe('');
    expect(mesh.peer(0).peers.wholeRows.keptBytes).toBe(0);
  });

  test('are renewed with every exchange and have an age', () => {
    const mesh = FakeMesh.introduced(3);
    wholeRow(mesh);
    mesh.exchangeBetween(mesh.peer(0), mesh.peer(1));
    mesh.clock.runUntil(5000);
    expect(wholeRow(mesh)?.ageMs).toBe(5000);
    mesh.exchangeBetween(mesh.peer(0), mesh.peer(1));
    expect(wholeRow(mesh)?.ageMs).toBe(0);
  });

  test('of several channels come in turn from each peer, whatever the order of the peers', () => {
    const mesh = FakeMesh.introduced(3);
    const { wholeRows } = mesh.peer(0).peers;
    const ages = (peer: string) => [
      wholeRows.get(peer, 'host', 'icmp')?.ageMs,
      wholeRows.get(peer, 'endpoint', 'http')?.ageMs,
    ];
    for (const peer of ['c/n1', 'c/n2']) expect(ages(peer)).toEqual([undefined, undefined]);
    for (const round of [1, 2, 3]) {
      mesh.clock.runUntil(round * 1000);
      for (const peer of [1, 2]) mesh.exchangeBetween(mesh.peer(0), mesh.peer(peer));
    }
    for (const peer of ['c/n1', 'c/n2']) expect(ages(peer)).toEqual([0, 1000]);
  });

  test('arrive even if the two node lists differ', () => {
    const mesh = FakeMesh.introduced(3);
    const removed = [mesh.path(2), mesh.path(2, 'endpoint')];
    mesh.peer(0).update(mesh.nodes.slice(0, 2), { added: [], removed });
    wholeRow(mesh);
    mesh.exchangeBetween(mesh.peer(0), mesh.peer(1));
    expect(wholeRow(mesh)).toMatchObject({
      nodes: ['c/n0', 'c/n1'],
      states: Uint8Array.of(2, 3),
    });
  });

  test('take no more memory than their bound, and the oldest are dropped first', () => {
    const mesh = new FakeMesh(2, { listed: 6000 });
    const { wholeRows } = mesh.peer(0).peers;
    const bytes = Buffer.alloc(6000, 2).toString('base64');
    const body = `{"whole":{"channel":0,"states":"${bytes}","rtts":"${bytes}"}}`;
    mesh.introduceAll();
    wholeRow(mesh);
    const digest = wholeRows.want('c/n1');
    const whole = (JSON.parse(body) as { whole: unknown }).whole;
    for (let index = 1; index <= 3000; index++) {
      expect(wholeRows.keep(`c/n${index}`, digest, whole)).toBe(true);
    }
    expect(wholeRows.keptBytes).toBeLessThanOrEqual(32 * 1024 * 1024);
    expect(wholeRows.keptBytes).toBeGreaterThan(31 * 1024 * 1024);
    expect(wholeRow(mesh)).toBeUndefined();
    expect(wholeRows.get('c/n3000', 'host', 'icmp')?.nodes).toHaveLength(6000);
  });

  test('are refused from a peer that was not asked or that reports too many nodes', () => {
    const mesh = FakeMesh.introduced(3);
    const { exchange } = mesh.peer(0);
    const whole = (bytes: string) =>
      `{"whole":{"channel":0,"states":"${bytes}","rtts":"${bytes}"}}`;
    exchange.ask(mesh.path(1))?.onAnswer('1;row=p1.1', whole('AgIC'));
    wholeRow(mesh);
    for (const bytes of ['AgICAgIC', 'CQkJ', 'x', '']) {
      exchange.ask(mesh.path(1))?.onAnswer('1;row=p1.1', whole(bytes));
    }
    const withFew = '{"whole":{"channel":0,"states":"AgIC","rtts":"AgIC","few":"AAAA"}}';
    exchange.ask(mesh.path(1))?.onAnswer('1;row=p1.1', withFew);
    expect(exchange.counts().messagesRefused.malformed).toBe(6);
    exchange.ask(mesh.path(1))?.onAnswer('1;row=p1.1', whole('AgIC'));
    expect(wholeRow(mesh)?.states).toEqual(Uint8Array.of(2, 2, 2));
    // Agents from before `few` tell last round trips.
    expect(wholeRow(mesh)?.few).toEqual(Uint8Array.of(1, 1, 1));
  });
});
