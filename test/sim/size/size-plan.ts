import { freshForMs } from '../../../agent/model/row.js';
import { overMs, planRound, type RoundOptions, type RoundPlan } from '../timeline/round-plan.js';
import { largeFaults } from './large-faults.js';
import { ProbeTimes } from './probe-times.js';

/** All faults last together for this and one interval of GETs, but no longer than a minute and a half. */
const [leastTogetherMs, mostTogetherMs] = [15_000, 90_000];

/** And then nothing more is said. */
const quietMs = 5000;

/** What the rounds of a size are. */
export interface SizeOptions {
  readonly nodes: number;
  /** Twenty nodes die, or two zones are cut; else one to three faults of any kind are made. */
  readonly areLarge?: boolean;
}

/** Plans a round at a size: the faults last as long as agents of that size take to see them. */
export function planSizeRound(seed: number, { nodes, areLarge = false }: SizeOptions): RoundPlan {
  const probes = new ProbeTimes(nodes, seed);
  const togetherMs = Math.min(leastTogetherMs + probes.httpIntervalMs, mostTogetherMs);
  const large: RoundOptions = {
    leastZones: 3,
    makeFaults: (layout, random) => largeFaults(seed, layout, random),
  };
  const plan = planRound(seed, { nodes, togetherMs, ...(areLarge && large) });
  // As long as rows of before may come.
  const lastMs = Math.max(...plan.faults.map(overMs));
  return { ...plan, endMs: lastMs + freshForMs(probes) + quietMs };
}
