import { describe, expect, test } from 'vitest';
import { TargetRumours } from '../../../../agent/exchange/hints/target-rumours.js';
import { VirtualClock } from '../../../sim/lib/virtual-clock.js';
import { FakeMesh, stateOf, type FakePeer } from './lib/fake-peers.js';
import { lost } from '../../../rows/make-store.js';

const subject = { target: 'database', digest: 7, plane: 'host' } as const;

function seesChange(peer: FakePeer, to: 'unreachable' | 'reachable', target = 'database'): void {
  const before = to === 'unreachable' ? 'reachable' : 'unreachable';
  peer.exchange.witness.noteTarget({ ...subject, target }, stateOf(before), stateOf(to));
}

function createMesh(count: number): FakeMesh {
  const mesh = FakeMesh.introduced(count, { httpIntervalMs: 600_000 });
  mesh.clock.runUntil(10_000);
  for (const peer of mesh.peers) peer.broughtForward.length = 0;
  return mesh;
}

describe('hints about targets', () => {
  test('reach all agents, who ask a witness for its row and look within the spread', () => {
    const mesh = createMesh(12);
    seesChange(mesh.peer(0), 'unreachable');
    mesh.clock.runUntil(16_000);
    for (const peer of mesh.peers.slice(1)) {
      // Where it is well, a little later once more: rows tell ages in tenths of seconds.
      expect(peer.targetLooks).toHaveLength(2);
      expect(peer.targetLooks[0]?.atMs).toBeLessThan(13_000);
      expect(peer.broughtForward).toContain('c/n0');
    }
    expect(mesh.peer(0).targetLooks).toEqual([]);
  });

  test('come with the new row, however new the one before is', () => {
    const mesh = createMesh(2);
    const [witness, hearer] = [mesh.peer(0), mesh.peer(1)];
    const told = { ...subject, ageSeconds: 0, probedSeconds: 0 } as const;
    const toldState = () =>
      [...hearer.peers.rows()].flatMap(({ row }) => row.targets?.map(({ state }) => state) ?? []);
    witness.rowTargets = [{ ...told, state: 'reachable' }];
    mesh.clock.runUntil(20_000);
    mesh.exchangeBetween(hearer, witness);
    expect(toldState()).toEqual(['reachable']);
    witness.rowTargets = [{ ...told, state: 'unreachable' }];
    seesChange(witness, 'unreachable');
    mesh.exchangeBetween(hearer, witness);
    expect(toldState()).toEqual(['unreachable']);
  });

  test('make only a share look where the budget leaves little', () => {
    const mesh = createMesh(60);
    mesh.targetSpreadMs = 25_000;
    seesChange(mesh.peer(0), 'unreachable');
    mesh.clock.runUntil(40_000);
    const looks = mesh.peers.filter(({ targetLooks }) => targetLooks.length > 0).length;
    // A fifth on average: those whose turn comes within five seconds.
    expect(looks).toBeGreaterThan(0);
    expect(looks).toBeLessThan(30);
  });

  test('of one DNS server are news beside those of the target, and give no further look', () => {
    const mesh = createMesh(3);
    mesh.targetSpreadMs = 4000;
    seesChange(mesh.peer(0), 'unreachable');
    mesh.peer(0).exchange.witness.noteTargetServer({ ...subject, server: 1, change: 'failure' });
    expect(mesh.peer(0).exchange.ask(mesh.path(1))?.header).toMatch(
      /targets=\S+:c\/n0(,\S+:1|:1,\S+)/,
    );
    mesh.clock.runUntil(14_000);
    for (const peer of mesh.peers.slice(1)) expect(peer.targetLooks).toHaveLength(1);
  });

  test('are followed no more often than the spread allows, whoever repeats them', () => {
    const mesh = createMesh(4);
    mesh.targetSpreadMs = 4000;
    for (let ms = 10_000; ms < 50_000; ms += 1000) {
      seesChange(mesh.peer(0), ms % 2000 === 0 ? 'unreachable' : 'reachable');
      seesChange(mesh.peer(1), ms % 2000 === 0 ? 'reachable' : 'unreachable');
      mesh.clock.runUntil(ms + 1000);
    }
    expect(mesh.peer(2).targetLooks.length).toBeGreaterThan(0);
    expect(mesh.peer(2).targetLooks.length).toBeLessThanOrEqual(12);
  });

  test('tell nothing to who has looked since, or knows it already', () => {
    const mesh = createMesh(3);
    mesh.peer(1).target = { state: 'reachable', sentMs: 11_000 };
    mesh.peer(2).target = { state: 'unreachable', sentMs: 1000 };
    seesChange(mesh.peer(0), 'unreachable');
    mesh.clock.runUntil(16_000);
    expect(mesh.peers.flatMap(({ targetLooks }) => targetLooks)).toEqual([]);
  });

  test('of targets that are unknown here go no further', () => {
    const mesh = createMesh(3);
    seesChange(mesh.peer(0), 'unreachable', 'other');
    const question = mesh.peer(0).exchange.ask(mesh.path(1));
    expect(question?.header).toContain('targets=other:');
    mesh.peer(1).exchange.answer(question?.header ?? '', mesh.peer(0).hostIp);
    expect(mesh.peer(1).exchange.ask(mesh.path(2))?.header).not.toContain('targets=');
    mesh.clock.runUntil(16_000);
    expect(mesh.peer(1).targetLooks).toEqual([]);
  });

  test('of a starved agent are not sent', () => {
    const mesh = createMesh(3);
    mesh.peer(0).isStarved = true;
    seesChange(mesh.peer(0), 'unreachable');
    expect(mesh.peer(0).exchange.ask(mesh.path(1))?.header).not.toContain('targets=');
  });

  test.each([
    ['http', false],
    ['icmp', true],
  ] as const)('of an agent that reaches nobody by %s are sent: %s', (protocol, isSent) => {
    const mesh = createMesh(3);
    for (const to of [1, 2]) {
      mesh
        .peer(0)
        .exchange.witness.noteSample(mesh.path(to), protocol, { ...lost, sentMs: 10_000 });
    }
    seesChange(mesh.peer(0), 'unreachable');
    expect(mesh.peer(0).exchange.ask(mesh.path(1))?.header.includes('targets=')).toBe(isSent);
  });

  test('bring the rows of ten witnesses, as many as open a finding', () => {
    const clock = new VirtualClock();
    const asked: string[] = [];
    const rumours = new TargetRumours({
      localName: 'c/me',
      clock,
      random: () => 0.5,
      probing: {
        isKnown: () => true,
        activity: () => undefined,
        probeSoon: () => undefined,
        spreadMs: () => Infinity,
      },
      nodes: () => 60,
      isListed: () => true,
      askWitness: (node) => asked.push(node),
      askForRows: () => undefined,
      onUse: () => undefined,
    });
    for (let at = 0; at < 20; at++)
      rumours.hear([{ ...subject, change: 'failure', ageMs: 0, witness: `c/n${at}` }], 'c/n0');
    clock.runUntil(1000);
    expect(asked).toEqual(Array.from({ length: 10 }, (_, at) => `c/n${at}`));
  });

  test('have their end: nobody is brought the news of long ago', () => {
    const mesh = createMesh(3);
    seesChange(mesh.peer(0), 'unreachable');
    mesh.clock.runUntil(30_000);
    for (const peer of mesh.peers) peer.broughtForward.length = 0;
    mesh.clock.runUntil(60_000);
    for (const peer of mesh.peers) expect(peer.broughtForward).toEqual([]);
    expect(mesh.peer(0).exchange.ask(mesh.path(1))?.header).not.toContain('targets=');
  });
});
