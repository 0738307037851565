import type { FailureKind, NotSentReason } from './failure.js';
import type { HttpTimings } from './sample.js';

export type Reachability = 'unknown' | 'reachable' | 'unreachable';

/** When a path's state changes. */
export interface Thresholds {
  /** Failures in a row that make a path unreachable. */
  readonly failures: number;
  /** Answers in a row that bring an unreachable path back. */
  readonly recovery: number;
}

/** What is known of one path by one protocol. Times ending in `At` are epoch milliseconds. */
export interface PathState {
  readonly state: Reachability;
  /** Since when it is in that state. It is shown to people; rules use `sinceMs`. */
  readonly sinceAt: number;
  /** The same in monotonic milliseconds: the clock of the host may be set meanwhile. */
  readonly sinceMs: number;
  /** Failures in a row. */
  readonly failures: number;
  /** Answers in a row of a path that is still unreachable. */
  readonly successes: number;
  /** The text of the last failure, while failures count. */
  readonly failure: string | undefined;
  /** The kind of the last failure, while failures count. */
  readonly failureKind: FailureKind | undefined;
  /** The last good round trip in nanoseconds. It is kept until the path is unreachable. */
  readonly rttNs: number | undefined;
  /** That round trip was taken while this process was kept from running. */
  readonly tainted: boolean;
  readonly http: HttpTimings | undefined;
  readonly lastProbedAt: number | undefined;
  /** Why the last probe could not be sent at all. */
  readonly notSent: string | undefined;
  readonly notSentReason: NotSentReason | undefined;
  /** When the newest answered probe was sent, in monotonic milliseconds. */
  readonly answeredSentMs: number;
  /** When the first of the failures in a row was sent, in monotonic milliseconds; Infinity without failures. */
  readonly failedSentMs: number;
}

/** Whether a reachable path loses probes or has become slow. */
export interface Degradation {
  readonly isLossy: boolean;
  readonly isSlow: boolean;
  /** Of a lossy path: how many of its probes were lost in ten minutes while it was not dead. */
  readonly lost: number;
  /** When this was first seen, monotonic milliseconds; undefined where it is neither. */
  readonly sinceMs: number | undefined;
}

/**
 * The state of a path that was never probed.
 * @param at epoch milliseconds
 * @param nowMs monotonic milliseconds
 */
export function initialState(at: number, nowMs: number): PathState {
  return {
    state: 'unknown',
    sinceAt: at,
    sinceMs: nowMs,
    failures: 0,
    successes: 0,
    failure: undefined,
    failureKind: undefined,
    rttNs: undefined,
    tainted: false,
    http: undefined,
    lastProbedAt: undefined,
    notSent: undefined,
    notSentReason: undefined,
    answeredSentMs: -Infinity,
    failedSentMs: Infinity,
  };
}
