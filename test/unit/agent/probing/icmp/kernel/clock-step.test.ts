import { expect, test } from 'vitest';
import { ClockStepDetector } from '../../../../../../agent/probing/icmp/kernel/clock-step.js';

/** A system clock that a test sets to any lead over the monotonic clock. */
function watchClock(uncertainNs = 1000) {
  const lead = { seconds: 1_700_000_000, nanoseconds: 0, uncertainNs };
  const watch = new ClockStepDetector(() => ({ ...lead }));
  return { lead, watch };
}

test('a clock that only runs was not stepped', () => {
  const { watch } = watchClock();
  const sinceMs = performance.now();
  watch.check();
  expect(watch.steppedSince(sinceMs)).toBe(false);
});

test.each([
  ['an hour forward', 3600, 0],
  ['an hour back', -3600, 0],
  ['a millisecond forward', 0, 1e6],
  ['a millisecond back', 0, -1e6],
  ['forward across a second', 1, -999e6],
])('notices a step of %s, for what began before it alone', async (_, seconds, nanoseconds) => {
  const { lead, watch } = watchClock();
  const beforeMs = performance.now();
  lead.seconds += seconds;
  lead.nanoseconds += nanoseconds;
  watch.check();
  expect(watch.steppedSince(beforeMs)).toBe(true);
  await new Promise((resolve) => setTimeout(resolve, 2));
  const afterMs = performance.now();
  watch.check();
  expect([watch.steppedSince(beforeMs), watch.steppedSince(afterMs)]).toEqual([true, false]);
});

test('does not take the time of reading the clocks for a step', () => {
  const { lead, watch } = watchClock(5e6);
  lead.nanoseconds += 4e6;
  watch.check();
  expect(watch.steppedSince(0)).toBe(false);
});
