import { expect, test } from 'vitest';
import { shuffled } from '../../../../agent/platform/shuffled.js';

test('a shuffled list has the same items in the order that the random numbers give', () => {
  const items = [1, 2, 3, 4];
  expect(shuffled(items, () => 0)).toEqual([2, 3, 4, 1]);
  expect(shuffled(items, () => 0.999)).toEqual(items);
  expect(shuffled(items).sort()).toEqual(items);
  expect(items).toEqual([1, 2, 3, 4]);
});
