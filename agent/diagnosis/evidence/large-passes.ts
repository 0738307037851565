import { channelsIn } from '../nouns/channel-mask.js';
import type { Side } from '../nouns/sight.js';
import type { EntryList } from './entry-list.js';

/** A loss is judged by three tests, so it began so many seconds before, at the most. */
const judgedForS = 20;

/** Counts by channel the paths on which large packets passed. Those that were tested before any of the others lost them say nothing. */
export function countPasses({ mtu, passed, ageS }: EntryList, entries: Iterable<number>): number[] {
  const oldestS = [-Infinity, -Infinity, -Infinity, -Infinity];
  for (const entry of entries)
    for (const channel of channelsIn(mtu[entry] ?? 0))
      oldestS[channel] = Math.max(oldestS[channel] ?? 0, ageS[4 * entry + channel] ?? 0);
  // Where a channel has no losses of its own, those of the others say when it began, if there are any.
  const otherS = Math.max(...oldestS);
  const anyS = otherS === -Infinity ? Infinity : otherS;
  const counts = [0, 0, 0, 0];
  for (const entry of entries) {
    for (const channel of channelsIn(passed[entry] ?? 0)) {
      const channelS = oldestS[channel] ?? -Infinity;
      const beganS = (channelS === -Infinity ? anyS : channelS) + judgedForS;
      if ((ageS[4 * entry + channel] ?? 0) <= beganS) counts[channel] = (counts[channel] ?? 0) + 1;
    }
  }
  return counts;
}

/** The paths of a side on which large packets are lost, and on which they passed. Rows tell only of what was tested. */
export function testedSide(
  bad: ArrayLike<number>,
  entries: EntryList,
  ofSide: Iterable<number>,
): Side {
  const well = countPasses(entries, ofSide);
  return { bad, well, probed: well, reported: well };
}
