import { describe, expect, test } from 'vitest';
import { UdpCounts, type UdpTotals } from '../../../../agent/path-tests/udp/udp-counts.js';
import { Random } from '../../../fuzz/random.js';

const none: UdpTotals = {
  sent: 0,
  lost: 0,
  lostThere: 0,
  lostBack: 0,
  reorderedThere: 0,
  reorderedBack: 0,
  duplicatedThere: 0,
  duplicatedBack: 0,
};

/** A peer that counts what comes, as the echo does. */
class Peer {
  epoch = 1;
  #counter = 0;

  gets(sequence: number) {
    return { sequence, counter: ++this.#counter, epoch: this.epoch };
  }

  restart(): void {
    this.#counter = 0;
    this.epoch++;
  }
}

/** Sends a train of eight. `ways` says what the peer gets, in order, and which of its answers come, in order. */
function train(
  counts: UdpCounts,
  peer: Peer,
  there = (sent: number[]) => sent,
  back = <T>(answers: T[]) => answers,
): void {
  const sent = Array.from({ length: 8 }, () => counts.send());
  for (const answer of back(there(sent).map((sequence) => peer.gets(sequence)))) {
    counts.answer(answer);
  }
  counts.settle();
}
const without = (...places: number[]) => {
  return <T>(all: T[]): T[] => all.filter((_, place) => !places.includes(place));
};
const swapped = <T>(all: T[]): T[] => [
  ...all.slice(0, 2),
  ...all.slice(2, 4).reverse(),
  ...all.slice(4),
];
const doubled = <T>(all: T[]): T[] =>
  all.flatMap((one, place) => (place === 3 ? [one, one] : [one]));

/** Some good trains, one of these, and one good one, after which the ways of all losses are known. */
function totalsOf(
  ...ways: Parameters<typeof train> extends [unknown, unknown, ...infer W] ? W : never
) {
  const [counts, peer] = [new UdpCounts(), new Peer()];
  train(counts, peer);
  train(counts, peer, ...ways);
  train(counts, peer);
  return counts.totals();
}

describe('what became of datagrams', () => {
  test('all came back', () => {
    expect(totalsOf()).toEqual({ ...none, sent: 24 });
  });

  test.each([[[3]], [[0, 1]], [[6, 7]], [[0, 1, 2, 3, 4, 5, 6, 7]]])(
    'those at %j were lost on the way there',
    (places) => {
      const lost = places.length;
      expect(totalsOf(without(...places))).toEqual({ ...none, sent: 24, lost, lostThere: lost });
    },
  );

  test.each([[[3]], [[0, 1]], [[6, 7]], [[0, 1, 2, 3, 4, 5, 6, 7]]])(
    'the answers to those at %j were lost on the way back',
    (places) => {
      const lost = places.length;
      const ways = totalsOf(undefined, without(...places));
      expect(ways).toEqual({ ...none, sent: 24, lost, lostBack: lost });
    },
  );

  test('some were lost on each way', () => {
    expect(totalsOf(without(1, 5), without(2))).toEqual({
      ...none,
      sent: 24,
      lost: 3,
      lostThere: 2,
      lostBack: 1,
    });
  });

  test('one overtook another, on the way there or back', () => {
    expect(totalsOf(swapped)).toEqual({ ...none, sent: 24, reorderedThere: 1 });
    expect(totalsOf(undefined, swapped)).toEqual({ ...none, sent: 24, reorderedBack: 1 });
  });

  test('one was doubled, on the way there or back', () => {
    expect(totalsOf(doubled)).toEqual({ ...none, sent: 24, duplicatedThere: 1 });
    expect(totalsOf(undefined, doubled)).toEqual({ ...none, sent: 24, duplicatedBack: 1 });
  });

  test('the way is not told before the peer was heard again', () => {
    const [counts, peer] = [new UdpCounts(), new Peer()];
    train(counts, peer);
    train(counts, peer, without(6, 7));
    expect(counts.totals()).toEqual({ ...none, sent: 16, lost: 2 });
  });

  test('a late answer takes a loss back', () => {
    const [counts, peer] = [new UdpCounts(), new Peer()];
    train(counts, peer);
    const late = peer.gets(counts.send());
    counts.settle();
    expect(counts.totals()).toMatchObject({ sent: 9, lost: 1 });
    counts.answer(late);
    expect(counts.totals()).toEqual({ ...none, sent: 9 });
  });

  test('nothing counts before the first answer of all', () => {
    const [counts, peer] = [new UdpCounts(), new Peer()];
    for (let round = 0; round < 5; round++) train(counts, peer, () => []);
    expect([counts.hasAnswered, counts.totals().lost]).toEqual([false, 40]);
    train(counts, peer);
    train(counts, peer);
    expect([counts.hasAnswered, counts.totals()]).toEqual([true, { ...none, sent: 16 }]);
  });

  test('a peer that begins anew makes no loss, and of what was lost meanwhile the way is not told', () => {
    const [counts, peer] = [new UdpCounts(), new Peer()];
    train(counts, peer);
    train(counts, peer, without(1));
    train(counts, peer, () => []);
    peer.restart();
    train(counts, peer);
    train(counts, peer);
    expect(counts.totals()).toEqual({ ...none, sent: 40, lost: 9, lostThere: 1 });
  });

  test('what this host could not send is no loss', () => {
    const [counts, peer] = [new UdpCounts(), new Peer()];
    train(counts, peer);
    for (let count = 0; count < 8; count++) counts.notSent(counts.send());
    counts.settle();
    train(counts, peer);
    expect(counts.totals()).toEqual({ ...none, sent: 16 });
  });
});

describe('a peer that lies', () => {
  test('never makes more losses of a way than there are, nor a number below 0', () => {
    const random = new Random(19);
    const number = () => random.next() * 2 ** random.below(32);
    for (let round = 0; round < 300; round++) {
      const counts = new UdpCounts();
      for (let step = 0; step < 60; step++) {
        const last = counts.send();
        const sequence = random.next() < 0.5 ? last - random.below(4) : Math.floor(number());
        const counter = Math.floor(number());
        if (random.next() < 0.7) counts.answer({ sequence, counter, epoch: random.below(2) });
        if (random.next() < 0.2) counts.settle();
        const totals = counts.totals();
        for (const value of Object.values(totals)) expect(value).toBeGreaterThanOrEqual(0);
        expect(totals.lostThere + totals.lostBack).toBeLessThanOrEqual(totals.lost);
        expect(totals.lost).toBeLessThanOrEqual(totals.sent);
        expect(totals.sent).toBeLessThanOrEqual(step + 1);
      }
    }
  });

  test('is not heard about datagrams that were not sent, or long ago', () => {
    const [counts, peer] = [new UdpCounts(), new Peer()];
    for (let round = 0; round < 4; round++) train(counts, peer);
    const before = counts.totals();
    for (const sequence of [0, -1, 1, 16, 33, 2 ** 32 - 1, Number.NaN]) {
      expect(counts.answer({ sequence, counter: 99, epoch: 1 })).toBe(false);
    }
    expect(counts.totals()).toEqual(before);
  });
});
