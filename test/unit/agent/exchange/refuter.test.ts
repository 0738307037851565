import { describe, expect, test } from 'vitest';
import { refutationOf } from '../../../../agent/model/refutation.js';
import { FakeMesh, type FakePeer } from './lib/fake-peers.js';

/** The agent of the first node, and others that send it GETs for as long as the test says. */
function createMesh(count = 30) {
  const mesh = new FakeMesh(count);
  const [local, ...others] = mesh.peers;
  if (!local) throw new RangeError('expected an agent');
  mesh.introduce(local);
  // Nobody sends the others GETs here, and their own are not to reach the agent.
  for (const other of others) other.isStarved = true;
  /** Lets some of them send a GET every 100 ms by turns, until a time. */
  const reach = (untilMs: number, peers: readonly FakePeer[] = others): void => {
    for (let turn = 0; mesh.clock.nowMs() < untilMs; turn++) {
      const peer = peers[turn % peers.length];
      if (peer) mesh.exchangeBetween(peer, local);
      mesh.clock.runUntil(Math.min(mesh.clock.nowMs() + 100, untilMs));
    }
  };
  const sentUntil = (ms: number): readonly string[] => {
    mesh.clock.runUntil(ms);
    return local.broughtForward;
  };
  return { mesh, local, others, reach, sentUntil };
}

describe('an agent that no GET of its peers reaches any more', () => {
  test('lets itself be heard by all of them, after one and a half seconds and for four', () => {
    const { others, reach, sentUntil } = createMesh();
    reach(10_000);
    expect(sentUntil(11_250)).toEqual([]);
    const sent = sentUntil(60_000);
    expect(sent).toHaveLength(4 * others.length);
    for (const { name } of others) expect(sent.filter((one) => one === name)).toHaveLength(4);
  });

  test('sends no more than 500 GETs a second, however many peers it has', () => {
    const { reach, sentUntil } = createMesh(600);
    reach(10_000);
    expect(sentUntil(12_300).length).toBeLessThanOrEqual(501);
    expect(sentUntil(60_000)).toHaveLength(2000);
  });

  test('promises no more GETs than its own limits leave room for', () => {
    expect(refutationOf(250_000, 4999)?.perSecond).toBe(500);
    expect(refutationOf(1_000_000, 4999)?.perSecond).toBe(125);
    expect(refutationOf(5000, 4)?.perSecond).toBe(4);
  });

  test('stops once two of them reach it again', () => {
    const { reach, sentUntil } = createMesh();
    reach(10_000);
    const before = sentUntil(13_000).length;
    expect(before).toBeGreaterThan(0);
    reach(13_300);
    const after = sentUntil(14_000).length;
    expect(after).toBeLessThan(before + 15);
    expect(sentUntil(60_000).length).toBeGreaterThan(after);
  });

  test('does so twice, and then once in half a minute', () => {
    const { mesh, reach, sentUntil } = createMesh();
    const sent = [1, 2, 3, 4, 5, 6].map(() => {
      const before = sentUntil(mesh.clock.nowMs()).length;
      reach(mesh.clock.nowMs() + 3000);
      return sentUntil(mesh.clock.nowMs() + 8000).length > before;
    });
    expect(sent).toEqual([true, true, false, true, false, false]);
  });

  test('tells in its row that it would, and after two times no more until it would again', () => {
    const { mesh, local, others, reach, sentUntil } = createMesh();
    const [reader] = others;
    if (!reader) throw new RangeError('expected a reader');
    const isTold = (): boolean => {
      mesh.exchangeBetween(reader, local);
      const rows = [...reader.peers.observers.rows(mesh.clock.nowMs())];
      return rows.some(({ row }) => row.observer === local.name && row.refutation !== undefined);
    };
    const told = [1, 2, 3].map(() => {
      reach(mesh.clock.nowMs() + 3000);
      const before = isTold();
      const sent = sentUntil(mesh.clock.nowMs()).length;
      return [before, sentUntil(mesh.clock.nowMs() + 8000).length > sent];
    });
    expect(told).toEqual([
      [true, true],
      [true, true],
      [false, false],
    ]);
    mesh.clock.runUntil(mesh.clock.nowMs() + 20_000);
    expect(isTold()).toBe(true);
  });

  test('waits as long as chance may keep the GETs of few peers away', () => {
    const { reach, sentUntil } = createMesh(5);
    reach(10_000);
    expect(sentUntil(18_000)).toEqual([]);
    expect(sentUntil(60_000)).toHaveLength(16);
  });

  test('sends nothing while it gets no processor, as it has read nothing either', () => {
    const { local, reach, sentUntil } = createMesh();
    reach(10_000);
    local.isStarved = true;
    expect(sentUntil(60_000)).toEqual([]);
  });
});

describe('peers that mean no good', () => {
  test('cannot make an agent send that others reach, whatever they tell of it', () => {
    const { mesh, local, others, reach } = createMesh();
    for (const other of others) {
      mesh.transition(other, mesh.path(0), 'http', 'unreachable');
      mesh.transition(other, mesh.path(0), 'icmp', 'unreachable');
    }
    reach(30_000);
    expect(local.broughtForward).toEqual([]);
  });

  test('cannot keep it silent alone', () => {
    const { mesh, others, reach, sentUntil } = createMesh();
    reach(10_000);
    reach(20_000, others.slice(0, 1));
    expect(sentUntil(mesh.clock.nowMs())).toHaveLength(4 * others.length);
  });
});

test('an agent that was never reached, or has two peers, sends nothing', () => {
  const alone = new FakeMesh(30);
  alone.clock.runUntil(60_000);
  expect(alone.peer(0).broughtForward).toEqual([]);
  const { reach, sentUntil } = createMesh(3);
  reach(10_000);
  expect(sentUntil(60_000)).toEqual([]);
});
