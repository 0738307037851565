import { beforeEach, describe, expect, test } from 'vitest';
import { hopsOfTtl, UsualHops } from '../../../../agent/results/usual-hops.js';

describe('the hops of a reply', () => {
  test.each([
    [64, 1],
    [61, 4],
    [1, 64],
    [128, 1],
    [65, 64],
    [120, 9],
    [255, 1],
    [250, 6],
    [129, 127],
  ])('whose TTL is %i are %i', (ttl, hops) => expect(hopsOfTtl(ttl)).toBe(hops));
});

describe('the usual hops of a series', () => {
  let hops: UsualHops;
  beforeEach(() => (hops = new UsualHops()));

  test('are those of its first reply, and none before', () => {
    expect(hops.of(0)).toBeUndefined();
    expect(hops.note(0, 61)).toBeUndefined();
    expect([hops.of(0), hops.of(1)]).toEqual([4, undefined]);
  });

  test('change with the third reply in a row that took as many others', () => {
    const told = [61, 61, 59, 59, 59, 59].map((ttl) => hops.note(7, ttl));
    const none = undefined;
    expect(told).toEqual([none, none, none, none, { before: 4, after: 6 }, none]);
    expect(hops.of(7)).toBe(6);
  });

  test('stay where equal paths of other lengths take turns', () => {
    for (let round = 0; round < 50; round++) {
      for (const ttl of [61, 59, 59, 58, 58, 59]) expect(hops.note(3, ttl)).toBeUndefined();
    }
    expect(hops.of(3)).toBe(4);
  });

  test('are kept apart, however many series there are, and forgotten with their path', () => {
    for (let series = 0; series < 40_000; series++) hops.note(series, 64 - (series % 20));
    for (const series of [0, 19, 1024, 39_999]) expect(hops.of(series)).toBe((series % 20) + 1);
    hops.clear(1024);
    hops.clear(1_000_000);
    expect([hops.of(1023), hops.of(1024), hops.of(1025)]).toEqual([4, undefined, 6]);
  });
});
