import { describe, expect, test } from 'vitest';
import { MeshKeys } from '../../../../agent/exchange/messages/mesh-keys.js';
import { encodeAnswer } from '../../../../agent/exchange/messages/message.js';
import { FakeMesh, type FakePeer } from './lib/fake-peers.js';

const key = 'a key of the whole mesh';
const elsewhere = '203.0.113.9';

/** Three agents with a key that have answered each other. */
function createMesh(): { mesh: FakeMesh; asker: FakePeer; asked: FakePeer } {
  const mesh = FakeMesh.introduced(3, { keysOf: () => new MeshKeys([key]) });
  mesh.introduceAll();
  return { mesh, asker: mesh.peer(0), asked: mesh.peer(1) };
}

const heardMs = (peer: FakePeer, of: FakePeer) => peer.peers.observers.getMs(of.name);

describe('a signed request that somebody recorded', () => {
  test('and sends again two minutes later does not count as heard, and gets no row elsewhere', () => {
    const { mesh, asker, asked } = createMesh();
    // Two see it: one alone would call the other later.
    mesh.transition(asked, mesh.path(2), 'icmp', 'unreachable');
    mesh.exchangeBetween(asked, asker);
    mesh.transition(asker, mesh.path(2), 'icmp', 'unreachable');
    const header = asker.exchange.ask(mesh.path(1))?.header ?? '';
    mesh.clock.runUntil(1000);
    const told = asked.exchange.answer(header, asker.hostIp);
    expect(heardMs(asked, asker)).toBe(1000);
    mesh.clock.runUntil(121_000);
    const hints = asked.exchange.counts().hintsReceived;
    const again = asked.exchange.answer(header, elsewhere);
    expect(again?.header).not.toContain('hints');
    expect(again?.body).toBe('');
    expect(asked.exchange.counts().hintsReceived).toBe(hints);
    expect(asked.exchange.answer(header, asker.hostIp)?.body).toBe(told?.body);
    expect(heardMs(asked, asker)).toBe(1000);
  });

  test('does not keep the next one of the peer from being heard', () => {
    const { mesh, asker, asked } = createMesh();
    const header = asker.exchange.ask(mesh.path(1))?.header ?? '';
    asked.exchange.answer(header, asker.hostIp);
    for (let time = 0; time < 10; time++) asked.exchange.answer(header, elsewhere);
    mesh.clock.runUntil(5000);
    mesh.exchangeBetween(asker, asked);
    expect(heardMs(asked, asker)).toBe(5000);
  });

  test('while no answer comes back, each of the peer is heard all the same', () => {
    const { mesh, asker, asked } = createMesh();
    for (const atMs of [1000, 2000, 3000]) {
      mesh.clock.runUntil(atMs);
      asked.exchange.answer(asker.exchange.ask(mesh.path(1))?.header ?? '', asker.hostIp);
      expect(heardMs(asked, asker)).toBe(atMs);
    }
  });
});

describe('the first request of a peer', () => {
  test('gets a row at its own address, and elsewhere with the second', () => {
    for (const [ip, count] of [
      ['10.1.0.0', 1],
      [elsewhere, 2],
    ] as const) {
      const mesh = new FakeMesh(2, { keysOf: () => new MeshKeys([key]) });
      const [asker, asked] = [mesh.peer(0), mesh.peer(1)];
      let rows = 0;
      for (let time = 1; time <= count; time++) {
        expect(heardMs(asked, asker)).toBeUndefined();
        const question = asker.exchange.ask(mesh.path(1));
        const reply = asked.exchange.answer(question?.header ?? '', ip);
        question?.onAnswer(reply?.header, reply?.body ?? '');
        if (reply?.body !== '') rows++;
      }
      expect(rows).toBe(1);
      expect(asker.peers.counts()).toMatchObject({ fresh: 1, silent: 0 });
    }
  });

  test('without a key counts as heard: its address is all that tells', () => {
    const mesh = new FakeMesh(2);
    mesh.exchangeBetween(mesh.peer(0), mesh.peer(1));
    expect(heardMs(mesh.peer(1), mesh.peer(0))).toBe(mesh.clock.nowMs());
  });
});

/** What version 0.1.0 sent before there were challenges, recorded. */
const recorded = {
  request:
    '1;from=c/n0;to=c/n1;nonce=abcdefghijklmnop;row=1f.7;hints=c/n2:hifw120;mac=N6ciFwyie4fdtx2gM7-CcA',
};

describe('an agent from before the challenges', () => {
  test('gets the row at its own address, where the hints in its request are taken, and is not heard by it', () => {
    const { mesh, asked } = createMesh();
    const before = heardMs(asked, mesh.peer(0));
    mesh.clock.runUntil(1000);
    const reply = asked.exchange.answer(recorded.request, '10.1.0.0');
    expect(reply?.body).toContain('"row"');
    expect(heardMs(asked, mesh.peer(0))).toBe(before);
    mesh.clock.runUntil(3000);
    expect(asked.looks).toMatchObject([{ node: 'c/n2', protocol: 'icmp' }]);
    const hints = asked.exchange.counts().hintsReceived;
    expect(asked.exchange.answer(recorded.request, elsewhere)?.body).toBe('');
    expect(asked.exchange.counts().hintsReceived).toBe(hints);
  });

  test('is heard by its answers, and the hints in them count', () => {
    const { mesh, asker } = createMesh();
    mesh.clock.runUntil(1000);
    const keys = new MeshKeys([key]);
    const question = asker.exchange.ask(mesh.path(1));
    const hint = { node: 'c/n2', plane: 'host', protocol: 'icmp' } as const;
    const ends = { from: 'c/n0', to: 'c/n1', nonce: 'abcdefghijklmnop' };
    const header = encodeAnswer(
      {
        rowTag: '1f.8',
        hints: [{ ...hint, change: 'failure', ageMs: 0, isWitness: true }],
        targetHints: [],
      },
      '',
      ends,
      keys,
    );
    question?.onAnswer(header, '');
    expect(asker.peers.observers.heardMs('c/n1')).toBe(1000);
    mesh.clock.runUntil(3000);
    expect(asker.looks).toMatchObject([{ node: 'c/n2', protocol: 'icmp' }]);
  });
});
