import { describe, expect, it } from 'vitest';
import { noiseHour } from './noise.js';

// `npm run sim -- noise` runs 1,000 of them; each hour is a cluster of its own, by its seed.
const hours = 4;

describe('a cluster without a fault', () => {
  it('makes no finding in four hours of random losses and RTTs', () => {
    const outcomes = Array.from({ length: hours }, (_, seed) => noiseHour(seed));
    const opened = outcomes.flatMap((hour, seed) =>
      hour.opened.map(({ id }) => `seed ${seed}: ${id}`),
    );
    expect(opened).toEqual([]);
    // The noise is one that a path can be called lossy or slow for.
    expect(outcomes.some(({ lossyPaths }) => lossyPaths > 0)).toBe(true);
  }, 120_000);
});
