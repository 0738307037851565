import type { Plan, ProbingPlan } from '../../model/plan.js';
import { hintedSpreadMs } from './hinted-delay.js';

/**
 * How long news takes to reach all agents when each brings it to three peers a second: see the
 * simulation.
 */
const spreadMs = 400;

/** In 99 of 100 cases some agent probes a dead path within this many shares of the interval. */
const meetingShares = Math.log(100);

/** The second protocol probes a path when the first has waited for its answer this long. */
const suspicionMs = 200;

/**
 * Adds to a plan the time to detect a node's death with hints: some agent probes it, confirms it,
 * all agents hear of it and probe, and each confirms it. It is never longer than without hints, and
 * equal if no peer is heard.
 * @param hearers how many agents hear each other, this one among them
 * @param nodes how many nodes are listed
 */
export function planWithHints(plan: Plan, hearers: number, nodes: number): Plan {
  const { icmp, http } = plan;
  const meetMs = Math.min(
    ...[icmp, http].map((one) =>
      one === undefined
        ? Infinity
        : Math.min(one.intervalMs, (one.intervalMs * meetingShares) / hearers),
    ),
  );
  const protocol = icmp ? 'icmp' : 'http';
  const hintedMs = hintedSpreadMs({
    protocol,
    nodes,
    change: 'failure',
    answersEchoes: false,
    // Without echoes, a quorum of agents must first find it by themselves.
    witnesses: Infinity,
  });
  const withHints = (one: ProbingPlan, laterMs: number): ProbingPlan => {
    const confirmMs = one.timeToDetectMs - one.intervalMs;
    const ms = meetMs + confirmMs + spreadMs + hintedMs + confirmMs + laterMs;
    const rounded = Math.ceil(ms / 100) * 100;
    const isAlone = hearers < 2;
    const timeToDetectWithHintsMs = isAlone
      ? one.timeToDetectMs
      : Math.min(rounded, one.timeToDetectMs);
    return { ...one, timeToDetectWithHintsMs };
  };
  return {
    ...(icmp && { icmp: withHints(icmp, 0) }),
    ...(http && { http: withHints(http, icmp ? suspicionMs : 0) }),
  };
}
