import { describe, expect, test } from 'vitest';
import { median, percentile, summarise } from '../../bench/statistics.js';

const upTo = (last: number): number[] => Array.from({ length: last }, (_, index) => index + 1);

describe('percentile', () => {
  test('is a number that was measured, whatever the order', () => {
    expect(percentile([30, 10, 20, 40], 0.5)).toBe(20);
    expect(percentile(upTo(100).reverse(), 0.99)).toBe(99);
    expect(percentile(upTo(1000), 0.999)).toBe(999);
  });

  test('reaches both ends', () => {
    expect(percentile([3, 1, 2], 0)).toBe(1);
    expect(percentile([3, 1, 2], 1)).toBe(3);
  });

  test('of numbers of different length goes by size, not by spelling', () => {
    expect(median([9, 10, 100])).toBe(10);
  });

  test('of nothing is no number', () => {
    expect(percentile([], 0.5)).toBeNaN();
  });
});

describe('summarise', () => {
  test('says all at once and leaves what it was given alone', () => {
    const numbers = upTo(200).reverse();
    expect(summarise(numbers)).toEqual({
      count: 200,
      min: 1,
      median: 100,
      p90: 180,
      p99: 198,
      max: 200,
      mean: 100.5,
    });
    expect(numbers[0]).toBe(200);
  });

  test('of nothing has a count and no figures', () => {
    const { count, ...figures } = summarise([]);
    expect(count).toBe(0);
    expect(Object.values(figures).every(Number.isNaN)).toBe(true);
  });
});
