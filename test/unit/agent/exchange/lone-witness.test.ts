import { describe, expect, test } from 'vitest';
import { aloneAfterMs, manyNodes } from '../../../../agent/exchange/hints/lone-witness.js';
import { hintedPerSecond } from '../../../../agent/exchange/hints/hinted-delay.js';
import type { Protocol } from '../../../../agent/model/sample.js';
import { FakeMesh, type FakePeer } from './lib/fake-peers.js';

/** The last node is not reached; what nobody else sees, the others do not confirm. */
function createMesh(count = 30, listed = count) {
  const mesh = FakeMesh.introduced(count, { listed });
  const lost = mesh.path(count - 1);
  const [witness, ...others] = mesh.peers.slice(0, -1);
  if (!witness) throw new RangeError('expected a witness');
  /** When each other agent looked at the witness first, from a time on; of those that did. */
  const looksAtWitness = (fromMs = 0) =>
    others.flatMap(({ looks }) => {
      const look = looks.find(({ node, atMs }) => node === witness.name && atMs >= fromMs);
      return look ? [look] : [];
    });
  /** The witness loses the node, or reaches it again, and time goes on until then. */
  const sees = (
    state: 'unreachable' | 'reachable',
    untilMs = mesh.clock.nowMs(),
    protocol: Protocol = 'http',
  ) => {
    mesh.transition(witness, lost, protocol, state);
    mesh.clock.runUntil(untilMs);
  };
  return { mesh, lost, witness, others, looksAtWitness, sees };
}

