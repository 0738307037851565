import { describe, expect, test } from 'vitest';
import { Standstill } from '../../../../agent/platform/standstill.js';
import { FakeClock } from '../probing/fake-clock.js';

function watch() {
  const clock = new FakeClock();
  const stoodStill: number[] = [];
  let starved = false;
  const standstill = new Standstill({
    clock,
    isStarved: () => starved,
    onGoesOn: (ms) => stoodStill.push(Math.round(ms / 1000)),
  });
  return { clock, standstill, stoodStill, starve: () => (starved = true) };
}

describe('a process that was stopped', () => {
  test('settles for five seconds, and tells once for how long it stood still', async () => {
    const { clock, standstill, stoodStill } = watch();
    await clock.advance(10_000);
    expect(standstill.isSettling()).toBe(false);
    clock.stall(25_000);
    // Others ask before its own beat comes.
    expect(standstill.isSettling()).toBe(true);
    await clock.advance(4500);
    expect(standstill.isSettling()).toBe(true);
    await clock.advance(500);
    expect(standstill.isSettling()).toBe(false);
    expect(stoodStill).toEqual([24]);
    standstill.stop();
    expect(clock.pendingTimers).toBe(0);
  });

  test('does not settle for a stall of a moment, or where it got no processor', async () => {
    const { clock, standstill, stoodStill, starve } = watch();
    clock.stall(3500);
    expect(standstill.isSettling()).toBe(false);
    await clock.advance(2000);
    starve();
    clock.stall(25_000);
    await clock.advance(1000);
    expect(standstill.isSettling()).toBe(false);
    expect(stoodStill).toEqual([]);
  });

  test('settles once a minute at most', async () => {
    const { clock, standstill, stoodStill } = watch();
    for (let round = 0; round < 3; round++) {
      clock.stall(10_000);
      await clock.advance(6000);
      expect(standstill.isSettling()).toBe(false);
    }
    expect(stoodStill).toHaveLength(3);
    await clock.advance(1000);
    clock.stall(10_000);
    expect(standstill.isSettling()).toBe(false);
    await clock.advance(60_000);
    clock.stall(10_000);
    expect(standstill.isSettling()).toBe(true);
  });
});
