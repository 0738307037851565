import type { PathState, Reachability, Thresholds } from '../model/path-state.js';
import type { Sample } from '../model/sample.js';

/**
 * The state of a path after one more sample. The threshold of failures in a row makes a path
 * unreachable, and the threshold of answers brings it back; until then its state and last good RTT
 * stay. These are no failures in a row: a failed probe that was sent before an answered one, and a
 * tainted failure. An answer always counts, whenever it was read.
 * @param nowMs monotonic
 */
export function nextState(
  before: PathState,
  sample: Sample,
  thresholds: Thresholds,
  nowMs: number,
): PathState {
  switch (sample.outcome) {
    case 'not-sent':
      return { ...before, notSent: sample.detail, notSentReason: sample.reason };
    case 'reply': {
      const answeredSentMs = Math.max(sample.sentMs, before.answeredSentMs);
      const successes = before.successes + 1;
      if (before.state === 'unreachable' && successes < thresholds.recovery) {
        const still = entered(before, 'unreachable', sample.at, nowMs);
        return { ...still, successes, answeredSentMs };
      }
      const hasChanged = before.state !== 'reachable';
      // Nearly all samples end here, so it makes one object and no copy of it.
      return {
        state: 'reachable',
        sinceAt: hasChanged ? sample.at : before.sinceAt,
        sinceMs: hasChanged ? nowMs : before.sinceMs,
        failures: 0,
        successes: 0,
        failure: undefined,
        failureKind: undefined,
        rttNs: sample.rttNs,
        tainted: sample.tainted ?? false,
        http: sample.http,
        lastProbedAt: sample.at,
        notSent: undefined,
        notSentReason: undefined,
        answeredSentMs,
        failedSentMs: Infinity,
      };
    }
    case 'failure': {
      if (sample.sentMs < before.answeredSentMs || sample.tainted) return before;
      const failures = before.failures + 1;
      const dead = failures >= thresholds.failures;
      return {
        ...entered(before, dead ? 'unreachable' : before.state, sample.at, nowMs),
        failures,
        failedSentMs: Math.min(before.failedSentMs, sample.sentMs),
        successes: 0,
        failure: sample.detail,
        failureKind: sample.kind,
        ...(dead && { rttNs: undefined, tainted: false, http: undefined }),
      };
    }
  }
}

function entered(before: PathState, state: Reachability, at: number, nowMs: number): PathState {
  const hasChanged = state !== before.state;
  return {
    ...before,
    state,
    sinceAt: hasChanged ? at : before.sinceAt,
    sinceMs: hasChanged ? nowMs : before.sinceMs,
    lastProbedAt: at,
    notSent: undefined,
    notSentReason: undefined,
  };
}
