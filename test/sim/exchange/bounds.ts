import { hintedPerSecond } from '../../../agent/exchange/hints/hinted-delay.js';
import { planWithHints } from '../../../agent/exchange/hints/plan-with-hints.js';
import { settings } from '../../../agent/config/settings.js';
import type { ProbingPlan } from '../../../agent/model/plan.js';
import { protocols, type Protocol } from '../../../agent/model/sample.js';
import { planProbing, type Cadence } from '../../../agent/probing/schedule/plan.js';
import { cadencesOf5000 } from '../lib/simulation.js';
import type { Outcome } from './scenarios.js';

/**
 * The time until all agents must see the death of one node, in clusters of 100 to 50,000 nodes.
 */
export const targetMs = 4000;

/**
 * The number of simulated agents from which the target holds. With fewer agents, the first probe of
 * a dead path comes too late.
 */
const agentsForTarget = 150;

/** The plan of an agent with default settings. Each node has two addresses and sends hints. */
export function defaultPlan(nodes: number): Readonly<Record<Protocol, ProbingPlan>> {
  const [icmp, http] = protocols.map((protocol) => {
    const [interval, budget] = [settings[`${protocol}-interval`], settings[`${protocol}-budget`]];
    return {
      ...cadencesOf5000[protocol],
      intervalMs: interval.schema.parse(interval.default),
      budgetPerSecond: budget.schema.parse(budget.default),
    };
  }) as [Cadence, Cadence];
  return planOf(planProbing(icmp, 2 * nodes), planProbing(http, 2 * nodes), nodes);
}

/**
 * The bound of the 99th percentile of the time to detect, for this many agents at the intervals of
 * 5,000 nodes.
 */
export function detectionBoundMs(agents: number, protocol: Protocol): number {
  if (agents >= agentsForTarget) return targetMs;
  const { icmp, http } = cadencesOf5000;
  const plan = planOf(planProbing(icmp, 2 * agents), planProbing(http, 2 * agents), agents);
  return plan[protocol].timeToDetectWithHintsMs ?? plan[protocol].timeToDetectMs;
}

/** The most probes that false hints may cause at one living address in any second. */
export function mostProbesInASecond(agents: number): Readonly<Record<Protocol, number>> {
  // Each agent looks once in two seconds. The rate of GETs is a mean, which one second may exceed
  // by chance. Steady probes and confirmations of lost probes are added.
  const besides = 10 + 0.1 * agents;
  return {
    icmp: Math.ceil(agents + besides),
    http: Math.ceil(1.25 * Math.min(agents, hintedPerSecond.get) + besides),
  };
}

/** Describes each protocol whose probes exceed the bound. */
export function tooManyProbes({ busiestSecond }: Outcome, agents: number): string[] {
  if (!busiestSecond) return [];
  const bound = mostProbesInASecond(agents);
  return protocols
    .filter((protocol) => busiestSecond[protocol] > bound[protocol])
    .map((protocol) => `${busiestSecond[protocol]} ${protocol} probes at one address in a second`);
}

function planOf(
  icmp: ProbingPlan,
  http: ProbingPlan,
  agents: number,
): Readonly<Record<Protocol, ProbingPlan>> {
  const plan = planWithHints({ icmp, http }, agents, agents);
  return { icmp: plan.icmp ?? icmp, http: plan.http ?? http };
}
