import type { PathState, Reachability, Thresholds } from '../model/path-state.js';
import type { Sample } from '../model/sample.js';

/**
 * The state of a path after one more sample. The threshold of failures in a row makes a path
 * unreachable, and the threshold of answers brings it back; until then its state and last good RTT
 * stay. These are no failures in a row: a failed probe that was sent before an answered one, and a
 * tainted failure. An answer always counts, whenever it was read.
 */
export function nextState(before: PathState, sample: Sample, thresholds: Thresholds): PathState {
  switch (sample.outcome) {
    case 'not-sent':
      return { ...before, notSent: sample.detail, notSentReason: sample.reason };
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
        failureKind: undefined,
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
        failureKind: sample.kind,
        ...(dead && { rttNs: undefined, tainted: false, http: undefined }),
      };
    }
  }
}

function enter(before: PathState, state: Reachability, at: number): PathState {
  const sinceAt = state === before.state ? before.sinceAt : at;
  return {
    ...before,
    state,
    sinceAt,
    lastProbedAt: at,
    notSent: undefined,
    notSentReason: undefined,
  };
}
