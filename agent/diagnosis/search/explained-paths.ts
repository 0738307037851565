import { channelsIn } from '../nouns/channel-mask.js';
import type { Tally } from '../evidence/tally.js';
import type { Explanation } from './explanation.js';

/** How many failing paths of some entries causes explain, by channel. */
export function explainedPaths(
  { bad }: Pick<Tally, 'bad'>,
  explanation: Pick<Explanation, 'openMask'>,
  entries: Int32Array,
): readonly number[] {
  const counts = [0, 0, 0, 0];
  for (const entry of entries) {
    for (const channel of channelsIn((bad[entry] ?? 0) & ~explanation.openMask(entry)))
      counts[channel] = (counts[channel] ?? 0) + 1;
  }
  return counts;
}
