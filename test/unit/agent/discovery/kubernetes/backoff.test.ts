import { expect, test } from 'vitest';
import { defaultTimings } from '../../../../../agent/discovery/kubernetes/list-watch-timings.js';
import { Backoff } from '../../../../../agent/discovery/kubernetes/backoff.js';

test('delays double up to a limit, are stretched at random, and start anew after a quiet time', () => {
  let [now, random] = [0, 0];
  const backoff = new Backoff({
    firstMs: 800,
    maxMs: 30_000,
    healthyMs: 120_000,
    now: () => now,
    random: () => random,
  });
  const next = () => {
    const delayMs = backoff.next();
    now += delayMs;
    return delayMs;
  };
  expect(Array.from({ length: 8 }, next)).toEqual([
    800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000,
  ]);
  random = 0.5;
  expect(next()).toBe(45_000);
  now += 120_000;
  expect(next()).toBe(45_000);
  now += 120_001;
  expect(next()).toBe(1200);
});

test('a server that comes back after any outage is noticed within 30 s, by a quiet watch too', () => {
  let now = 0;
  const backoff = new Backoff({ ...defaultTimings.backoff, random: () => 1, now: () => now });
  const connectMs = 5000;
  const { shortLivedMs } = defaultTimings;
  for (const outageMs = 86_400_000; now < outageMs;) {
    const delayMs = backoff.next();
    expect(delayMs + connectMs + shortLivedMs).toBeLessThanOrEqual(30_000);
    now += delayMs + connectMs;
  }
});
