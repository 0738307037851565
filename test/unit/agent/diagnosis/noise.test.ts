import { describe, expect, it } from 'vitest';
import { noiseHour } from '../../../sim/diagnosis/noise.js';

// MESHPROBE_NOISE_HOURS=1000 runs as many hours; each hour is a cluster of its own, by its seed.
const hours = Number(process.env['MESHPROBE_NOISE_HOURS'] ?? 4);

describe('a cluster without a fault', () => {
  it('makes at most one finding in 1,000 hours of random loss', () => {
    const opened = Array.from({ length: hours }, (_, seed) =>
      noiseHour(seed).map(({ id }) => `seed ${seed}: ${id}`),
    ).flat();
    expect(opened.slice(Math.floor(hours / 1000))).toEqual([]);
  }, 3_600_000);
});
