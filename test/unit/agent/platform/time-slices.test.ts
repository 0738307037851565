import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { runAtOnce, runInSlices, type Steps } from '../../../../agent/platform/time-slices.js';

/** Ten steps of work, each longer than a time slice. */
function* work(): Steps<string> {
  for (let step = 0; step < 10; step++) {
    const untilMs = performance.now() + 5;
    while (performance.now() < untilMs);
    yield;
  }
  return 'done';
}

test('long work gives others their turns', async () => {
  let turns = 0;
  let result: string | undefined;
  const run = runInSlices(work()).then((value) => (result = value));
  while (result === undefined) {
    await setImmediate();
    turns++;
  }
  await run;
  expect(result).toBe('done');
  expect(turns).toBeGreaterThanOrEqual(9);
});

test('beside other long work it takes more of each turn, so that it ends', async () => {
  const spend = (ms: number): void => {
    const untilMs = performance.now() + ms;
    while (performance.now() < untilMs);
  };
  function* manySteps(): Steps<void> {
    for (let step = 0; step < 1000; step++) {
      spend(0.1);
      yield;
    }
  }
  let turns = 0;
  let result: string | undefined;
  const run = runInSlices(manySteps()).then(() => (result = 'done'));
  while (result === undefined) {
    await setImmediate();
    spend(6);
    turns++;
  }
  await run;
  // With slices of 0.25 ms there would be some four hundred.
  expect(turns).toBeLessThan(200);
});

test('work that is run at once gives no turn', () => {
  expect(runAtOnce(work())).toBe('done');
});

test('the run rejects with the error that the work throws', async () => {
  const failing = function* (): Steps<string> {
    yield;
    throw new Error('no');
  };
  await expect(runInSlices(failing())).rejects.toThrow('no');
});
