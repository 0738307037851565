import type { HttpTimings, Sample } from '../model/sample.js';

export type State = 'unknown' | 'reachable' | 'unreachable';

/** When a path's state changes. */
export interface Thresholds {
  /** Failures in a row that make a path unreachable. */
  readonly failures: number;
  /** Answers in a row that bring an unreachable path back. */
  readonly recovery: number;
}

/** What is known of one path by one protocol. Times ending in `At` are epoch milliseconds. */
export interface Judgement {
  readonly state: State;
  /** Since when it is in that state. */
  readonly sinceAt: number;
  /** Failures in a row. */
  readonly failures: number;
  /** Answers in a row of a path that is unreachable still. */
  readonly successes: number;
  /** The last failure's words, while failures count. */
  readonly failure: string | undefined;
  /** The last good round trip in nanoseconds; it stands until the path is unreachable. */
  readonly rttNs: number | undefined;
  /** That round trip was taken while this process was kept from running. */
  readonly tainted: boolean;
  readonly http: HttpTimings | undefined;
  readonly lastProbedAt: number | undefined;
  /** Why the last probe could not be sent at all. */
  readonly notSent: string | undefined;
  /** When the newest answered probe was sent, in monotonic milliseconds. */
  readonly answeredSentMs: number;
}

/** The judgement of a path never probed. */
export function unjudged(at: number): Judgement {
  return {
    state: 'unknown',
    sinceAt: at,
    failures: 0,
    successes: 0,
    failure: undefined,
    rttNs: undefined,
    tainted: false,
    http: undefined,
    lastProbedAt: undefined,
    notSent: undefined,
    answeredSentMs: -Infinity,
  };
}

/**
 * The judgement after one more sample. As many failures in a row as the threshold says make a path
 * unreachable, as many answers bring it back, and until then its state and last good RTT stand.
 * A failure of a probe that was sent before one that was answered is no failure in a row, and a
 * tainted failure is none at all; an answer is one, whenever it was read.
 */
export function judge(before: Judgement, sample: Sample, thresholds: Thresholds): Judgement {
  switch (sample.outcome) {
    case 'not-sent':
      return { ...before, notSent: sample.detail };
    case 'reply': {
      const answeredSentMs = Math.max(sample.sentMs, before.answeredSentMs);
      const successes = before.successes + 1;
      if (before.state === 'unreachable' && successes < thresholds.recovery) {
        return { ...enter(before, 'unreachable', sample.at), successes, answeredSentMs };
      }
      return {
        ...enter(before, 'reachable', sample.at),
        failures: 0,
        successes: 0,
        failure: undefined,
        rttNs: sample.rttNs,
        tainted: sample.tainted ?? false,
        http: sample.http,
        answeredSentMs,
      };
    }
    case 'failure': {
      if (sample.sentMs < before.answeredSentMs || sample.tainted) return before;
      const failures = before.failures + 1;
      const dead = failures >= thresholds.failures;
      return {
        ...enter(before, dead ? 'unreachable' : before.state, sample.at),
        failures,
        successes: 0,
        failure: sample.detail,
        ...(dead && { rttNs: undefined, tainted: false, http: undefined }),
      };
    }
  }
}

function enter(before: Judgement, state: State, at: number): Judgement {
  const sinceAt = state === before.state ? before.sinceAt : at;
  return { ...before, state, sinceAt, lastProbedAt: at, notSent: undefined };
}
