import type { SharedPaths } from '../evidence/evidence-paths.js';
import type { Cause } from '../nouns/cause.js';
import { flowWeight, mostFlowsWeight } from './prior.js';
import type { CauseFlows } from '../nouns/sight.js';
import type { Tally } from '../evidence/tally.js';

/** What a lossy path weighs more because some of its flows never pass while others do. */
export function weightOfFlows(
  { trouble, observations }: Tally,
  entry: number,
  channel: number,
): number {
  const { flows } = observations.entries;
  const tested = trouble === 'lossy' && flows.size > 0 ? flows.get(4 * entry + channel) : undefined;
  if (!tested) return 0;
  // Where other packets are lost too, so many together are more than chance.
  return tested.sometimes > 0 ? flowWeight : Math.min(tested.failing * flowWeight, mostFlowsWeight);
}

/** The same of all lossy paths together. */
export function weightOfAllFlows(tally: Tally): number {
  let sum = 0;
  for (const at of tally.observations.entries.flows.keys())
    sum += weightOfFlows(tally, at >> 2, at & 3);
  return sum;
}

/**
 * Adds up the flows that never pass; undefined where no observer tells of any, or where some test of so many paths
 * would find as many by chance.
 * @param explanation tells whether another cause explains a path too, so that they may be due to that one
 */
export function flowsOf(
  { trouble, entries, knownChannels }: Cause,
  tally: Tally,
  explanation: SharedPaths,
): CauseFlows | undefined {
  const { flows } = tally.observations.entries;
  if (trouble !== 'lossy' || flows.size === 0) return undefined;
  let [paths, tried, failing, sometimes, weight, lossy] = [0, 0, 0, 0, 0, 0];
  for (const entry of entries) {
    for (const channel of httpChannels) {
      if (((((tally.bad[entry] ?? 0) & knownChannels) >> channel) & 1) === 0) continue;
      if (explanation.isShared(entry, channel)) continue;
      lossy++;
      const tested = flows.get(4 * entry + channel);
      if (!tested) continue;
      paths++;
      tried += tested.tried;
      failing += tested.failing;
      sometimes += tested.sometimes;
      weight += weightOfFlows(tally, entry, channel);
    }
  }
  const isChance = paths === 0 || weight - lnChoices(paths, lossy) < flowWeight;
  return isChance ? undefined : { paths, tried, failing, sometimes };
}

const httpChannels = [1, 3] as const;

/** The logarithm of about how many ways there are to choose some of many. */
function lnChoices(some: number, of: number): number {
  const rest = of - some;
  return some * Math.log(of / some) + (rest === 0 ? 0 : rest * Math.log(of / rest));
}
