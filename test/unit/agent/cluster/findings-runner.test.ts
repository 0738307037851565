import { describe, expect, it } from 'vitest';
import { FindingsRunner } from '../../../../agent/cluster/findings-runner.js';
import type { DiagnosisOutput } from '../../../../agent/diagnosis/nouns/diagnosis-input.js';
import { FakeClock } from '../probing/fake-clock.js';

/**
 * The times in milliseconds at which the findings were computed. Each run says when the next
 * finding may open.
 * @param tookMs how long a run takes
 * @param isSettling whether what is known is too old
 */
function runsAt(
  opensInMs: (nowMs: number) => number | undefined,
  tookMs = 0,
  isSettling: (nowMs: number) => boolean = () => false,
) {
  const clock = new FakeClock();
  const startMs = clock.nowMs();
  const times: number[] = [];
  const runner = new FindingsRunner({
    clock,
    isSettling: () => isSettling(clock.nowMs() - startMs),
    // eslint-disable-next-line require-yield
    *diagnose(): Generator<void, DiagnosisOutput> {
      const nowMs = clock.nowMs() - startMs;
      times.push(nowMs);
      clock.stall(tookMs);
      return {
        findings: [],
        unexplained: 0,
        unexplainedTargets: 0,
        notKnown: [],
        suspected: [],
        opensInMs: opensInMs(nowMs),
        wantsRows: false,
        outdated: [],
        memory: new Map(),
        shadows: new Map(),
        past: [],
        livesSince: new Map(),
        stray: { atMs: 0, strayMs: 0, watchedMs: 0 },
      };
    },
    onResult: () => undefined,
  });
  return { clock, runner, times };
}

/** Tells it of a change again and again. */
async function notifyFor(ms: number, clock: FakeClock, runner: FindingsRunner) {
  const endMs = clock.nowMs() + ms;
  while (clock.nowMs() < endMs) {
    await clock.advance(10);
    runner.notify();
  }
}

describe('the findings runner', () => {
  it('runs every two seconds where nothing changes', async () => {
    const { clock, times } = runsAt(() => undefined);
    await clock.advance(5000);
    expect(times).toEqual([0, 2000, 4000]);
  });

  it('waits while what is known is too old, whatever changes', async () => {
    const isSettling = (nowMs: number) => nowMs >= 1000 && nowMs < 6000;
    const { clock, runner, times } = runsAt(() => undefined, 0, isSettling);
    await clock.advance(1000);
    expect(runner.isHeld).toBe(false);
    await notifyFor(4900, clock, runner);
    expect(runner.isHeld).toBe(true);
    await notifyFor(200, clock, runner);
    expect(times).toEqual([0, 6000]);
    expect(runner.isHeld).toBe(false);
  });

  it('runs when a finding that waits may open', async () => {
    const { clock, times } = runsAt((nowMs) => (nowMs === 0 ? 800 : undefined));
    await clock.advance(3000);
    expect(times).toEqual([0, 800, 2800]);
  });

  it('runs at most twice a second, however often it is told of changes', async () => {
    const { clock, runner, times } = runsAt(() => undefined);
    await notifyFor(2000, clock, runner);
    expect(times).toEqual([0, 500, 1000, 1500, 2000]);
  });

  it('runs at most five times a second while a finding waits to open', async () => {
    const { clock, runner, times } = runsAt((nowMs) => (nowMs < 500 ? 1500 : undefined));
    await notifyFor(2000, clock, runner);
    expect(times).toEqual([0, 200, 400, 600, 1100, 1600]);
  });

  it.each([
    [80, 800],
    [300, 1000],
  ])(
    'leaves nine tenths of the time to others, but a second at most: %i ms a run',
    async (tookMs, gapMs) => {
      const { clock, runner, times } = runsAt(() => undefined, tookMs);
      await notifyFor(2000, clock, runner);
      expect(times.slice(0, 3)).toEqual([0, gapMs, 2 * gapMs]);
    },
  );
});
