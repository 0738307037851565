import { formatDurationNs } from '../../api/duration.js';
import type { ProtocolPlan, Plan } from '../../api/schema/status.js';

/** The plan of the agent, with one line for each protocol and a tab after the title. */
export function planLines(plan: Plan | undefined): string[] {
  return [...lineOf('ICMP', plan?.icmp), ...lineOf('HTTP', plan?.http)];
}

function lineOf(title: string, plan: ProtocolPlan | undefined): string[] {
  if (!plan) return [];
  const every = formatDurationNs(plan.intervalMs * 1e6);
  const detect = formatDurationNs(plan.timeToDetectMs * 1e6);
  const { timeToDetectMs, timeToDetectWithHintsMs = timeToDetectMs } = plan;
  const withHints =
    timeToDetectWithHintsMs < timeToDetectMs
      ? `, ${formatDurationNs(timeToDetectWithHintsMs * 1e6)} with hints`
      : '';
  return [
    `${title} plan:\t${plan.paths} paths, each every ${every}, time to detect ${detect}${withHints}`,
  ];
}
