import { beginS, mostAges } from '../evidence/begin.js';
import type { Tally } from '../evidence/tally.js';
import { channelsIn, countChannels } from '../nouns/channel-mask.js';
import { leastOpen, type Explanation } from './explanation.js';

/** How many failing paths of some entries causes explain, by channel. */
export function explainedPaths(
  { bad }: Tally,
  explanation: Explanation,
  entries: Int32Array,
): readonly number[] {
  return countChannels(entries, (entry) => (bad[entry] ?? 0) & ~explanation.openMask(entry));
}

/**
 * How many paths that another cause explains began to fail long after most that nothing explains yet: they worked when the cause
 * of these began.
 * @param onsetS the paths of one cause begin to fail within this time
 */
export function workedMeanwhile(
  { bad, observations }: Tally,
  explanation: Explanation,
  entries: Int32Array,
  mask: number,
  onsetS: number,
): number {
  const { ageS } = observations.entries;
  const explainedOf = (entry: number) => (bad[entry] ?? 0) & mask & ~explanation.openMask(entry);
  // Mostly no other cause explains any of its paths.
  if (entries.every((entry) => explainedOf(entry) === 0)) return 0;
  const open = new Float64Array(mostAges);
  let count = 0;
  for (const entry of entries) {
    if (count >= mostAges) break;
    for (const channel of channelsIn(explanation.openMask(entry) & mask)) {
      if (count < mostAges && explanation.weightOf(entry, channel) > leastOpen)
        open[count++] = ageS[4 * entry + channel] ?? 0;
    }
  }
  const latestS = (beginS(open, onsetS, count) ?? 0) - onsetS;
  if (latestS <= 0) return 0;
  const isLate = (entry: number) => (channel: number) => (ageS[4 * entry + channel] ?? 0) < latestS;
  let late = 0;
  for (const entry of entries) {
    // Of an agent that restarted since all paths began to fail late.
    const unexplained = channelsIn(explanation.openMask(entry) & mask);
    if (unexplained.length > 0 && unexplained.every(isLate(entry))) continue;
    late += channelsIn(explainedOf(entry)).filter(isLate(entry)).length;
  }
  return late;
}
