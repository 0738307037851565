import { describe, expect, it } from 'vitest';
import { VirtualClock } from './virtual-clock.js';
import { PausableClock } from './pausable-clock.js';

describe('the clock of a frozen process', () => {
  it('runs what was due meanwhile when the process goes on, and nothing that was cancelled', () => {
    const time = new VirtualClock();
    const clock = new PausableClock(time);
    const ran: string[] = [];
    clock.after(100, () => ran.push('due'));
    const cancel = clock.after(200, () => ran.push('cancelled'));
    clock.after(5000, () => ran.push('later'));
    clock.pause();
    time.runUntil(1000);
    cancel();
    expect(ran).toEqual([]);
    clock.resume();
    expect(ran).toEqual(['due']);
    time.runUntil(6000);
    expect(ran).toEqual(['due', 'later']);
  });

  it('tells whether it was frozen in the last while', () => {
    const time = new VirtualClock();
    const clock = new PausableClock(time);
    time.runUntil(1000);
    clock.pause();
    expect(clock.wasPaused(10)).toBe(true);
    time.runUntil(3000);
    clock.resume();
    time.runUntil(4000);
    expect(clock.wasPaused(2000)).toBe(true);
    expect(clock.wasPaused(500)).toBe(false);
  });
});
