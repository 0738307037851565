import { expect, test } from 'vitest';
import { SendInterruptionDetector } from '../../../../../../agent/probing/icmp/kernel/send-interruption.js';

test('a send was interrupted if it took far longer than usual', () => {
  const watch = new SendInterruptionDetector();
  expect(watch.wasInterrupted(12_000)).toBe(false);
  expect(watch.wasInterrupted(3_000_000)).toBe(true);
  expect(watch.wasInterrupted(12_000)).toBe(false);
});

test('learns what is usual on a slow machine', () => {
  const watch = new SendInterruptionDetector();
  const slow = Array.from({ length: 500 }, () => watch.wasInterrupted(300_000));
  expect([slow[0], slow.at(-1)]).toEqual([true, false]);
});

test('a clock that is stepped back during a send taints only that send', () => {
  const watch = new SendInterruptionDetector();
  expect(watch.wasInterrupted(-3.6e12)).toBe(true);
  const later = Array.from({ length: 30_000 }, () => watch.wasInterrupted(12_000));
  expect(later).not.toContain(true);
  expect(watch.wasInterrupted(3_000_000)).toBe(true);
});

test('a clock that is stepped forward during a send taints only that send', () => {
  const watch = new SendInterruptionDetector();
  expect(watch.wasInterrupted(3.6e12)).toBe(true);
  expect(watch.wasInterrupted(12_000)).toBe(false);
  expect(watch.wasInterrupted(3_000_000)).toBe(true);
});
