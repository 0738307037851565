import type { Plan, ProbingPlan } from '../model/plan.js';
import { lookSpreadMs } from './look-delay.js';

/** How long news takes to reach all agents, brought forward to three peers a second by each: see the simulation. */
const spreadMs = 400;

/** Some agent meets a dead path within this many shares of the interval, 99 times in 100. */
const meetingShares = Math.log(100);

/** The second protocol looks at a path when the first has waited for its answer this long. */
const suspicionMs = 200;

/**
 * Adds to a plan what the time to detect a node's death comes to with hints: some agent meets it, confirms it, all
 * hear of it and look, and each confirms it. Never more than alone, and the same where no peer is heard.
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
  const lookMs = lookSpreadMs({
    ...{ protocol, nodes, change: 'failure', answersEchoes: false },
    // Without echoes, a quorum has to find it by itself first.
    witnesses: Infinity,
  });
  const withHints = (one: ProbingPlan, laterMs: number): ProbingPlan => {
    const confirmMs = one.timeToDetectMs - one.intervalMs;
    const ms = meetMs + confirmMs + spreadMs + lookMs + confirmMs + laterMs;
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
