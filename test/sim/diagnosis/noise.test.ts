import { describe, expect, it } from 'vitest';
import { noiseHour } from './noise.js';

// `npm run sim -- noise` simulates 1,000 hours. Each hour has its own seed and cluster.
const hours = 4;

describe('a cluster without a fault', () => {
  it('makes no finding in four hours of random losses and RTTs', () => {
    const outcomes = Array.from({ length: hours }, (_, seed) => noiseHour(seed));
    const opened = outcomes.flatMap((hour, seed) =>
      hour.opened.map(({ id }) => `seed ${seed}: ${id}`),
    );
    expect(opened).toEqual([]);
    // The noise must be strong enough to make some paths lossy or slow.
    expect(outcomes.some(({ lossyPaths }) => lossyPaths > 0)).toBe(true);
  }, 120_000);
});
