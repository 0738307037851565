import { setImmediate } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { latestOnly } from '../../../../agent/platform/latest-only.js';

/** Acts on values, each until the test ends it. */
function createSlow() {
  const acted: number[] = [];
  const ends: (() => void)[] = [];
  const give = latestOnly(
    (value: number) => {
      acted.push(value);
      return new Promise((resolve) => ends.push(resolve));
    },
    (error) => expect.unreachable(error.message),
  );
  return { acted, ends, give };
}

test('acts on one value after the other, and only on the last of those that came meanwhile', async () => {
  const { acted, ends, give } = createSlow();
  for (const value of [1, 2, 3]) give(value);
  expect(acted).toEqual([1]);
  ends.shift()?.();
  await setImmediate();
  expect(acted).toEqual([1, 3]);
  ends.shift()?.();
  await setImmediate();
  give(4);
  expect(acted).toEqual([1, 3, 4]);
});

test('reports an action that fails, and acts on the next value', async () => {
  const onError = vi.fn();
  const acted: number[] = [];
  const give = latestOnly((value: number) => {
    acted.push(value);
    return value === 1 ? Promise.reject(new Error('no')) : Promise.resolve();
  }, onError);
  give(1);
  await setImmediate();
  give(2);
  expect(acted).toEqual([1, 2]);
  expect(onError).toHaveBeenCalledExactlyOnceWith(new Error('no'));
});

test.each([0, 1, 2, 3, 4, 5])(
  'acts on a value that comes %i microtasks after the action before it has ended',
  async (microtasks) => {
    const { acted, ends, give } = createSlow();
    give(1);
    ends.shift()?.();
    for (let turn = 0; turn < microtasks; turn++) await Promise.resolve();
    give(2);
    await setImmediate();
    expect(acted).toEqual([1, 2]);
  },
);

test('acts on the value that waits while an action fails', async () => {
  const onError = vi.fn();
  const acted: number[] = [];
  const give = latestOnly(async (value: number) => {
    acted.push(value);
    await setImmediate();
    if (value === 1) throw new Error('no');
  }, onError);
  give(1);
  give(2);
  await vi.waitFor(() => expect(acted).toEqual([1, 2]));
  expect(onError).toHaveBeenCalledExactlyOnceWith(new Error('no'));
});
