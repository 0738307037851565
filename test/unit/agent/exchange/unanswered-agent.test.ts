import { describe, expect, test } from 'vitest';
import { manyNodes, unansweredAfterMs } from '../../../../agent/exchange/hints/lone-witness.js';
import { timeout, type Sample } from '../../../../agent/model/sample.js';
import { FakeMesh, type FakePeer } from './lib/fake-peers.js';

const lost: Sample = { ...timeout, sentMs: 0, at: 0 };
const answered: Sample = { outcome: 'reply', rttNs: 1000, sentMs: 0, at: 0 };

function createMesh(count = 30) {
  const mesh = FakeMesh.introduced(count);
  const caller = mesh.peer(0);
  const others = mesh.peers.slice(1);
  /** Tells an agent how its last probe of each other host ended. */
  const probe = (peer: FakePeer, of: (node: number) => Sample) => {
    for (const node of mesh.nodes.keys())
      if (mesh.peer(node) !== peer)
        peer.exchange.witness.noteSample(mesh.path(node), 'icmp', of(node));
  };
  /** How many others have looked at the agent since a time. */
  const looking = (fromMs = 0) =>
    others.filter(({ looks }) =>
      looks.some(({ node, atMs }) => node === caller.name && atMs >= fromMs),
    ).length;
  return { mesh, caller, others, probe, looking };
}

describe('an agent none of whose probes is answered', () => {
  test('makes each other agent look at it, and once more when it is answered again', () => {
    const { mesh, caller, others, probe, looking } = createMesh();
    probe(caller, () => lost);
    mesh.clock.runUntil(5000);
    expect(looking()).toBe(others.length);
    mesh.clock.runUntil(60_000);
    probe(caller, () => answered);
    mesh.clock.runUntil(66_000);
    expect(looking(60_000)).toBe(others.length);
  });

  test('calls nobody while one of its probes is answered, or it was starved', () => {
    const { mesh, caller, probe, looking } = createMesh();
    probe(caller, (node) => (node === 7 ? answered : lost));
    mesh.clock.runUntil(10_000);
    caller.isStarved = true;
    probe(caller, () => lost);
    mesh.clock.runUntil(20_000);
    expect(looking()).toBe(0);
  });

  test('calls nobody where it was answered before it called', () => {
    const { mesh, caller, probe, looking } = createMesh();
    probe(caller, () => lost);
    probe(caller, () => answered);
    mesh.clock.runUntil(20_000);
    expect(looking()).toBe(0);
  });

  test('calls nobody where hints tell of many other nodes', () => {
    const { mesh, caller, probe, others, looking } = createMesh();
    for (let node = 10; node < 10 + manyNodes; node++) {
      for (const other of others.slice(0, 5))
        mesh.transition(other, mesh.path(node), 'icmp', 'unreachable');
    }
    for (const other of others) mesh.exchangeBetween(other, caller);
    probe(caller, () => lost);
    mesh.clock.runUntil(20_000);
    expect(looking()).toBe(0);
  });

  test('is one of few that call where that is so of all', () => {
    const { mesh, probe } = createMesh(130);
    for (const peer of mesh.peers) probe(peer, () => lost);
    mesh.clock.runUntil(10_000);
    const called = mesh.nodes.filter(({ name }) =>
      mesh.peers.some(({ looks }) => looks.some(({ node }) => node === name)),
    );
    expect(called.length).toBeGreaterThanOrEqual(manyNodes);
    expect(called.length).toBeLessThan(mesh.nodes.length / 4);
  });
});

test('of 1,000 agents that begin to wait at the same time, few have called after the time in which others hear it', () => {
  const callMs = Array.from({ length: 1000 }, (_, at) =>
    unansweredAfterMs((at + 0.5) / 1000, 1000),
  );
  expect(callMs.filter((ms) => ms < 300).length).toBeLessThan(manyNodes);
  expect(callMs.every((ms) => ms >= 0 && ms <= 2000)).toBe(true);
  expect(callMs[500]).toBeGreaterThan(1700);
  expect(unansweredAfterMs(0.5, 1)).toBe(2000);
});
