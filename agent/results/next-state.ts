import type { PathState, Reachability, Thresholds } from '../model/path-state.js';
import type { Sample } from '../model/sample.js';

/**
 * The state of a path after one more sample. As many failures in a row as the threshold says make a path
 * unreachable, as many answers bring it back, and until then its state and last good RTT stand.
 * A failure of a probe that was sent before one that was answered is no failure in a row, and a
 * tainted failure is none at all; an answer is one, whenever it was read.
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
