import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { showProgress } from '../../../../cli/view/progress.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function create(isTTY: boolean) {
  const written: string[] = [];
  return { written, stderr: { isTTY, write: (text: string) => written.push(text) } };
}

test('a wait shows its purpose and duration on a terminal, and leaves no trace', async () => {
  const { written, stderr } = create(true);
  let finish: (value: number) => void = () => undefined;
  const shown = showProgress(
    stderr,
    'Probing',
    new Promise<number>((resolve) => (finish = resolve)),
  );
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

test('a wait shows nothing if there is no terminal', async () => {
  const { written, stderr } = create(false);
  expect(await showProgress(stderr, 'x', Promise.resolve(1))).toBe(1);
  expect(written).toEqual([]);
});
