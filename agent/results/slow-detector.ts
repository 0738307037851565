const chunkSeries = 256;

/**
 * A path is slow only if its RTT is this many times its usual RTT, and larger by at least this
 * much.
 */
const slowFactor = 1.5;
const slowByNs = 200_000;

/** After so many samples the usual RTT is used, with wider bounds. A large cluster probes a path once in minutes. */
const learningSamples = 40;
/** After so many samples the bounds are those above. Before, an error of the usual RTT falls with the root of their number. */
const certainSamples = 120;
/** The usual RTT moves by this share of itself with each sample, and faster while it is new. */
const step = 1 / 256;
/**
 * The usual RTT hardly rises while the path seems slow, so that a slow path stays slow for an hour
 * or more.
 */
const slowStep = 1 / 8192;

/**
 * A slow sample adds one to the score, any other subtracts two: the score rises only if two thirds
 * of all samples are slow.
 */
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
 * The past is a running median: each sample moves it up or down by a small share, whatever the size
 * of the sample, so outliers count no more than others. A score (a CUSUM of signs) detects the
 * rise. It takes twenty slow samples in a row to call a path slow, or twice as many if a fifth of
 * them is not slow. In noise less than half of all samples are above one and a half times the
 * median, so the score falls faster than it rises.
 *
 * The usual RTT is used from 40 samples on, with the factor `1.5 * sqrt(120 / samples)`: 2.6 at first, 1.5 from 120 on.
 * Each of so few samples also moves the usual RTT far, so what is found at first is an RTT that rose to five times or more.
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
    const isLearnt = samples >= learningSamples;
    const widen = Math.sqrt(certainSamples / Math.min(samples, certainSamples));
    const isOver = rttNs > usualNs * slowFactor * widen && rttNs > usualNs + slowByNs * widen;
    const share = Math.max(step, 2 / (samples + 2));
    const upShare = score >= suspectScore ? slowStep : share;
    chunk.usualNs[slot] = usualNs * (rttNs > usualNs ? 1 + upShare : 1 - share);
    if (!isLearnt) return;
    const next = Math.min(Math.max(score + (isOver ? 1 : -2), 0), maxScore);
    chunk.scores[slot] = next;
    if (next >= slowScore) chunk.isSlow[slot] = 1;
    else if (next === 0) chunk.isSlow[slot] = 0;
  }

  /** Forgets a series, so that its number can be used again. */
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