describe('an agent that alone sees that a node is not reached', () => {
  test('makes each other agent look at it, some seconds later', () => {
    const { mesh, others, looksAtWitness, sees } = createMesh();
    sees('unreachable', aloneAfterMs - 100);
    expect(looksAtWitness()).toEqual([]);
    mesh.clock.runUntil(10_000);
    const looks = looksAtWitness();
    expect(looks).toHaveLength(others.length);
    expect(new Set(looks.map(({ protocol }) => protocol))).toEqual(new Set(['http']));
  });

  test('is not looked at by all at once: together they keep to the rate of GETs at a living node', () => {
    const [agents, listed] = [65, 2000];
    const { others, looksAtWitness, sees } = createMesh(agents, listed);
    sees('unreachable', 10_000);
    const times = looksAtWitness().map(({ atMs }) => atMs);
    expect(times).toHaveLength(others.length);
    const busiest = Math.max(
      ...times.map((from) => times.filter((at) => at >= from && at < from + 1000).length),
    );
    expect(busiest).toBeLessThan((1.5 * hintedPerSecond.get * agents) / listed);
  });

  test('makes all look again when it reaches the node again', () => {
    const { others, looksAtWitness, sees } = createMesh();
    sees('unreachable', 60_000);
    sees('reachable', 66_000);
    expect(looksAtWitness(60_000)).toHaveLength(others.length);
  });

  test('looks at the node every five seconds from its call on, until it reaches it', () => {
    const { mesh, lost, witness, sees } = createMesh();
    const looksAtLost = () =>
      witness.looks.flatMap(({ node, atMs }) => (node === lost.node ? [atMs] : []));
    const lose = (state: 'unreachable' | 'reachable') => {
      witness.activities.set(`${lost.node} ${lost.plane} http`, {
        state,
        sentMs: mesh.clock.nowMs(),
        answeredSentMs: -Infinity,
      });
      sees(state);
    };
    lose('unreachable');
    mesh.clock.runUntil(20_000);
    expect(looksAtLost()).toEqual([5000, 10_000, 15_000].map((ms) => aloneAfterMs + ms));
    lose('reachable');
    mesh.clock.runUntil(60_000);
    expect(looksAtLost()).toHaveLength(3);
  });

  test('asks for no looks where it reaches the node again before it calls', () => {
    const { looksAtWitness, sees } = createMesh();
    sees('unreachable', 2000);
    sees('reachable', 60_000);
    expect(looksAtWitness()).toEqual([]);
  });

  test('asks for no looks where the node is listed no more by then', () => {
    const { mesh, lost, looksAtWitness, sees } = createMesh();
    sees('unreachable', 2000);
    const nodes = mesh.nodes.slice(0, -1);
    for (const peer of mesh.peers.slice(0, -1)) peer.update(nodes, { added: [], removed: [lost] });
    mesh.clock.runUntil(60_000);
    expect(looksAtWitness()).toEqual([]);
  });

  test('calls nobody while it hears of more than it can remember: another may have told it too', () => {
    const { mesh, witness, others, looksAtWitness, sees } = createMesh(10, 2000);
    const [teller] = others;
    if (!teller) throw new RangeError('expected another agent');
    for (let node = 100; node < 700; node++)
      mesh.transition(teller, mesh.path(node), 'icmp', 'unreachable');
    for (let message = 0; message < 40; message++) mesh.exchangeBetween(teller, witness);
    sees('unreachable', 12_000);
    expect(looksAtWitness()).toEqual([]);
    sees('reachable', 20_000);
    sees('unreachable', 40_000);
    expect(looksAtWitness(20_000)).not.toEqual([]);
  });

  test('calls where it alone sees more nodes fail than it can remember', () => {
    const { mesh, witness, looksAtWitness } = createMesh(10, 2000);
    for (let node = 100; node < 700; node++)
      mesh.transition(witness, mesh.path(node), 'icmp', 'unreachable');
    mesh.clock.runUntil(12_000);
    expect(looksAtWitness()).not.toEqual([]);
  });

  test('calls twice, and then once in half a minute, whatever comes and goes', () => {
    const { mesh, witness, looksAtWitness } = createMesh(10);
    const called = [1, 2, 3, 4, 5, 6].map((index) => {
      const fromMs = mesh.clock.nowMs();
      mesh.transition(witness, mesh.path(index), 'http', 'unreachable');
      mesh.clock.runUntil(fromMs + 12_000);
      return looksAtWitness(fromMs + aloneAfterMs).length > 0;
    });
    // Twice at once, then once in half a minute: the call of the third one waits, and the last one tells of the three before it.
    expect(called).toEqual([true, true, true, false, false, true]);
    const fromMs = mesh.clock.nowMs();
    mesh.clock.runUntil(fromMs + 120_000);
    expect(looksAtWitness(fromMs)).toEqual([]);
  });

  test('calls for the end as soon as a call is left, where both are spent', () => {
    const { mesh, witness, others, looksAtWitness, sees } = createMesh();
    sees('unreachable', 12_000);
    mesh.transition(witness, mesh.path(1), 'http', 'unreachable');
    mesh.clock.runUntil(24_000);
    sees('reachable', aloneAfterMs + 29_900);
    expect(looksAtWitness(24_000)).toEqual([]);
    mesh.clock.runUntil(39_000);
    expect(looksAtWitness(24_000)).toHaveLength(others.length);
  });

  test('calls again where the node is lost anew, though the agent was starved when it reached it', () => {
    const { mesh, witness, others, looksAtWitness, sees } = createMesh();
    sees('unreachable', 60_000);
    witness.isStarved = true;
    sees('reachable', 70_000);
    expect(looksAtWitness(60_000)).toHaveLength(others.length);
    witness.isStarved = false;
    mesh.clock.runUntil(120_000);
    sees('unreachable', 130_000);
    expect(looksAtWitness(120_000)).toHaveLength(others.length);
  });

  test('calls for a node that is lost anew soon after it was reached unnoticed, as the agent was starved', () => {
    const { witness, others, looksAtWitness, sees } = createMesh();
    sees('unreachable', 2000);
    witness.isStarved = true;
    sees('reachable', 4000);
    witness.isStarved = false;
    sees('unreachable', 15_000);
    expect(looksAtWitness()).toHaveLength(others.length);
  });

  test('still calls for a path that fails where another one to that node is back', () => {
    const { others, looksAtWitness, sees } = createMesh();
    sees('unreachable', 0, 'icmp');
    sees('unreachable', 2000);
    sees('reachable', 10_000, 'icmp');
    expect(looksAtWitness()).toHaveLength(others.length);
  });

  test('calls for the end when the last path to the node is back', () => {
    const { others, looksAtWitness, sees } = createMesh();
    sees('unreachable', 0, 'icmp');
    sees('unreachable', 60_000);
    sees('reachable', 70_000, 'icmp');
    expect(looksAtWitness(60_000)).toEqual([]);
    sees('reachable', 80_000);
    expect(looksAtWitness(70_000)).toHaveLength(others.length);
  });

  test('calls for the end where the path to the node is another one now', () => {
    const { mesh, lost, witness, others, looksAtWitness, sees } = createMesh();
    sees('unreachable', 60_000);
    witness.update(mesh.nodes, { added: [], removed: [lost] });
    mesh.clock.runUntil(70_000);
    expect(looksAtWitness(60_000)).toHaveLength(others.length);
  });

  test('goes on where the node has lost another path', () => {
    const { mesh, lost, witness, looksAtWitness, sees } = createMesh();
    const further = { ...lost, ip: '203.0.113.1' };
    const listed = mesh.nodes.map((node) =>
      node.name === lost.node ? { ...node, host: [...node.host, further.ip] } : node,
    );
    witness.update(listed, { added: [further], removed: [] });
    sees('unreachable', 60_000);
    witness.update(mesh.nodes, { added: [], removed: [further] });
    mesh.clock.runUntil(70_000);
    expect(looksAtWitness(60_000)).toEqual([]);
  });

  test('calls anew for a node that was cordoned, and came back meanwhile', () => {
    const { mesh, lost, witness, others, looksAtWitness, sees } = createMesh();
    const cordoned = mesh.nodes.map((node) =>
      node.name === lost.node
        ? { ...node, lifecycle: { phase: 'excluded' as const, reason: 'cordoned' } }
        : node,
    );
    sees('unreachable', 60_000);
    witness.update(cordoned);
    mesh.clock.runUntil(120_000);
    witness.update(mesh.nodes);
    sees('unreachable', 130_000);
    expect(looksAtWitness(120_000)).toHaveLength(others.length);
  });
});

