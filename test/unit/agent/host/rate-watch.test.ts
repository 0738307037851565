import { describe, expect, test } from 'vitest';
import { RateWatch } from '../../../../agent/host/rate-watch.js';
import { signRules, type RateRule } from '../../../../agent/host/rules.js';

const rule = { perMinute: 100, timesUsual: 3 };

/** Reads a counter every ten seconds, as it grows by so many each time. */
function watch(growth: readonly number[], watched = new RateWatch(rule), from = 0) {
  let [count, nowMs] = [from, 0];
  return growth.map((more, at) => {
    count += more;
    nowMs = 10_000 * at;
    return watched.note(count, nowMs);
  });
}

const quiet = [0, 0, 0, 0, 0, 0, 0];

describe('a counter that grows', () => {
  test('is a sign from the reading at which its last minute is above the rule', () => {
    const told = watch([...quiet, 50, 60, 0]);
    expect(told.slice(0, 8).filter(Boolean)).toEqual([]);
    expect(told[8]).toEqual({ value: 110, limit: 100, sinceMs: 60_000 });
    expect(told[9]).toMatchObject({ value: 110, sinceMs: 60_000 });
  });

  test('is no sign for what it counted before, however much that is', () => {
    expect(watch(quiet, new RateWatch(rule), 5e12).filter(Boolean)).toEqual([]);
  });

  test('is no sign while it grows as it usually does there', () => {
    const usual = Array.from({ length: 60 }, () => 200);
    expect(watch(usual).filter(Boolean)).toEqual([]);
    const more = watch([...usual, ...Array.from({ length: 6 }, () => 1000)]);
    expect(more.at(-1)).toMatchObject({ value: 6000, limit: expect.closeTo(3600, -3) as number });
  });

  test('is a sign although it always grew so, where the agent is throttled from its start', () => {
    const throttled = new RateWatch(signRules['cpu-throttled'] as RateRule);
    const told = Array.from({ length: 7 }, (_, at) =>
      throttled.note(99 * at, 10_000 * at, 100 * at),
    );
    expect(told.at(-1)).toEqual({ value: 594, limit: 30, sinceMs: 0 });
  });

  test('ends a minute after it stopped growing', () => {
    const told = watch([...quiet, 300, 0, 0, 0, 0, 0, 0, 0]);
    expect(told.map((one) => one?.value)).toEqual([
      ...quiet.map(() => undefined),
      ...[300, 300, 300, 300, 300, 300],
      ...[undefined, undefined],
    ]);
  });

  test('is never told below its limit: while it slows down, that is the one at which it ends', () => {
    const told = watch([...quiet, 90, 61, 0, 0, 0, 0, 0, 0, 0]).slice(quiet.length);
    expect(told.map((one) => one && [one.value, one.limit])).toEqual([
      undefined,
      ...[151, 151, 151, 151, 151].map((value) => [value, 100]),
      [61, 50],
      undefined,
      undefined,
    ]);
  });

  test('is no sign when it falls: it wrapped, or its driver started again', () => {
    const watched = new RateWatch(rule);
    quiet.forEach((_, at) => watched.note(4_294_967_000, 10_000 * at));
    expect(watched.note(5000, 70_000)).toBeUndefined();
    expect(watched.note(5050, 80_000)).toBeUndefined();
    expect(watched.note(5150, 90_000)).toMatchObject({ value: 150 });
  });

  test('is no sign when it becomes the sum of other counters', () => {
    const watched = new RateWatch(rule);
    quiet.forEach((_, at) => watched.note(900, 10_000 * at, 0, '0,1'));
    // One of the files could not be read once: what it counted before comes back.
    expect(watched.note(100, 70_000, 0, '0')).toBeUndefined();
    expect(watched.note(900, 80_000, 0, '0,1')).toBeUndefined();
    expect(watched.note(910, 90_000, 0, '0,1')).toBeUndefined();
    expect(watched.note(1100, 100_000, 0, '0,1')).toMatchObject({ value: 200 });
  });

  test('is no sign before anything usual is known', () => {
    expect(watch([0, 5000, 5000]).filter(Boolean)).toEqual([]);
  });

  test('that is a part of another one is a sign only where it is a large part', () => {
    const watched = new RateWatch({ ...rule, leastShare: 0.05 });
    quiet.forEach((_, at) => watched.note(0, 10_000 * at, 100_000 * at));
    expect(watched.note(400, 70_000, 700_000)).toBeUndefined();
    expect(watched.note(40_000, 80_000, 800_000)).toMatchObject({ value: 40_000 });
  });
});
