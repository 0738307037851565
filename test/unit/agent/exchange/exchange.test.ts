import { describe, expect, test } from 'vitest';
import { encodeRow } from '../../../../agent/peers/row/row-text.js';
import { looksPerSecond } from '../../../../agent/exchange/hints/look-delay.js';
import { MeshKeys } from '../../../../agent/exchange/messages/mesh-keys.js';
import { nameHash } from '../../../../agent/model/name-hash.js';
import { listOf } from '../../../../agent/model/row-coverage.js';
import { FakeMesh } from './lib/fake-peers.js';
import { wellRow } from './lib/rows.js';
import { lost } from '../../../rows/make-store.js';

const key = 'a secret of all agents';
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

describe('the peers of an exchange', () => {
  test('a GET to an endpoint address or to the own node carries nothing', () => {
    const mesh = new FakeMesh(2);
    const { exchange } = mesh.peer(0);
    expect(exchange.ask(mesh.path(1, 'endpoint'))).toBeUndefined();
    expect(exchange.ask(mesh.path(0))).toBeUndefined();
    expect(exchange.ask(mesh.path(1))).toBeDefined();
  });

  test('an agent sends no row if the request does not come from a host address of the named node', () => {
    const mesh = new FakeMesh(3);
    const question = mesh.peer(0).exchange.ask(mesh.path(1));
    const { exchange } = mesh.peer(1);
    for (const ip of ['203.0.113.9', '10.2.0.0', mesh.peer(2).hostIp, '']) {
      expect(exchange.answer(question?.header ?? '', ip)).toBeUndefined();
    }
    expect(exchange.counts().messagesRefused.source).toBe(4);
    expect(exchange.answer(question?.header ?? '', `::ffff:${mesh.peer(0).hostIp}`)).toBeDefined();
  });

  test('a request from a foreign address is told of with both addresses; a name of no node only from a node', () => {
    const mesh = new FakeMesh(3);
    const header = mesh.peer(0).exchange.ask(mesh.path(1))?.header ?? '';
    const { exchange, foreignSources } = mesh.peer(1);
    const { hostIp } = mesh.peer(2);
    exchange.answer(header, '203.0.113.9');
    exchange.answer(header, hostIp);
    exchange.answer(header.replace('from=c/n0', 'from=c/fqdn.example'), '203.0.113.9');
    exchange.answer(header.replace('from=c/n0', 'from=c/fqdn.example'), hostIp);
    const hostIps = [mesh.peer(0).hostIp];
    expect(foreignSources).toEqual([
      { from: 'c/n0', sourceIp: '203.0.113.9', owner: undefined, hostIps },
      { from: 'c/n0', sourceIp: hostIp, owner: 'c/n2', hostIps },
      { from: 'c/fqdn.example', sourceIp: hostIp, owner: 'c/n2', hostIps: undefined },
    ]);
  });

  test('a request from a trusted address or network is answered, for a listed node alone', () => {
    const mesh = new FakeMesh(3, { trustedSources: ['203.0.113.9', '2001:db8::/64'] });
    const header = mesh.peer(0).exchange.ask(mesh.path(1))?.header ?? '';
    const { exchange, foreignSources } = mesh.peer(1);
    for (const ip of ['203.0.113.9', '::ffff:203.0.113.9', '2001:db8::7']) {
      expect(exchange.answer(header, ip)).toBeDefined();
    }
    for (const ip of ['203.0.113.10', '2001:db8:0:1::7']) {
      expect(exchange.answer(header, ip)).toBeUndefined();
    }
    expect(foreignSources.map(({ sourceIp }) => sourceIp)).toEqual([
      '203.0.113.10',
      '2001:db8:0:1::7',
    ]);
    const stranger = header.replace('from=c/n0', 'from=c/n9');
    expect(exchange.answer(stranger, '203.0.113.9')).toBeUndefined();
  });

  test('with a key the source address may be any, because the key proves the name', () => {
    const mesh = new FakeMesh(2, { keysOf: () => new MeshKeys([key]) });
    const header = mesh.peer(0).exchange.ask(mesh.path(1))?.header ?? '';
    const { exchange, foreignSources } = mesh.peer(1);
    expect(exchange.answer(header, '203.0.113.9')).toBeDefined();
    const forged = header.replace('from=c/n0', 'from=c/n9');
    expect(exchange.answer(forged, '203.0.113.9')).toBeUndefined();
    expect(foreignSources).toEqual([]);
  });

  test('an agent sends no row if the request was meant for another node', () => {
    const mesh = new FakeMesh(3);
    const question = mesh.peer(0).exchange.ask(mesh.path(2));
    expect(
      mesh.peer(1).exchange.answer(question?.header ?? '', mesh.peer(0).hostIp),
    ).toBeUndefined();
  });

  test('peers that answer without a row are counted, until they send one or are listed no more', () => {
    const mesh = new FakeMesh(4);
    const peer = mesh.peer(0);
    const answerPlainly = (index: number) =>
      peer.exchange.ask(mesh.path(index))?.onAnswer(undefined, '');
    for (const index of [1, 2, 2, 3]) answerPlainly(index);
    expect(peer.peers.counts()).toMatchObject({ fresh: 0, silent: 3, plain: 3 });
    mesh.exchangeBetween(peer, mesh.peer(1));
    expect(peer.peers.counts()).toMatchObject({ fresh: 1, silent: 2, plain: 2 });
    peer.update(mesh.nodes.slice(0, 3));
    expect(peer.peers.counts()).toMatchObject({ fresh: 1, silent: 1, plain: 1 });
  });

  test('a peer that answers without a row gets no hints', () => {
    const mesh = new FakeMesh(4);
    const { exchange } = mesh.peer(0);
    exchange.ask(mesh.path(1))?.onAnswer(undefined, '');
    mesh.transition(mesh.peer(0), mesh.path(3), 'icmp', 'unreachable');
    expect(exchange.ask(mesh.path(1))?.header).not.toContain('hints');
    expect(exchange.counts().messagesRefused).toEqual({
      malformed: 0,
      unauthenticated: 0,
      source: 0,
    });
  });

  test('agents with different keys ignore and count each other', () => {
    const mesh = new FakeMesh(2, { keysOf: (index) => new MeshKeys(index === 0 ? [key] : []) });
    expect(mesh.exchangeBetween(mesh.peer(1), mesh.peer(0))).toBeUndefined();
    expect(mesh.peer(0).exchange.counts().messagesRefused.unauthenticated).toBe(1);
    mesh.exchangeBetween(mesh.peer(0), mesh.peer(1));
    expect(mesh.peer(0).exchange.counts().messagesRefused.unauthenticated).toBe(2);
    expect(mesh.peer(0).peers.observers.counts(0)).toMatchObject({ fresh: 0, silent: 1 });
  });

  test('both sides know that their keys differ, where one or both have one, and that they fit again', () => {
    const keys = [new MeshKeys([key]), new MeshKeys()];
    const mesh = new FakeMesh(2, { keysOf: (index) => keys[index] as MeshKeys });
    const [keyed, keyless] = [mesh.peer(0), mesh.peer(1)];
    mesh.exchangeBetween(keyless, keyed);
    mesh.exchangeBetween(keyed, keyless);
    expect(keyed.keys).toEqual([
      ['c/n1', false],
      ['c/n1', false],
    ]);
    expect(keyless.keys).toEqual([['c/n0', false]]);
    keys[1]?.replace(['another secret of agents']);
    mesh.exchangeBetween(keyed, keyless);
    expect(keyless.keys.at(-1)).toEqual(['c/n0', false]);
    keys[1]?.replace([key]);
    mesh.exchangeBetween(keyed, keyless);
    expect(keyless.keys.at(-1)).toEqual(['c/n0', true]);
  });
});