describe('an agent that a node says it does not reach', () => {
  /** The first agent gets the row of the second one, which does not reach it, and some others too. */
  function createTold(unreached = 1) {
    const mesh = FakeMesh.introduced(30);
    const [own, peer, ...others] = mesh.peers;
    if (!own || !peer) throw new RangeError('expected two agents');
    const loses = () => {
      mesh.transition(own, mesh.path(1), 'icmp', 'unreachable');
    };
    const isTold = () => {
      for (const { name } of [own, ...others.slice(0, unreached - 1)]) peer.unreached.add(name);
      peer.exchange.renewRow();
      mesh.exchangeBetween(own, peer);
    };
    const looksAt = ({ name }: FakePeer) =>
      others.filter(({ looks }) =>
        looks.some(({ node, protocol }) => node === name && protocol === 'http'),
      );
    return { mesh, own, peer, others, loses, isTold, looksAt };
  }

  test('looks there at once, and calls as soon as it knows', () => {
    const { mesh, own, peer, others, loses, isTold, looksAt } = createTold();
    isTold();
    expect(own.looks).toMatchObject([{ atMs: 0, node: peer.name, protocol: 'icmp' }]);
    loses();
    mesh.clock.runUntil(aloneAfterMs - 100);
    expect(looksAt(own)).toHaveLength(others.length);
  });

  test('waits for nobody else where it knew before', () => {
    const { mesh, own, loses, isTold, looksAt } = createTold();
    loses();
    mesh.clock.runUntil(1000);
    isTold();
    mesh.clock.runUntil(aloneAfterMs - 100);
    expect(looksAt(own)).not.toEqual([]);
  });

  test('takes a node that calls for no witness of its own failure', () => {
    const { mesh, own, peer, others, loses, looksAt } = createTold();
    mesh.transition(peer, mesh.path(0), 'icmp', 'unreachable');
    mesh.clock.runUntil(aloneAfterMs);
    mesh.exchangeBetween(own, peer);
    loses();
    mesh.clock.runUntil(10_000);
    expect(looksAt(own)).toHaveLength(others.length);
  });

  test('looks at nobody who reaches many others neither', () => {
    const { own, isTold } = createTold(manyNodes);
    isTold();
    expect(own.looks).toEqual([]);
  });
});

test('nobody looks at an agent that sees what others see too', () => {
  const { mesh, lost, others, looksAtWitness, sees } = createMesh();
  sees('unreachable', 1000);
  for (const other of others.slice(0, 5)) mesh.transition(other, lost, 'http', 'unreachable');
  mesh.clock.runUntil(30_000);
  expect(looksAtWitness()).toEqual([]);
});
