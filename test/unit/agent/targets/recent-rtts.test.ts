import { expect, test } from 'vitest';
import { RecentRtts, recentRttsMs } from '../../../../agent/targets/recent-rtts.js';
import { Random } from '../../../fuzz/random.js';

test('the 99th percentile is told of a hundred round trips or more, and is no maximum', () => {
  const rtts = new RecentRtts();
  for (let count = 1; count < 100; count++) rtts.add(1e6, 0);
  expect(rtts.quantileNs(0.99, 0)).toBeUndefined();
  rtts.add(50e6, 0);
  expect((rtts.quantileNs(0.99, 0) ?? NaN) / 1e6).toBeCloseTo(1, 1);
  rtts.add(50e6, 0);
  expect((rtts.quantileNs(0.99, 0) ?? NaN) / 50e6).toBeCloseTo(1, 1);
});

test('is that of the sorted round trips, within 2.5 %, from a microsecond to an hour', () => {
  const random = new Random(1);
  for (const most of [20e3, 3e6, 900e6, 3.6e12]) {
    const rtts = new RecentRtts();
    const all = Array.from({ length: 5000 }, () => 1000 + random.next() ** 3 * most);
    for (const rtt of all) rtts.add(rtt, 0);
    all.sort((a, b) => a - b);
    for (const share of [0.5, 0.9, 0.99]) {
      const exact = all[Math.ceil(share * all.length) - 1] ?? NaN;
      const told = rtts.quantileNs(share, 0) ?? NaN;
      expect(Math.abs(told / exact - 1)).toBeLessThan(0.025);
    }
  }
});

test('forgets what is older than an hour, and nothing sooner than a slot before that', () => {
  const rtts = new RecentRtts();
  for (let count = 0; count < 200; count++) rtts.add(80e6, 0);
  for (let minute = 1; minute <= 55; minute++)
    for (let count = 0; count < 10; count++) rtts.add(1e6, minute * 60_000);
  expect(rtts.quantileNs(0.99, 55 * 60_000)).toBeGreaterThan(70e6);
  expect(rtts.quantileNs(0.99, recentRttsMs)).toBeLessThan(2e6);
  expect(rtts.quantileNs(0.99, 3 * recentRttsMs)).toBeUndefined();
});
