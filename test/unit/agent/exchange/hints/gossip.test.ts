import { describe, expect, test } from 'vitest';
import { hintedPerSecond } from '../../../../../agent/exchange/hints/hinted-delay.js';
import { FakeMesh } from '../lib/fake-peers.js';
import { lost } from '../../../../rows/make-store.js';

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
    const allowed = (hintedPerSecond.get * agents) / listed;
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
      exchange.witness.noteSample(mesh.path(index, 'endpoint'), 'icmp', lost);
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
    for (let index = 1; index < 9; index++)
      exchange.witness.noteSample(mesh.path(index), 'icmp', lost);
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
      mesh.peer(0).exchange.witness.noteSuspicion(mesh.path(3), 'icmp', 'failure');
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
