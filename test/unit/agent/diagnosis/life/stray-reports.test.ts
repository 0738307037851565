import { describe, expect, it } from 'vitest';
import { noteStrayReports, strayShare } from '../../../../../agent/diagnosis/life/stray-reports.js';
import type { StrayReports } from '../../../../../agent/diagnosis/nouns/memory.js';

/** Runs a diagnosis each second for some seconds, with so many paths without a finding in each. */
function after(seconds: number, unexplainedAt: (second: number) => number): StrayReports {
  let stray = noteStrayReports(undefined, 0);
  for (let second = 1; second <= seconds; second++) {
    stray = noteStrayReports({ stray, unexplained: unexplainedAt(second - 1) }, 1000 * second);
  }
  return stray;
}

describe('how often paths fail without a finding', () => {
  it('is not known at the start, and counts as always', () => {
    expect(strayShare(after(0, () => 0))).toBe(1);
  });

  it('gets rare while all is well, and no rarer than ten minutes can tell', () => {
    expect(strayShare(after(60, () => 0))).toBeCloseTo(10 / 68, 2);
    expect(strayShare(after(3600, () => 0))).toBeCloseTo(10 / 610, 3);
  });

  it('is the share of the time, however many paths fail', () => {
    const often = strayShare(after(3600, (second) => (second % 4 === 0 ? 1 : 0)));
    expect(often).toBeCloseTo(0.25, 1);
    expect(strayShare(after(3600, (second) => (second % 4 === 0 ? 900 : 0)))).toBe(often);
    expect(strayShare(after(3600, () => 1))).toBeCloseTo(1, 2);
  });

  it('forgets what was long ago', () => {
    const before = strayShare(after(3600, () => 1));
    expect(strayShare(after(7200, (second) => (second < 3600 ? 1 : 0)))).toBeLessThan(before / 20);
  });

  it('takes a gap, or a clock that goes back, for no knowledge', () => {
    const stray = { atMs: 1000, strayMs: 0, watchedMs: 0 };
    expect(noteStrayReports({ stray, unexplained: 1 }, 3_601_000).strayMs).toBe(10_000);
    expect(noteStrayReports({ stray, unexplained: 1 }, 0)).toMatchObject({
      strayMs: 0,
      watchedMs: 0,
    });
  });
});
