import { looksPerSecond } from '../../../agent/exchange/look-delay.js';
import { planWithHints } from '../../../agent/exchange/plan-with-hints.js';
import { settings } from '../../../agent/config/settings.js';
import type { ProbingPlan } from '../../../agent/model/plan.js';
import { protocols, type Protocol } from '../../../agent/model/sample.js';
import { planProbing, type Cadence } from '../../../agent/probing/schedule/plan.js';
import { cadencesOf5000 } from '../lib/simulation.js';
import type { Outcome } from './scenarios.js';

/** By then all are to see the death of one node, from 100 to 50,000 nodes. */
export const targetMs = 4000;

/** From so many simulated agents on some agent meets a death as soon as the target needs it. */
const agentsForTarget = 150;

/** The plan of an agent with default settings among so many nodes of two addresses, all of them heard. */
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

/** The most that the 99th percentile of the time to detect may be for so many agents at the intervals of 5,000. */
export function detectionBoundMs(agents: number, protocol: Protocol): number {
  if (agents >= agentsForTarget) return targetMs;
  const { icmp, http } = cadencesOf5000;
  const plan = planOf(planProbing(icmp, 2 * agents), planProbing(http, 2 * agents), agents);
  return plan[protocol].timeToDetectWithHintsMs ?? plan[protocol].timeToDetectMs;
}

/** What a false hint, or many, may make of the probes at one living address in any second. */
export function mostProbesInASecond(agents: number): Readonly<Record<Protocol, number>> {
  // Each agent looks once in two seconds. GETs keep to a mean, from which one second may differ by chance. Steady
  // probes and the confirmations of lost ones come on top.
  const besides = 10 + 0.1 * agents;
  return {
    icmp: Math.ceil(agents + besides),
    http: Math.ceil(1.25 * Math.min(agents, looksPerSecond.get) + besides),
  };
}

/** What of the stated number of probes was exceeded, in words. */
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
