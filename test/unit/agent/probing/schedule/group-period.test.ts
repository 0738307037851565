import { describe, expect, test } from 'vitest';
import { groupings, groupPeriodMs } from '../../../../../agent/probing/schedule/group-period.js';
import { Pacer } from '../../../../../agent/probing/schedule/pacer.js';
import { FakeClock } from '../fake-clock.js';

describe('groupPeriodMs', () => {
  test('is longer where few items are visited', () => {
    const echoes = (nodes: number) => groupPeriodMs(1000, 2 * nodes, groupings.kernel);
    expect([1, 12, 25, 50, 100].map(echoes)).toEqual([500, 500, 500, 250, 100]);
    const gets = (nodes: number) => groupPeriodMs(5000, 2 * nodes, groupings.http);
    expect([1, 12, 20, 40, 100].map(gets)).toEqual([500, 500, 500, 250, 100]);
  });

  test('is the shortest one where a longer one would have too many', () => {
    expect(groupPeriodMs(1000, 300, groupings.kernel)).toBe(groupings.kernel.shortestMs);
    expect(groupPeriodMs(1000, 2, groupings['net-ping'])).toBe(5);
  });

  test('divides the interval', () => {
    expect(groupPeriodMs(1250, 2, groupings.kernel)).toBe(250);
    expect(groupPeriodMs(700, 2, groupings.kernel)).toBe(100);
    expect(groupPeriodMs(333, 2, groupings.kernel)).toBe(groupings.kernel.shortestMs);
  });
});

/** The times of all visits within a minute, after the first ten seconds. */
async function visitsOf(items: number, intervalMs: number, startMs = 0) {
  const clock = new FakeClock();
  await clock.advance(startMs);
  const visits: { readonly item: number; readonly atMs: number }[] = [];
  const pacer = new Pacer<number>({
    intervalMsOf: () => intervalMs,
    grouping: groupings.kernel,
    clock,
    visit: (item) => visits.push({ item, atMs: clock.nowMs() }),
  });
  pacer.add(Array.from({ length: items }, (_, item) => item));
  await clock.advance(10_000);
  visits.length = 0;
  await clock.advance(60_000);
  pacer.stop();
  return visits;
}

describe('Pacer with groups', () => {
  test.each([2, 7, 24, 111])(
    'visits each of %d items once an interval, on beats',
    async (items) => {
      const visits = await visitsOf(items, 1000, 123);
      const periodMs = groupPeriodMs(1000, items, groupings.kernel);
      expect(visits.length).toBeGreaterThan(59 * items);
      for (let item = 0; item < items; item++) {
        const times = visits.filter((visit) => visit.item === item).map(({ atMs }) => atMs);
        const gaps = times.slice(1).map((atMs, i) => atMs - (times[i] as number));
        expect(Math.max(...gaps)).toBeLessThanOrEqual(1000.1);
      }
      for (const { atMs } of visits)
        expect(Math.abs(atMs - Math.round(atMs / periodMs) * periodMs)).toBeLessThan(0.1);
    },
  );

  test('makes no more visits at once than fit into a group', async () => {
    const visits = await visitsOf(24, 1000);
    const atOnce = new Map<number, number>();
    for (const { atMs } of visits) atOnce.set(atMs, (atOnce.get(atMs) ?? 0) + 1);
    expect(Math.max(...atOnce.values())).toBeLessThanOrEqual(13);
    expect(atOnce.size).toBeLessThanOrEqual(121);
  });

  test('two rounds of one process fall on the same beats', async () => {
    const [first, second] = [await visitsOf(24, 1000, 77), await visitsOf(3, 5000, 77)];
    const beats = new Set(first.map(({ atMs }) => atMs));
    for (const { atMs } of second) expect(beats).toContain(atMs);
  });
});
