/** What one measurement, of one direction on one plane, may take at the most: whoever asks, and whichever end. */
export const throughputLimits = {
  seconds: { min: 0.1, max: 30, standard: 5 },
  bytes: { min: 1_000_000, max: 10_000_000_000, standard: 100_000_000 },
  streams: { min: 1, max: 16, standard: 4 },
} as const;
/** What took less says nothing of a rate: the buffers of both ends hold as much. */
export const shortestMeasuredSeconds = 0.02;
/** How many tests an agent remembers. */
export const keptThroughputTests = 10;
