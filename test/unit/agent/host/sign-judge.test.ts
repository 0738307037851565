import { describe, expect, test } from 'vitest';
import type { Measure } from '../../../../agent/host/measure.js';
import { SignJudge } from '../../../../agent/host/sign-judge.js';

const table = (value: number, limit = 1000): Measure => ({
  sign: 'conntrack-full',
  about: '',
  value,
  limit,
});

/** What is told after readings of ten seconds. */
function judged(...readings: readonly (readonly Measure[])[]) {
  const judge = new SignJudge();
  return readings.map((measures, at) => {
    judge.note(measures, 10_000 * at);
    return judge.signs;
  });
}

describe('a table', () => {
  test('is a sign from nine tenths on, since the first reading that says so', () => {
    const [below, at, full] = judged([table(899)], [table(900)], [table(1000)]);
    expect(below).toEqual([]);
    expect(at).toMatchObject([
      { sign: 'conntrack-full', value: 900, limit: 1000, sinceMs: 10_000 },
    ]);
    expect(full).toMatchObject([{ value: 1000, sinceMs: 10_000 }]);
  });

  test('that was full at the first reading began then or before, the next time it is known', () => {
    const told = judged([table(1000)], [table(950)], [table(100)], [table(1000)]);
    expect(told.map(([sign]) => sign?.orBefore)).toEqual([true, true, undefined, undefined]);
    expect(told[1]).toMatchObject([{ sinceMs: 0 }]);
    expect(told[3]).toMatchObject([{ sinceMs: 30_000 }]);
  });

  test('does not come and go around the limit', () => {
    const told = judged([table(900)], [table(880)], [table(851)], [table(849)], [table(880)]);
    expect(told.map((signs) => signs.length)).toEqual([1, 1, 1, 0, 0]);
  });

  test('that is not shown any more is no sign', () => {
    expect(judged([table(1000)], []).at(-1)).toEqual([]);
  });
});

test('a clock does not come and go around its limit, and is never told below the limit', () => {
  const clock = (value: number): Measure => ({ sign: 'clock-offset', about: 'behind', value });
  const told = judged([clock(499)], [clock(500)], [clock(250)], [clock(249)], [clock(499)]);
  expect(told.map((signs) => signs.map(({ value, limit }) => [value, limit]))).toEqual([
    [],
    [[500, 500]],
    [[250, 250]],
    [],
    [],
  ]);
});

test('connects without a port are a sign from the third in a minute on, until there is none', () => {
  const ports = (value: number): Measure => ({
    sign: 'ports-exhausted',
    about: '20000-20009',
    value,
    outOf: 41,
  });
  const told = judged([ports(2)], [ports(3)], [ports(1)], [ports(0)]);
  expect(told.map((signs) => signs.map(({ value, limit }) => [value, limit]))).toEqual([
    [],
    [[3, 41]],
    [[1, 41]],
    [],
  ]);
});

test('a link that is slower than it was is a sign until it is as fast again', () => {
  const link = (value: number, highest: number): Measure => ({
    sign: 'link-speed',
    about: 'eth0',
    value,
    highest,
  });
  const told = judged([link(1000, 1000)], [link(100, 1000)], [link(100, 1000)], [link(1000, 1000)]);
  expect(told.map((signs) => signs.length)).toEqual([0, 1, 1, 0]);
  expect(told[2]).toMatchObject([
    { sign: 'link-speed', about: 'eth0', value: 100, limit: 1000, sinceMs: 10_000 },
  ]);
});

test('errors of many interfaces are at most eight signs, and a figure told twice is told once', () => {
  const errors = (count: number): Measure[] =>
    Array.from({ length: 500 }, (_, at) => ({
      sign: 'interface-errors',
      about: `eth${at % 40}`,
      count,
    }));
  const told = judged(...[0, 0, 0, 0, 0, 900].map(errors)).at(-1) ?? [];
  expect(told).toHaveLength(8);
  expect(new Set(told.map(({ about }) => about)).size).toBe(8);
});
