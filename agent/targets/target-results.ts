import { initialState, type PathState } from '../model/path-state.js';
import type { Plane } from '../model/path.js';
import type { Sample } from '../model/sample.js';
import type { RowTargetState } from '../model/target.js';
import type { Clock } from '../platform/clock.js';
import { nextState } from '../results/next-state.js';
import type { ProbeHistory, SeriesSummary } from '../results/probe-history.js';
import { RecentRtts } from './recent-rtts.js';
import { targetThresholds } from './target-plan.js';

/**
 * A target that changed its state, as this process sees it from one plane. That it is not known for a time is no change:
 * what is told then is how it is afterwards, if that is another state than before.
 */
export interface TargetTransition {
  readonly target: string;
  /** That of its definition. */
  readonly digest: number;
  readonly plane: Plane;
  readonly before: PathState;
  readonly after: PathState;
}

/** One DNS server of a target that began to fail or answers again, while the target as a whole is well. */
export interface ServerTransition {
  readonly target: string;
  readonly digest: number;
  readonly plane: Plane;
  /** The number of the server, in the order of the definition. */
  readonly server: number;
  readonly change: 'failure' | 'recovery';
}

/** What rows tell of a target. */
export interface TargetVerdict {
  readonly state: RowTargetState;
  /** Monotonic milliseconds. */
  readonly sinceMs: number;
}

export interface TargetResultsOptions {
  readonly clock: Pick<Clock, 'nowMs' | 'wallMs'>;
  /** Keeps the samples of many targets; `close` gives the place back. */
  readonly history: ProbeHistory;
  /** What a probe found says nothing after this time, in milliseconds, unless another probe confirmed it. */
  readonly holdsMs: () => number;
}

/**
 * What is known of one target from one plane, made of its samples by the rules of paths. It ages as paths do: where no
 * probe can be sent, or each of them is tainted, the target becomes unknown.
 */
export class TargetResults {
  readonly #clock: Pick<Clock, 'nowMs' | 'wallMs'>;
  readonly #history: ProbeHistory;
  readonly #series: number;
  readonly #recentRtts = new RecentRtts();
  readonly #holdsMs: () => number;
  /** By all samples, however old they are. */
  #state: PathState;
  #probedMs = -Infinity;
  /** How long the last finding held when it was made. A shorter interval does not make it old at once. */
  #heldMs = 0;
  /** Since when it is lossy or slow, monotonic milliseconds: when that was first seen. */
  #degradedSinceMs: number | undefined;
  #verdict: TargetVerdict | undefined;

  constructor({ clock, history, holdsMs }: TargetResultsOptions) {
    this.#clock = clock;
    this.#history = history;
    this.#series = history.open();
    this.#holdsMs = holdsMs;
    this.#state = initialState(clock.wallMs(), clock.nowMs());
  }

  /** Takes the result of a probe, and returns the state after it, by all samples. */
  record(sample: Sample): PathState {
    const before = this.#state;
    const after = nextState(before, sample, targetThresholds, this.#clock.nowMs());
    this.#state = after;
    if (confirms(after, sample)) {
      this.#probedMs = Math.max(this.#probedMs, sample.sentMs);
      this.#heldMs = this.#holdsMs();
    }
    if (before.state === 'unknown' && after.state === 'reachable') {
      this.#history.startLosses(this.#series, sample.sentMs);
    }
    this.#history.add(this.#series, withoutPhases(sample));
    if (sample.outcome === 'reply' && sample.tainted !== true)
      this.#recentRtts.add(sample.rttNs, this.#clock.nowMs());
    if (before.state === 'unreachable' && after.state !== 'unreachable') {
      this.#history.excludeOutage(this.#series, sample.sentMs);
    }
    return after;
  }

  /** What is known now. */
  get state(): PathState {
    const ageMs = this.#clock.nowMs() - this.#probedMs;
    const isOld = ageMs > Math.max(this.#holdsMs(), this.#heldMs);
    return this.#state.state !== 'unknown' && isOld ? this.#forgotten() : this.#state;
  }

  /**
   * When the last probe was sent that found what the state says, monotonic milliseconds; -Infinity for never. A
   * failure that may be the first of more, or the first answer after an outage, says nothing yet.
   */
  get probedMs(): number {
    return this.#probedMs;
  }

  /** The 99th percentile is that of the last hour, all else of the last samples. */
  summary(): SeriesSummary {
    const nowMs = this.#clock.nowMs();
    const known = this.#history.summary(this.#series, nowMs);
    const p99 = this.#recentRtts.quantileNs(0.99, nowMs);
    const { rtts } = known;
    const isKnown = rtts !== undefined && p99 !== undefined;
    // With few answers left of the last samples, the rest may be above all of an hour, whose buckets are rounded.
    const least = rtts?.p95 ?? rtts?.p50 ?? 0;
    const summary = isKnown ? { ...known, rtts: { ...rtts, p99: Math.max(p99, least) } } : known;
    if (this.state.state === 'reachable') return summary;
    return { ...summary, isLossy: false, isSlow: false };
  }

  /**
   * The state with losses and slowness in it, and since when. While probes in a row fail, it stays: they are losses, or the
   * beginning of an outage.
   */
  verdict(): TargetVerdict {
    const { state, failures } = this.state;
    const isSuspected = state === 'reachable' && failures > 0;
    if (!isSuspected || !this.#verdict) this.#verdict = this.#judge();
    return this.#verdict;
  }

  close(): void {
    this.#history.close(this.#series);
  }

  #judge(): TargetVerdict {
    const { state, sinceMs } = this.state;
    const { isLossy, isSlow } = this.summary();
    if (!isLossy && !isSlow) {
      this.#degradedSinceMs = undefined;
      return { state, sinceMs };
    }
    this.#degradedSinceMs ??= this.#clock.nowMs();
    return { state: isLossy ? 'lossy' : 'slow', sinceMs: this.#degradedSinceMs };
  }

  /** Nothing is known any more, but for why, since the last probe that said something. */
  #forgotten(): PathState {
    const { notSent, notSentReason, lastProbedAt, sinceAt } = this.#state;
    const initial = initialState(lastProbedAt ?? sinceAt, this.#probedMs);
    return { ...initial, notSent, notSentReason, lastProbedAt };
  }
}

function confirms({ state }: PathState, sample: Sample): boolean {
  if (sample.outcome === 'reply') return state === 'reachable';
  return sample.outcome === 'failure' && sample.tainted !== true && state === 'unreachable';
}

/** The whole probe counts as the RTT of a target. Of a path the handshake alone would. */
function withoutPhases(sample: Sample): Sample {
  if (sample.outcome !== 'reply' || !sample.http) return sample;
  const { sentMs, at, outcome, rttNs, tainted = false } = sample;
  return { sentMs, at, outcome, rttNs, tainted };
}
