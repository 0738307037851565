import { channelsIn } from '../nouns/channel-mask.js';
import type { Tally } from './tally.js';

/** How many of the paths between some nodes have the trouble, by channel. */
export function badBetween(
  { bad, badEntries, observations }: Tally,
  isCounted: (from: number, to: number) => boolean,
): number[] {
  const { from, to } = observations.entries;
  const counts = [0, 0, 0, 0];
  for (const entry of badEntries) {
    if (!isCounted(from[entry] ?? 0, to[entry] ?? 0)) continue;
    for (const channel of channelsIn(bad[entry] ?? 0)) counts[channel] = (counts[channel] ?? 0) + 1;
  }
  return counts;
}
