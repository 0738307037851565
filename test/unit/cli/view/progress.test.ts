import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { showProgress } from '../../../../cli/view/progress.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function create(isTTY: boolean) {
  const written: string[] = [];
  return { written, stderr: { isTTY, write: (text: string) => written.push(text) } };
}

function createWait() {
  let finish: (value: number) => void = () => undefined;
  const wait = new Promise<number>((resolve) => (finish = resolve));
  return { wait, finish };
}

test('a wait shows its purpose and duration on a terminal, and leaves no trace', async () => {
  const { written, stderr } = create(true);
  const { wait, finish } = createWait();
  const shown = showProgress(stderr, 'Probing', wait);
  vi.advanceTimersByTime(2000);
  finish(7);
  expect(await shown).toBe(7);
  vi.advanceTimersByTime(5000);
  expect(written).toEqual([
    '\rProbing... 0 s\x1b[K',
    '\rProbing... 1 s\x1b[K',
    '\rProbing... 2 s\x1b[K',
    '\r\x1b[K',
  ]);
});

test('a wait that fails leaves no trace either', async () => {
  const { written, stderr } = create(true);
  await expect(showProgress(stderr, 'x', Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(written.at(-1)).toBe('\r\x1b[K');
});

test('a wait that is over soon shows nothing', async () => {
  const { written, stderr } = create(true);
  const { wait, finish } = createWait();
  const shown = showProgress(stderr, 'x', wait, 2000);
  vi.advanceTimersByTime(1999);
  finish(7);
  await shown;
  expect(written).toEqual([]);
});

test('of two waits at once the first one is shown', async () => {
  const { written, stderr } = create(true);
  const { wait, finish } = createWait();
  const both = ['first', 'second'].map((what) => showProgress(stderr, what, wait));
  vi.advanceTimersByTime(1000);
  finish(7);
  await Promise.all(both);
  expect(written).toEqual(['\rfirst... 0 s\x1b[K', '\rfirst... 1 s\x1b[K', '\r\x1b[K']);
});

test('a wait shows nothing if there is no terminal', async () => {
  const { written, stderr } = create(false);
  expect(await showProgress(stderr, 'x', Promise.resolve(1))).toBe(1);
  expect(written).toEqual([]);
});
