import { describe, expect, test } from 'vitest';
import { Pacer } from '../../../../../agent/probing/schedule/pacer.js';
import { FakeClock } from '../fake-clock.js';

function createPacer(intervalMs = 1000) {
  const clock = new FakeClock();
  const visits: { readonly item: number; readonly atMs: number }[] = [];
  const visit = (item: number) => visits.push({ item, atMs: clock.nowMs() });
  const random = createRandom();
  const pacer = new Pacer<number>({
    intervalMsOf: () => intervalMs,
    grouping: { shortestMs: 5 },
    clock,
    visit,
    random,
  });
  return { clock, pacer, visits };
}

/** A linear congruential generator: every run gets the same numbers. */
function createRandom(): () => number {
  let state = 42;
  return () => (state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32) / 2 ** 32;
}

const range = (count: number, from = 0) => Array.from({ length: count }, (_, i) => from + i);
const perItem = (visits: readonly { item: number }[], item: number) =>
  visits.filter((visit) => visit.item === item).length;

describe('Pacer', () => {
  test('visits every item once an interval', async () => {
    const { clock, pacer, visits } = createPacer();
    pacer.add(range(50));
    await clock.advance(1000);
    visits.length = 0;
    await clock.advance(10_000);
    for (const item of range(50)) {
      expect(perItem(visits, item)).toBeGreaterThanOrEqual(9);
      expect(perItem(visits, item)).toBeLessThanOrEqual(11);
    }
  });

  test('spreads the visits evenly and never bursts', async () => {
    const { clock, pacer, visits } = createPacer(1000);
    pacer.add(range(100));
    await clock.advance(2000);
    visits.length = 0;
    await clock.advance(1000);
    const gaps = visits.slice(1).map(({ atMs }, i) => atMs - (visits[i]?.atMs ?? 0));
    expect(Math.max(...gaps)).toBeLessThanOrEqual(15);
    const most = Math.max(
      ...visits.map(({ atMs }) => visits.filter((v) => v.atMs === atMs).length),
    );
    expect(most).toBeLessThanOrEqual(2);
  });

  test('lets many new items wait no longer than one interval, however few items there were before', async () => {
    const { clock, pacer, visits } = createPacer(100_000);
    pacer.add([0]);
    await clock.advance(100_000);
    pacer.add(range(100, 1));
    await clock.advance(100_000 + 2000);
    expect(new Set(visits.map(({ item }) => item)).size).toBe(101);
  });

  test('visits a removed item no more', async () => {
    const { clock, pacer, visits } = createPacer(1000);
    pacer.add(range(10));
    pacer.remove(new Set(range(5)));
    await clock.advance(5000);
    expect(visits.filter(({ item }) => item < 5)).toEqual([]);
    expect(new Set(visits.map(({ item }) => item)).size).toBe(5);
  });

  test('keeps every item visited while others come and go', async () => {
    const { clock, pacer, visits } = createPacer(1000);
    pacer.add(range(20));
    for (const round of range(20)) {
      pacer.add(range(5, 100 + 5 * round));
      await clock.advance(250);
      pacer.remove(new Set(range(5, 100 + 5 * round)));
    }
    for (const item of range(20)) expect(perItem(visits, item)).toBeGreaterThanOrEqual(3);
  });

  test('keeps the turns of the others when items come and go', async () => {
    const { clock, pacer, visits } = createPacer(1000);
    pacer.add(range(20));
    await clock.advance(1000);
    const turns = visits.slice(-20).map(({ item }) => item);
    for (const round of range(10)) {
      const next = visits.findLast(({ item }) => item < 20)?.item ?? 0;
      pacer.add(range(30, 100));
      if (round % 2 === 1) pacer.remove(new Set(range(15, 115)));
      visits.length = 0;
      await clock.advance(700);
      const after = turns.indexOf(next) + 1;
      const expected = [...turns.slice(after), ...turns.slice(0, after)];
      const seen = visits.filter(({ item }) => item < 20).map(({ item }) => item);
      expect(seen).toEqual(expected.slice(0, seen.length));
      expect(seen.length).toBeGreaterThan(2);
      pacer.remove(new Set(range(30, 100)));
    }
  });

  test('shifts the visits that a stall missed instead of making up for them', async () => {
    const { clock, pacer, visits } = createPacer(1000);
    pacer.add(range(100));
    await clock.advance(2000);
    visits.length = 0;
    clock.stall(10_000);
    await clock.advance(100);
    expect(visits.length).toBeLessThanOrEqual(15);
  });

  test('does nothing after it is stopped', async () => {
    const { clock, pacer, visits } = createPacer();
    pacer.add(range(3));
    pacer.stop();
    await clock.advance(5000);
    expect(visits).toEqual([]);
    expect(clock.pendingTimers).toBe(0);
  });
});
