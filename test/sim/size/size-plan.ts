import { planRound, type RoundPlan } from '../timeline/round-plan.js';
import { ProbeTimes } from './probe-times.js';
import { getChannel } from './size-world.js';

/** All faults last together for this and one interval of GETs, but no longer than a minute and a half. */
const [leastTogetherMs, mostTogetherMs] = [15_000, 90_000];

/** Plans a round at a size: the faults last as long as agents of that size take to see them. */
export function planSizeRound(seed: number, nodes: number): RoundPlan {
  const intervalMs = new ProbeTimes(nodes, seed).intervalMs[getChannel] ?? 0;
  const togetherMs = Math.min(leastTogetherMs + intervalMs, mostTogetherMs);
  return planRound(seed, { nodes, togetherMs });
}