describe('hints', () => {
  test('the verdict of one agent reaches all agents, who confirm it with early GETs of their own', () => {
    const mesh = FakeMesh.introduced(30);
    mesh.transition(mesh.peer(0), mesh.path(29), 'icmp', 'unreachable');
    mesh.clock.runUntil(1500);
    const hearers = mesh.peers.slice(1, 29);
    for (const { looks } of hearers)
      expect(looks).toMatchObject([{ node: 'c/n29', protocol: 'icmp' }]);
    // The reported node itself and the witness need not look.
    expect(mesh.peer(29).looks).toEqual([]);
    expect(mesh.peer(0).looks).toEqual([]);
  });

  test('news goes to at most three peers at once and to three a second after that', () => {
    const mesh = FakeMesh.introduced(60, { httpIntervalMs: 600_000 });
    mesh.transition(mesh.peer(0), mesh.path(59), 'icmp', 'unreachable');
    mesh.clock.runUntil(100);
    expect(mesh.peer(0).broughtForward).toHaveLength(3);
    mesh.clock.runUntil(10_000);
    // Nobody else sees it, so after three seconds there is a call, which is news for six more.
    for (const { broughtForward } of mesh.peers)
      expect(broughtForward.length).toBeLessThanOrEqual(3 + 3 * 9);
  });

  test('a hint does nothing if the path was probed since or already has that state', () => {
    const mesh = FakeMesh.introduced(4);
    mesh.clock.runUntil(1000);
    const activity = { state: 'reachable', sentMs: 1000, answeredSentMs: 1000 } as const;
    mesh.peer(1).activities.set('c/n3 host icmp', activity);
    const known = { state: 'unreachable', sentMs: 0, answeredSentMs: 0 } as const;
    mesh.peer(2).activities.set('c/n3 host icmp', known);
    mesh.transition(mesh.peer(0), mesh.path(3), 'icmp', 'unreachable');
    mesh.clock.runUntil(3000);
    expect(mesh.peer(1).looks).toEqual([]);
    expect(mesh.peer(2).looks).toEqual([]);
    expect(mesh.peer(1).exchange.counts().hintUse.probed).toBe(0);
    expect(mesh.peer(1).exchange.counts().hintUse.known).toBeGreaterThan(0);
  });

  test('a path is probed once in two seconds, however often hints contradict each other', () => {
    const mesh = FakeMesh.introduced(4);
    for (let turn = 0; turn < 40; turn++) {
      const to = turn % 2 === 0 ? 'unreachable' : 'reachable';
      mesh.transition(mesh.peer(0), mesh.path(3), 'icmp', to);
      mesh.clock.runUntil(mesh.clock.nowMs() + 100);
      mesh.exchangeBetween(mesh.peer(1), mesh.peer(0));
    }
    expect(mesh.peer(1).looks.length).toBeGreaterThan(0);
    expect(mesh.peer(1).looks.length).toBeLessThanOrEqual(3);
  });

  test('GETs wait a random time, so that all agents together keep the stated rate', () => {
    const [agents, listed] = [60, 6000];
    const mesh = FakeMesh.introduced(agents, { listed, httpIntervalMs: 6_000_000 });
    mesh.transition(mesh.peer(0), mesh.path(5999), 'http', 'unreachable');
    mesh.clock.runUntil(20_000);
    const times = mesh.peers.flatMap(({ looks }) => looks.map(({ atMs }) => atMs));
    expect(times.length).toBeGreaterThan(agents / 2);
    const seconds = new Map<number, number>();
    for (const atMs of times) {
      const second = Math.floor(atMs / 1000);
      seconds.set(second, (seconds.get(second) ?? 0) + 1);
    }
    const allowed = (looksPerSecond.get * agents) / listed;
    expect(Math.max(...seconds.values())).toBeLessThan(2.5 * allowed);
    expect(seconds.size).toBeGreaterThan(3);
  });

  test('GETs do not wait when five peers are witnesses and echoes get no answer', () => {
    const mesh = new FakeMesh(10, { listed: 1000 });
    const hearer = mesh.peer(0);
    for (let witness = 1; witness <= 5; witness++) mesh.exchangeBetween(hearer, mesh.peer(witness));
    for (let witness = 1; witness <= 5; witness++) {
      mesh.exchangeBetween(mesh.peer(witness), hearer);
      mesh.transition(mesh.peer(witness), mesh.path(999), 'http', 'unreachable');
    }
    const exchangeWith = (witness: number): void => {
      mesh.exchangeBetween(hearer, mesh.peer(witness));
    };
    for (let witness = 1; witness <= 4; witness++) exchangeWith(witness);
    mesh.clock.runUntil(1);
    expect(hearer.looks).toEqual([]);
    exchangeWith(5);
    mesh.clock.runUntil(101);
    expect(hearer.looks).toMatchObject([{ node: 'c/n999', protocol: 'http' }]);
  });

  test('an agent that only passes on a hint is no witness, whatever it claims', () => {
    const mesh = new FakeMesh(10, { listed: 1000 });
    const [first, hearer] = [mesh.peer(1), mesh.peer(0)];
    for (let index = 1; index < 10; index++) {
      mesh.exchangeBetween(mesh.peer(index), first);
      mesh.exchangeBetween(mesh.peer(index), hearer);
    }
    mesh.transition(first, mesh.path(999), 'http', 'unreachable');
    for (let index = 2; index < 10; index++) mesh.exchangeBetween(mesh.peer(index), first);
    for (let index = 2; index < 10; index++) mesh.exchangeBetween(mesh.peer(index), hearer);
    mesh.clock.runUntil(15);
    expect(hearer.exchange.counts().hintsReceived).toBeGreaterThanOrEqual(8);
    expect(hearer.looks).toEqual([]);
  });

  test('an agent most of whose last paths failed on a plane gives no hints for it', () => {
    const mesh = FakeMesh.introduced(10);
    const { exchange } = mesh.peer(0);
    for (let index = 1; index < 4; index++) {
      exchange.noteSample(mesh.path(index, 'endpoint'), 'icmp', lost);
      mesh.transition(mesh.peer(0), mesh.path(index, 'endpoint'), 'icmp', 'unreachable');
    }
    mesh.transition(mesh.peer(0), mesh.path(5), 'icmp', 'unreachable');
    const told = exchange.ask(mesh.path(6))?.header ?? '';
    expect(told).toContain('hints=c/n5:hifw0');
    expect(told).not.toContain('c/n1');
  });

  test('an agent that sees all paths fail withdraws its own hints', () => {
    const mesh = FakeMesh.introduced(10);
    const { exchange } = mesh.peer(0);
    mesh.transition(mesh.peer(0), mesh.path(5), 'icmp', 'unreachable');
    for (let index = 1; index < 9; index++) exchange.noteSample(mesh.path(index), 'icmp', lost);
    expect(exchange.ask(mesh.path(6))?.header).not.toContain('hints');
  });

  test('a starved agent gives no hints', () => {
    const mesh = FakeMesh.introduced(4);
    mesh.peer(0).isStarved = true;
    mesh.transition(mesh.peer(0), mesh.path(3), 'icmp', 'unreachable');
    expect(mesh.peer(0).exchange.ask(mesh.path(1))?.header).not.toContain('hints');
  });

  test('a suspicion on one plane makes the agent probe the other one, no more often than hints do', () => {
    const mesh = new FakeMesh(4);
    mesh.clock.runUntil(10);
    for (let turn = 0; turn < 5; turn++) {
      mesh.peer(0).exchange.noteSuspicion(mesh.path(3), 'icmp', 'failure');
    }
    expect(mesh.peer(0).looks).toMatchObject([{ node: 'c/n3', protocol: 'icmp' }]);
  });

  test('are ignored if they are about unlisted nodes', () => {
    const mesh = FakeMesh.introduced(3);
    const header = '1;from=c/n0;to=c/n1;nonce=abcdefghijklmnop;hints=c/unlisted:hifw5,c/n2:hifw5';
    expect(mesh.peer(1).exchange.answer(header, mesh.peer(0).hostIp)).toBeDefined();
    mesh.clock.runUntil(100);
    expect(mesh.peer(1).looks).toMatchObject([{ node: 'c/n2' }]);
  });

  test('are news to who saw it and to who heard it, each once, and not of unlisted nodes', () => {
    const mesh = FakeMesh.introduced(3);
    mesh.transition(mesh.peer(0), mesh.path(2), 'icmp', 'unreachable');
    const header = '1;from=c/n0;to=c/n1;nonce=abcdefghijklmnop;hints=c/unlisted:hifw5,c/n2:hifw5';
    mesh.peer(1).exchange.answer(header, mesh.peer(0).hostIp);
    mesh.peer(1).exchange.answer(header, mesh.peer(0).hostIp);
    expect([mesh.peer(0).news, mesh.peer(1).news]).toEqual([['c/n2'], ['c/n2']]);
  });

  test('are not passed on for longer than six seconds', () => {
    const mesh = FakeMesh.introduced(3);
    mesh.transition(mesh.peer(0), mesh.path(2), 'icmp', 'unreachable');
    expect(mesh.peer(0).exchange.ask(mesh.path(1))?.header).toContain('hints');
    mesh.clock.runUntil(6000);
    expect(mesh.peer(0).exchange.ask(mesh.path(1))?.header).not.toContain('hints');
  });
});
