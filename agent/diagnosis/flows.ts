import { equalPathsText } from '../../api/schema/v1/equal-paths.js';
import type { RowFlows } from '../model/row.js';
import type { Cause } from './cause.js';
import { flowWeight, mostFlowsWeight } from './prior.js';
import type { Tally } from './tally.js';

/** Flows that never pass beside others that do, of all paths of a cause on which they were counted. */
export interface CauseFlows extends RowFlows {
  readonly paths: number;
}

/** What a lossy path weighs more because some of its flows never pass while others do. */
export function weightOfFlows(
  { trouble, observations }: Pick<Tally, 'trouble' | 'observations'>,
  entry: number,
  channel: number,
): number {
  const { flows } = observations.entries;
  const told = trouble === 'lossy' && flows.size > 0 ? flows.get(4 * entry + channel) : undefined;
  if (!told) return 0;
  // Where other packets are lost too, so many together are more than chance.
  return told.sometimes > 0 ? flowWeight : Math.min(told.failing * flowWeight, mostFlowsWeight);
}

/** The same of all lossy paths together. */
export function weightOfAllFlows(tally: Pick<Tally, 'trouble' | 'observations'>): number {
  let sum = 0;
  for (const at of tally.observations.entries.flows.keys())
    sum += weightOfFlows(tally, at >> 2, at & 3);
  return sum;
}

/** Adds up the flows that never pass; undefined where no observer tells of any. */
export function flowsOf(
  { trouble, entries, mask }: Pick<Cause, 'trouble' | 'entries' | 'mask'>,
  { observations }: Pick<Tally, 'observations'>,
): CauseFlows | undefined {
  const { flows } = observations.entries;
  if (trouble !== 'lossy' || flows.size === 0) return undefined;
  const explained = new Set(entries);
  let [paths, tried, failing, sometimes] = [0, 0, 0, 0];
  for (const [at, told] of flows) {
    if (!explained.has(at >> 2) || ((mask >> (at & 3)) & 1) === 0) continue;
    paths++;
    tried += told.tried;
    failing += told.failing;
    sometimes += told.sometimes;
  }
  return paths === 0 ? undefined : { paths, tried, failing, sometimes };
}

/** What a sentence about losses says of the flows: only what was counted. */
export function flowsText({ paths, tried, failing, sometimes }: CauseFlows): string {
  const where = paths === 1 ? '' : `on ${paths} paths that were tested `;
  const others =
    sometimes === 0
      ? 'the others always'
      : sometimes === 1
        ? 'one other fails sometimes'
        : `${sometimes} others fail sometimes`;
  return `; ${where}${failing} of ${tried} flows never pass, ${others}: ${equalPathsText(failing, tried)}, there or back`;
}
