import { describe, expect, it } from 'vitest';
import { askedPerSecond, RowAsker } from '../../../../../agent/exchange/rows/row-asker.js';
import { FakeClock } from '../../probing/fake-clock.js';

/** An asker with peers whose rows are as many seconds old as their number. */
function askerOf(peers: number, isReachable: (peer: string) => boolean = () => true) {
  const clock = new FakeClock();
  const startMs = clock.nowMs();
  const confirmedMs = new Map(
    Array.from({ length: peers }, (_, at) => [`n${at}`, startMs - 1000 * at]),
  );
  const asked: string[] = [];
  const asker = new RowAsker({
    clock,
    confirmed: () => confirmedMs,
    isReachable,
    ask: (peer) => void asked.push(peer),
  });
  return { clock, confirmedMs, asked, asker };
}

describe('the asker for rows', () => {
  it('asks first for the rows whose turn is farthest, and not for those of this second', () => {
    const { asked, asker } = askerOf(5);
    asker.ask();
    expect(asked).toEqual(['n2', 'n3', 'n4']);
  });

  it('asks for no row that came since they are wanted, while others are from before', async () => {
    const { clock, confirmedMs, asked, asker } = askerOf(6 * askedPerSecond);
    asker.ask();
    for (let times = 0; times < 3; times++) {
      for (const peer of asked) confirmedMs.set(peer, clock.nowMs());
      await clock.advance(1500);
      asker.ask();
    }
    expect(asked).toEqual(Array.from({ length: 4 * askedPerSecond }, (_, at) => `n${at + 2}`));
  });

  it('begins anew when all have come since, and after a pause', async () => {
    const { clock, confirmedMs, asked, asker } = askerOf(5);
    asker.ask();
    for (const peer of confirmedMs.keys()) confirmedMs.set(peer, clock.nowMs());
    await clock.advance(2000);
    asker.ask();
    expect(asked).toHaveLength(3);
    asker.ask();
    expect(asked).toHaveLength(8);
    await clock.advance(6000);
    asker.ask();
    expect(asked).toHaveLength(13);
  });

  it('asks for so many rows a second, however many there are and however often it is called', async () => {
    const { clock, asked, asker } = askerOf(1000);
    asker.ask();
    asker.ask();
    expect(asked).toHaveLength(askedPerSecond);
    for (let times = 0; times < 8; times++) {
      await clock.advance(125);
      asker.ask();
    }
    expect(asked).toHaveLength(2 * askedPerSecond);
    expect(new Set(asked).size).toBe(2 * askedPerSecond);
  });

  it('asks a peer that does not answer again after a second, and others meanwhile', async () => {
    const { clock, asked, asker } = askerOf(askedPerSecond + 4);
    asker.ask();
    await clock.advance(500);
    asker.ask();
    expect(asked.slice(askedPerSecond)).toEqual([
      `n${askedPerSecond + 2}`,
      `n${askedPerSecond + 3}`,
    ]);
    await clock.advance(600);
    asker.ask();
    const again = Array.from({ length: askedPerSecond }, (_, at) => `n${at + 2}`);
    expect(asked.slice(askedPerSecond + 2)).toEqual(again);
  });

  it('asks those alone that answer, however many do not and however old their rows are', async () => {
    const isLiving = (peer: string) => Number(peer.slice(1)) < 260;
    const { clock, confirmedMs, asked, asker } = askerOf(300, isLiving);
    for (let second = 0; second < 10; second++) {
      asker.ask();
      for (const peer of asked) if (isLiving(peer)) confirmedMs.set(peer, clock.nowMs());
      await clock.advance(1000);
    }
    expect(asked.filter(isLiving)).toHaveLength(10 * askedPerSecond);
    expect(asked).toHaveLength(10 * askedPerSecond);
  });

  it('asks one peer that it asked just now again a second after that, once', async () => {
    const { clock, asked, asker } = askerOf(1);
    asker.askOne('n0');
    await clock.advance(400);
    asker.askOne('n0');
    asker.askOne('n0');
    expect(asked).toEqual(['n0']);
    await clock.advance(599);
    expect(asked).toEqual(['n0']);
    await clock.advance(1);
    expect(asked).toEqual(['n0', 'n0']);
    await clock.advance(5000);
    expect(asked).toEqual(['n0', 'n0']);
  });

  it('asks nobody any more when it is stopped', async () => {
    const { clock, asked, asker } = askerOf(1);
    asker.askOne('n0');
    asker.askOne('n0');
    asker.stop();
    await clock.advance(5000);
    expect(asked).toEqual(['n0']);
  });
});
