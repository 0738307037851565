import { beforeEach, describe, expect, test } from 'vitest';
import { SlowDetector } from '../../../../agent/results/slow-detector.js';

/** Random numbers from 0 to below 1 (mulberry32). Every run gets the same ones. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** RTTs around a median, with log-normal noise of this sigma. */
function createNoise(medianNs: number, sigma: number, seed = 1): () => number {
  const random = randomFrom(seed);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return () => medianNs * Math.exp(sigma * normal());
}

const add = (detector: SlowDetector, count: number, rttNs: () => number, series = 0): void => {
  for (let i = 0; i < count; i++) detector.add(series, rttNs());
};

/** The number of samples until the series is as expected; Infinity if it never is. */
function samplesUntil(detector: SlowDetector, slow: boolean, rttNs: () => number): number {
  for (let count = 1; count <= 100_000; count++) {
    detector.add(0, rttNs());
    if (detector.isSlow(0) === slow) return count;
  }
  return Infinity;
}

describe('SlowDetector', () => {
  let detector: SlowDetector;
  beforeEach(() => (detector = new SlowDetector()));

  test('calls a path slow some twenty samples after its RTT has doubled, and not slow soon after it fell', () => {
    add(detector, 300, createNoise(1e6, 0.1));
    expect(detector.isSlow(0)).toBe(false);
    expect(samplesUntil(detector, true, createNoise(2e6, 0.1))).toBeLessThan(30);
    add(detector, 100, createNoise(2e6, 0.1));
    expect(detector.isSlow(0)).toBe(true);
    expect(samplesUntil(detector, false, createNoise(1e6, 0.1))).toBeLessThan(30);
  });

  test('keeps calling it slow for at least half an hour of one sample a second', () => {
    add(detector, 300, () => 1e6);
    add(detector, 1800, () => 2e6);
    expect(detector.isSlow(0)).toBe(true);
  });

  test('takes a lasting rise for the usual RTT in the end', () => {
    add(detector, 300, () => 1e6);
    expect(samplesUntil(detector, true, () => 2e6)).toBeLessThan(30);
    expect(samplesUntil(detector, false, () => 2e6)).toBeLessThan(20_000);
  });

  test.each([0.2, 0.5, 1, 1.5])('calls no noise of sigma %d slow', (sigma) => {
    const series = 200;
    let slow = 0;
    for (let number = 0; number < series; number++) {
      const rttNs = createNoise(2e6, sigma, number + 1);
      for (let i = 0; i < 1000; i++) {
        detector.add(number, rttNs());
        if (detector.isSlow(number)) slow++;
      }
    }
    expect(slow).toBe(0);
  });

  test.each([0.2, 0.5, 1])(
    'calls no noise of sigma %d slow while it knows few samples',
    (sigma) => {
      let slow = 0;
      const rttNs = createNoise(2e6, sigma);
      for (let number = 0; number < 4000; number++) {
        for (let i = 0; i < 160; i++) {
          detector.add(number, rttNs());
          if (detector.isSlow(number)) slow++;
        }
      }
      expect(slow).toBe(0);
    },
  );

  test('finds a rise to six times the usual RTT from its fortieth sample on, and to the double once it knows many', () => {
    const series = 100;
    const slowWithin = (known: number, factor: number): number => {
      let found = 0;
      for (let seed = 1; seed <= series; seed++) {
        const detector = new SlowDetector();
        add(detector, known, createNoise(1e6, 0.1, seed));
        const rttNs = createNoise(factor * 1e6, 0.1, seed + series);
        let isFound = false;
        for (let i = 0; i < 40; i++) {
          detector.add(0, rttNs());
          isFound ||= detector.isSlow(0);
        }
        if (isFound) found++;
      }
      return found;
    };
    expect(slowWithin(40, 6)).toBe(series);
    // What is not certain with so few is taken for the usual RTT.
    expect(slowWithin(40, 2)).toBe(0);
    expect(slowWithin(300, 2)).toBe(series);
  });

  test('calls a rise of less than 200 us or by less than half not slow', () => {
    add(detector, 300, () => 20_000);
    add(detector, 500, () => 210_000);
    expect(detector.isSlow(0)).toBe(false);
    add(detector, 300, () => 50e6, 1);
    add(detector, 500, () => 70e6, 1);
    expect(detector.isSlow(1)).toBe(false);
  });

  test('ignores outliers, even if every third sample is one', () => {
    let i = 0;
    add(detector, 3000, () => (i++ % 3 === 0 ? 500e6 : 1e6));
    expect(detector.isSlow(0)).toBe(false);
    expect(samplesUntil(detector, true, () => 2e6)).toBeLessThan(30);
  });

  test('calls no path slow before it knows the usual RTT', () => {
    add(detector, 5, () => 1e6);
    add(detector, 114, () => 9e6);
    expect(detector.isSlow(0)).toBe(false);
  });

  test('forgets a series whose number is given to another', () => {
    add(detector, 300, () => 1e6);
    add(detector, 100, () => 3e6);
    expect(detector.isSlow(0)).toBe(true);
    detector.clear(0);
    expect(detector.isSlow(0)).toBe(false);
    add(detector, 500, () => 3e6);
    expect(detector.isSlow(0)).toBe(false);
  });
});
