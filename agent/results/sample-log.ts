import type { Sample } from '../model/sample.js';
import { FailureTexts } from './failure-texts.js';
import type { MedianRtt } from '../model/median-rtt.js';
import { isEnough, type RttSummary } from './rtt-summary.js';

/** How many samples of each path and protocol are kept. */
export const keptSamples = 60;

/** One kept sample. `sentMs` is monotonic, rounded to ten milliseconds. */
export interface KeptSample {
  readonly sentMs: number;
  readonly rttNs: number | undefined;
  /** The failure text, if it failed. */
  readonly failure: string | undefined;
  readonly tainted: boolean;
}

const chunkSeries = 256;
const timeUnitMs = 10;
// A kind is twice one of these numbers, or twice a number after them for each failure text. It is
// odd if the sample is tainted.
const none = 0;
const reply = 1;
const firstFailure = 2;

interface Chunk {
  readonly rtts: Float32Array;
  readonly times: Uint32Array;
  readonly kinds: Uint8Array;
  /** Where each series' next sample goes. */
  readonly heads: Uint8Array;
}

/** Memory of one series: RTT, time and kind of each sample, and where the next one goes. */
export const sampleLogBytes = keptSamples * (4 + 4 + 1) + 1;

/**
 * The last samples of many series in a few typed arrays. Probes that were never sent are not kept.
 */
export class SampleLog {
  readonly #chunks: Chunk[] = [];
  readonly #failures = new FailureTexts();
  readonly #scratch = new Float32Array(keptSamples);

  add(series: number, sample: Sample): void {
    if (sample.outcome === 'not-sent') return;
    const { rtts, times, kinds, heads } = this.#chunk(series);
    const slot = series % chunkSeries;
    const head = heads[slot] ?? 0;
    const at = slot * keptSamples + head;
    const what =
      sample.outcome === 'reply'
        ? reply
        : firstFailure + this.#failures.codeOf(sample.kind, sample.detail);
    rtts[at] = sample.outcome === 'reply' ? sample.rttNs : 0;
    times[at] = Math.round(sample.sentMs / timeUnitMs);
    kinds[at] = 2 * what + (sample.tainted ? 1 : 0);
    heads[slot] = (head + 1) % keptSamples;
  }

  /** Forgets a series, so that its number can be used again. */
  clear(series: number): void {
    const { kinds, heads } = this.#chunk(series);
    const slot = series % chunkSeries;
    kinds.fill(none, slot * keptSamples, (slot + 1) * keptSamples);
    heads[slot] = 0;
  }

  /** The kept samples in the order in which they were sent. */
  samples(series: number): KeptSample[] {
    const { rtts, times, kinds } = this.#chunk(series);
    const from = (series % chunkSeries) * keptSamples;
    const kept: KeptSample[] = [];
    for (let at = from; at < from + keptSamples; at++) {
      const kind = kinds[at] ?? none;
      const what = kind >> 1;
      if (what === none) continue;
      kept.push({
        sentMs: (times[at] ?? 0) * timeUnitMs,
        rttNs: what === reply ? Math.round(rtts[at] ?? 0) : undefined,
        failure: what === reply ? undefined : this.#failures.textOf(what - firstFailure),
        tainted: kind % 2 === 1,
      });
    }
    return kept.sort((a, b) => a.sentMs - b.sentMs);
  }

  /** A summary of the RTTs (nearest rank). Undefined if there is no good one. */
  summary(series: number): RttSummary | undefined {
    const sorted = this.#sortedRtts(series);
    const count = sorted.length;
    if (count === 0) return undefined;
    const p95 = isEnough(0.95, count) ? { p95: rankOf(sorted, 0.95) } : {};
    return { min: rankOf(sorted, 0), p50: medianOf(sorted), ...p95, max: rankOf(sorted, 1) };
  }

  /** The median of the RTTs alone (nearest rank). Undefined if there is no good one. */
  median(series: number): MedianRtt | undefined {
    const sorted = this.#sortedRtts(series);
    if (sorted.length === 0) return undefined;
    return { rttNs: medianOf(sorted), isOfFew: !isEnough(0.95, sorted.length) };
  }

  /** The RTTs of the kept replies that are not tainted. The next call writes over them. */
  #sortedRtts(series: number): Float32Array {
    const { rtts, kinds } = this.#chunk(series);
    const from = (series % chunkSeries) * keptSamples;
    let count = 0;
    for (let at = from; at < from + keptSamples; at++) {
      if (kinds[at] === 2 * reply) this.#scratch[count++] = rtts[at] ?? 0;
    }
    return this.#scratch.subarray(0, count).sort();
  }

  #chunk(series: number): Chunk {
    return (this.#chunks[Math.floor(series / chunkSeries)] ??= {
      rtts: new Float32Array(chunkSeries * keptSamples),
      times: new Uint32Array(chunkSeries * keptSamples),
      kinds: new Uint8Array(chunkSeries * keptSamples),
      heads: new Uint8Array(chunkSeries),
    });
  }
}

function medianOf(sorted: Float32Array): number {
  return rankOf(sorted, 0.5);
}

function rankOf(sorted: Float32Array, share: number): number {
  return Math.round(sorted[Math.max(Math.ceil(share * sorted.length) - 1, 0)] ?? 0);
}
