import { describe, expect, it } from 'vitest';
import { askedPerSecond, RowAsker } from '../../../../../agent/exchange/rows/row-asker.js';
import { FakeClock } from '../../probing/fake-clock.js';

/** An asker with peers whose rows are as many seconds old as their number. */
function askerOf(peers: number, isWorthIt = (): boolean => true) {
  const clock = new FakeClock();
  const startMs = clock.nowMs();
  const confirmedMs = new Map(
    Array.from({ length: peers }, (_, at) => [`n${at}`, startMs - 1000 * at]),
  );
  const asked: string[] = [];
  const asker = new RowAsker({
    clock,
    confirmed: () => confirmedMs,
    ask(peer) {
      asked.push(peer);
      return isWorthIt();
    },
  });
  return { clock, confirmedMs, asked, asker };
}

describe('the asker for rows', () => {
  it('asks for the oldest rows first, and not for those of this second', () => {
    const { asked, asker } = askerOf(4);
    asker.ask();
    expect(asked).toEqual(['n3', 'n2', 'n1']);
  });

  it('asks for eight rows a second, however many there are and however often it is called', async () => {
    const { clock, asked, asker } = askerOf(1000);
    asker.ask();
    asker.ask();
    expect(asked).toHaveLength(askedPerSecond);
    for (let times = 0; times < 10; times++) {
      await clock.advance(100);
      asker.ask();
    }
    expect(asked).toHaveLength(2 * askedPerSecond);
    expect(new Set(asked).size).toBe(2 * askedPerSecond);
  });

  it('asks a peer that does not answer again after a second, and others meanwhile', async () => {
    const { clock, asked, asker } = askerOf(12);
    asker.ask();
    await clock.advance(500);
    asker.ask();
    expect(asked.slice(askedPerSecond)).toEqual(['n3', 'n2', 'n1']);
    await clock.advance(600);
    asker.ask();
    expect(asked.slice(askedPerSecond + 3)).toEqual(['n11', 'n10', 'n9', 'n8', 'n7']);
  });

  it('does not count those that it is not worth asking', () => {
    const { asked, asker } = askerOf(30, () => false);
    asker.ask();
    asker.ask();
    expect(asked).toHaveLength(2 * askedPerSecond);
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
