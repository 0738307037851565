import { faultsNamed } from '../../faults/faults-named.js';
import { judgedFindings } from './judge.js';
import type { Scenario } from './scenarios/scenario.js';
import { isFlowFault } from './visible.js';

/** What findings of losses say of flows that never pass. */
export interface FlowsTold {
  /** Findings that name a fault because of which some flows never pass, and how many of them say so. */
  readonly sticky: number;
  readonly told: number;
  /** Findings that say so where packets are lost at random, and all that name such losses. */
  readonly wrong: number;
  readonly random: number;
}

/** Holds what is said of flows against the faults. */
export function flowsTold(scenario: Scenario): FlowsTold {
  const { made, visible } = scenario;
  let [sticky, told, wrong, random] = [0, 0, 0, 0];
  for (const finding of judgedFindings(scenario)) {
    if (finding.kind !== 'lossy') continue;
    const faults = faultsNamed(finding, made, visible, scenario);
    const isSticky = faults.some(isFlowFault);
    if (isSticky) sticky++;
    else random++;
    if (finding.flows === undefined) continue;
    if (isSticky) told++;
    else wrong++;
  }
  return { sticky, told, wrong, random };
}
