import { expect, test } from 'vitest';
import { watchSuspension } from '../../../../agent/platform/suspension.js';
import { FakeClock } from '../probing/fake-clock.js';

test('tells once for how long the host was suspended, whatever the process itself was kept from', async () => {
  const clock = new FakeClock();
  const suspended: number[] = [];
  let bootedMs = 5_000_000;
  const stop = watchSuspension({
    clock,
    uptimeMs: () => bootedMs + clock.nowMs(),
    onSuspended: (ms) => suspended.push(ms),
  });
  await clock.advance(60_000);
  clock.stall(30_000);
  clock.wallOffsetMs += 3_600_000;
  await clock.advance(5000);
  expect(suspended).toEqual([]);
  bootedMs += 7_200_000;
  await clock.advance(1000);
  expect(suspended).toEqual([7_200_000]);
  bootedMs += 900;
  await clock.advance(60_000);
  expect(suspended).toEqual([7_200_000]);
  stop();
  expect(clock.pendingTimers).toBe(0);
});

test('the clocks of this host do not part while it is awake', async () => {
  const clock = new FakeClock();
  const suspended: number[] = [];
  const stop = watchSuspension({
    clock: { nowMs: () => performance.now(), after: (...of) => clock.after(...of) },
    onSuspended: (ms) => suspended.push(ms),
  });
  await clock.advance(10_000);
  expect(suspended).toEqual([]);
  stop();
});
