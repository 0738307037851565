import type { PathState } from '../model/path-state.js';
import type { Plan } from '../model/plan.js';
import { freshForMs } from '../model/row.js';
import { protocols, type Protocol } from '../model/sample.js';

/**
 * How long a path counts as reachable after its last answer, in milliseconds: two intervals and a timeout
 * of the slower protocol, which is as long as a row stays fresh, or longer. Infinity while nothing is probed.
 */
export function answerHoldsMs(
  plan: Plan,
  cadence: Readonly<Record<Protocol, { readonly timeoutMs: number }>>,
): number {
  const holdsMs = protocols.flatMap((protocol) => {
    const httpIntervalMs = plan[protocol]?.intervalMs;
    const { timeoutMs: httpTimeoutMs } = cadence[protocol];
    return httpIntervalMs === undefined ? [] : freshForMs({ httpIntervalMs, httpTimeoutMs });
  });
  return holdsMs.length > 0 ? Math.max(...holdsMs) : Infinity;
}

/** The present, and how long an answer holds, in monotonic milliseconds. */
export interface AnswerAge {
  readonly nowMs: number;
  readonly holdsMs: number;
}

/**
 * What is known of a path now: what was not answered for so long is not known to work, whatever kept the probes. It is
 * unknown since the last probe that said something, by the clock of that time: no later step of the clock moves it.
 */
export function stateNow(state: PathState, { nowMs, holdsMs }: AnswerAge): PathState {
  const { answeredSentMs } = state;
  if (state.state !== 'reachable' || nowMs - answeredSentMs <= holdsMs) return state;
  return {
    ...state,
    state: 'unknown',
    sinceAt: state.lastProbedAt ?? state.sinceAt,
    sinceMs: answeredSentMs,
    rttNs: undefined,
    tainted: false,
    http: undefined,
  };
}
