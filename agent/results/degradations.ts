import type { Degradation, PathState } from '../model/path-state.js';
import type { ProbeHistory } from './probe-history.js';

const notDegraded: Degradation = {
  isLossy: false,
  isSlow: false,
  lost: 0,
  sinceMs: undefined,
};

/** Which series are lossy or slow, and since when. */
export class Degradations {
  readonly #history: ProbeHistory;
  readonly #nowMs: () => number;
  readonly #mayBeLossy = new Set<number>();
  /** Since when a series is lossy or slow, monotonic milliseconds: when that was first seen. */
  readonly #sinceMs = new Map<number, number>();

  /** @param nowMs the monotonic time */
  constructor(history: ProbeHistory, nowMs: () => number) {
    this.#history = history;
    this.#nowMs = nowMs;
  }

  /** Takes that a series lost a probe, or is known to lose some. */
  noteLoss(series: number): void {
    this.#mayBeLossy.add(series);
  }

  /** Forgets a series that is closed. */
  forget(series: number): void {
    this.#mayBeLossy.delete(series);
    this.#sinceMs.delete(series);
  }

  /** Whether a series in that state is lossy or slow: only a reachable path is. */
  of(series: number, { state }: PathState): Degradation {
    const isReachable = state === 'reachable';
    const isLossy = isReachable && this.#isLossy(series);
    const isSlow = isReachable && this.#history.isSlow(series);
    if (!isLossy && !isSlow) {
      // Mostly nothing is degraded, and this is called for every path.
      if (this.#sinceMs.size > 0) this.#sinceMs.delete(series);
      return notDegraded;
    }
    const sinceMs = this.#sinceMs.get(series) ?? this.#nowMs();
    this.#sinceMs.set(series, sinceMs);
    const lost = isLossy ? this.#history.isolatedLosses(series, this.#nowMs()) : 0;
    return { isLossy, isSlow, lost, sinceMs };
  }

  /** Only a series that lost a probe can be lossy, and few did, so the others are skipped. */
  #isLossy(series: number): boolean {
    if (!this.#mayBeLossy.has(series)) return false;
    const nowMs = this.#nowMs();
    if (this.#history.isLossy(series, nowMs)) return true;
    if (!this.#history.hasLosses(series, nowMs)) this.#mayBeLossy.delete(series);
    return false;
  }
}
