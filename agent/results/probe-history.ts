import { answeringFailures } from '../model/failure.js';
import type { MedianRtt } from '../model/median-rtt.js';
import type { Sample } from '../model/sample.js';
import { LossLog, lossLogBytes, type Loss } from './loss-log.js';
import { SlowDetector, slowDetectorBytes } from './slow-detector.js';
import type { RttSummary } from './rtt-summary.js';
import { SampleLog, sampleLogBytes, type KeptSample } from './sample-log.js';

/** Memory that the history of one path takes, both protocols together. */
export const historyBytesPerPath = 2 * (sampleLogBytes + lossLogBytes + slowDetectorBytes);

/** The summary of the history of one path and protocol. */
export interface SeriesSummary {
  readonly rtts: RttSummary | undefined;
  readonly loss: Loss;
  /** It loses probes without being dead. */
  readonly isLossy: boolean;
  /** Its RTT has risen well above its own past. */
  readonly isSlow: boolean;
}

/** The last samples and the losses of every path and protocol, in memory of a fixed size for each. */
export class ProbeHistory {
  readonly #samples = new SampleLog();
  readonly #losses = new LossLog();
  readonly #slow = new SlowDetector();
  /** Until when series lose probes because some of their flows never pass; few have any. */
  readonly #stickyUntilMs = new Map<number, number>();
  readonly #free: number[] = [];
  #next = 0;

  /** The number of a new, empty series. */
  open(): number {
    return this.#free.pop() ?? this.#next++;
  }

  close(series: number): void {
    this.#samples.clear(series);
    this.#losses.clear(series);
    this.#slow.clear(series);
    this.#stickyUntilMs.delete(series);
    this.#free.push(series);
  }

  /** A tainted failure is kept and shown, but is no loss. */
  add(series: number, sample: Sample): void {
    this.#samples.add(series, sample);
    if (sample.outcome === 'reply') {
      this.#losses.add(series, sample.sentMs, 'answered');
      const rttNs = sample.tainted ? undefined : pathRttNs(sample);
      if (rttNs !== undefined) this.#slow.add(series, rttNs);
    } else if (sample.outcome === 'failure' && !sample.tainted) {
      const outcome = answeringFailures.has(sample.kind) ? 'rejected' : 'lost';
      this.#losses.add(series, sample.sentMs, outcome);
    }
  }

  /** The path answered for the first time. Losses before that do not count. */
  startLosses(series: number, beforeMs: number): void {
    this.#losses.clear(series);
    this.#losses.excludeOutage(series, beforeMs);
  }

  /** The path was dead and is back. Probes that were lost before then do not make it lossy. */
  excludeOutage(series: number, beforeMs: number): void {
    this.#losses.excludeOutage(series, beforeMs);
  }

  samples(series: number): KeptSample[] {
    return this.#samples.samples(series);
  }

  /** The median of the kept RTTs; undefined if there is none. */
  medianRtt(series: number): MedianRtt | undefined {
    return this.#samples.median(series);
  }

  /** Whether its RTT has risen well above its own past. */
  isSlow(series: number): boolean {
    return this.#slow.isSlow(series);
  }

  /** Whether it loses probes without being dead. */
  isLossy(series: number, nowMs: number): boolean {
    return this.#losses.isLossy(series, nowMs) || nowMs < (this.#stickyUntilMs.get(series) ?? 0);
  }

  /** How many probes it lost in ten minutes without being dead. */
  isolatedLosses(series: number, nowMs: number): number {
    return this.#losses.isolated(series, nowMs);
  }

  /** Some flows of it never pass and others do, as a test showed: it loses probes until then. */
  setSticky(series: number, untilMs: number): void {
    this.#stickyUntilMs.set(series, untilMs);
  }

  /** Whether it lost any probe in the last ten minutes. */
  hasLosses(series: number, nowMs: number): boolean {
    return (this.#losses.loss(series, nowMs).loss10m ?? 0) > 0;
  }

  summary(series: number, nowMs: number): SeriesSummary {
    return {
      rtts: this.#samples.summary(series),
      loss: this.#losses.loss(series, nowMs),
      isLossy: this.isLossy(series, nowMs),
      isSlow: this.#slow.isSlow(series),
    };
  }
}

/**
 * The RTT of the path itself. For an HTTP probe it is that of the handshake as the kernels measured
 * it, since the whole exchange takes longer when this host is busy. Undefined if the handshake
 * needed more than one try.
 */
function pathRttNs({ rttNs, http }: Extract<Sample, { outcome: 'reply' }>): number | undefined {
  if (http?.tcpRttNs === undefined) return rttNs;
  return http.synRetransmissions ? undefined : http.tcpRttNs;
}
