import { expect, onTestFinished, test, vi } from 'vitest';
import type { Path } from '../../../../agent/model/path.js';
import { runInSlices } from '../../../../agent/platform/time-slices.js';
import type { GetOutcome } from '../../../../agent/path-tests/large/large-get.js';
import { LargePaths } from '../../../../agent/path-tests/large/large-paths.js';
import { startLargeTester } from '../../../../agent/path-tests/large/large-tester.js';

const paths = Array.from({ length: 20 }, (_, at): Path => ({
  node: `c/n${at}`,
  plane: 'host',
  ip: `192.0.2.${at}`,
}));

function after(delayMs: number, callback: () => void): () => void {
  const timer = setTimeout(callback, delayMs);
  return () => clearTimeout(timer);
}

/** A tester whose large GETs take so long and end in that. It says when each began, in seconds. */
function start(outcome: GetOutcome, getMs: number, tested = paths) {
  vi.useFakeTimers({ now: 0 });
  const known = new LargePaths();
  const began: number[] = [];
  let [running, mostRunning] = [0, 0];
  const tester = startLargeTester({
    paths: known,
    clock: { nowMs: () => Date.now(), wallMs: () => Date.now(), after },
    get: async (_, isLarge) => {
      if (!isLarge) return 'answered';
      began.push(Date.now() / 1000);
      mostRunning = Math.max(mostRunning, ++running);
      await new Promise((resolve) => setTimeout(resolve, getMs));
      running--;
      return outcome;
    },
    findLimit: () => Promise.resolve(undefined),
    refresh: () => runInSlices(known.setPaths(tested, tested.length, Date.now())),
    onLost: () => undefined,
    onLimit: () => undefined,
    onMended: () => undefined,
  });
  onTestFinished(() => {
    tester.stop();
    vi.useRealTimers();
  });
  return { known, began, tester, most: () => mostRunning };
}

test('one path a second is tested, and each once', async () => {
  const { began } = start('answered', 10);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(began).toHaveLength(paths.length);
  expect(began.every((at, index) => index === 0 || at - (began[index - 1] ?? 0) >= 1)).toBe(true);
});

test('lost GETs hold up no others, and eight are under way at the most', async () => {
  const { known, began, most } = start('lost-there', 30_000);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(began).toHaveLength(8);
  await vi.advanceTimersByTimeAsync(300_000);
  expect([most(), known.lost > 0]).toEqual([8, true]);
});

test('a path is judged within seconds once it was lost', async () => {
  const { known, began } = start('lost-there', 3500, paths.slice(0, 1));
  await vi.advanceTimersByTimeAsync(5000 + 3 * 3500 + 2 * 2000);
  expect(began.slice(0, 3)).toEqual([5, 10.5, 16]);
  expect(known.lost).toBe(1);
});

test('it wakes for a path that is due at once', async () => {
  const { known, began, tester } = start('answered', 10);
  await vi.advanceTimersByTimeAsync(60_000);
  const [path] = paths;
  if (path) known.hurry(path, Date.now());
  tester.wake();
  await vi.advanceTimersByTimeAsync(1000);
  expect(began).toHaveLength(paths.length + 1);
});
