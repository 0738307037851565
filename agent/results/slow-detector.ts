const chunkSeries = 256;

/** A path is slow only where its RTT is above this many times its usual one, and above it by so much. */
const slowFactor = 1.5;
const slowByNs = 200_000;

/** Samples after which the usual RTT is believed. */
const learningSamples = 120;
/** The usual RTT moves by this share of itself with each sample, and faster while it is new. */
const step = 1 / 256;
/** It hardly rises while the path seems slow, so that what is slow stays so for an hour or more. */
const slowStep = 1 / 8192;

/** A slow sample adds one, another takes off two: the score rises only while two thirds of all are slow. */
const slowScore = 20;
const suspectScore = 8;
const maxScore = 2 * slowScore;

interface Chunk {
  /** The usual RTT in nanoseconds: a running median. */
  readonly usualNs: Float32Array;
  readonly samples: Uint8Array;
  readonly scores: Uint8Array;
  readonly isSlow: Uint8Array;
}

/** Memory of one series. */
export const slowDetectorBytes = 4 + 1 + 1 + 1;

/**
 * Tells for many series whether the RTT has risen well above its own past.
 *
 * The past is a running median: each sample moves it by a small share of itself, up or down, whatever the
 * sample's size, so that outliers do not count for more than others. The rise is told by a score (a CUSUM of
 * signs): it takes twenty slow samples in a row, or twice as many while a fifth of them is not, to call a path
 * slow. Where less than half of all samples are above one and a half times the median, as in noise of any
 * width, the score falls faster than it rises.
 */
export class SlowDetector {
  readonly #chunks: Chunk[] = [];

  add(series: number, rttNs: number): void {
    const chunk = this.#chunk(series);
    const slot = series % chunkSeries;
    const samples = chunk.samples[slot] ?? 0;
    const usualNs = chunk.usualNs[slot] ?? 0;
    const score = chunk.scores[slot] ?? 0;
    chunk.samples[slot] = Math.min(samples + 1, 255);
    if (samples === 0) {
      chunk.usualNs[slot] = rttNs;
      return;
    }
    const isOver = rttNs > usualNs * slowFactor && rttNs > usualNs + slowByNs;
    const share = Math.max(step, 2 / (samples + 2));
    const upShare = score >= suspectScore ? slowStep : share;
    chunk.usualNs[slot] = usualNs * (rttNs > usualNs ? 1 + upShare : 1 - share);
    if (samples < learningSamples) return;
    const next = Math.min(Math.max(score + (isOver ? 1 : -2), 0), maxScore);
    chunk.scores[slot] = next;
    if (next >= slowScore) chunk.isSlow[slot] = 1;
    else if (next === 0) chunk.isSlow[slot] = 0;
  }

  /** Forgets a series, so that its number can be given to another. */
  clear(series: number): void {
    const { usualNs, samples, scores, isSlow } = this.#chunk(series);
    for (const array of [usualNs, samples, scores, isSlow]) array[series % chunkSeries] = 0;
  }

  /** Whether its RTT has risen well above its own past. */
  isSlow(series: number): boolean {
    return this.#chunk(series).isSlow[series % chunkSeries] === 1;
  }

  #chunk(series: number): Chunk {
    return (this.#chunks[Math.floor(series / chunkSeries)] ??= {
      usualNs: new Float32Array(chunkSeries),
      samples: new Uint8Array(chunkSeries),
      scores: new Uint8Array(chunkSeries),
      isSlow: new Uint8Array(chunkSeries),
    });
  }
}
