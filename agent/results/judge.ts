import type { Sample } from '../probing/sample.js';

export type State = 'unknown' | 'reachable' | 'unreachable';

/** What is known of one path by one protocol. Times ending in `At` are epoch milliseconds. */
export interface Judgement {
  readonly state: State;
  /** Since when it is in that state. */
  readonly sinceAt: number;
  /** Failures in a row. */
  readonly failures: number;
  /** The last failure's words, while failures count. */
  readonly failure: string | undefined;
  /** The last good round trip in nanoseconds; it stands until the path is unreachable. */
  readonly rttNs: number | undefined;
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
    failure: undefined,
    rttNs: undefined,
    lastProbedAt: undefined,
    notSent: undefined,
    answeredSentMs: -Infinity,
  };
}

/**
 * The judgement after one more sample. A reply makes a path reachable; as many failures in a row as
 * the threshold says make it unreachable, and until then its state and last good RTT stand. A
 * failure of a probe that was sent before one that was answered is no failure in a row.
 */
export function judge(before: Judgement, sample: Sample, threshold: number): Judgement {
  switch (sample.outcome) {
    case 'not-sent':
      return { ...before, notSent: sample.detail };
    case 'reply':
      return {
        ...enter(before, 'reachable', sample.at),
        failures: 0,
        failure: undefined,
        rttNs: sample.rttNs,
        answeredSentMs: Math.max(sample.sentMs, before.answeredSentMs),
      };
    case 'failure': {
      if (sample.sentMs < before.answeredSentMs) return before;
      const failures = before.failures + 1;
      const dead = failures >= threshold;
      return {
        ...enter(before, dead ? 'unreachable' : before.state, sample.at),
        failures,
        failure: sample.detail,
        rttNs: dead ? undefined : before.rttNs,
      };
    }
  }
}

function enter(before: Judgement, state: State, at: number): Judgement {
  const sinceAt = state === before.state ? before.sinceAt : at;
  return { ...before, state, sinceAt, lastProbedAt: at, notSent: undefined };
}
