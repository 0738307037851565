import { CoveredPaths } from '../evidence/covered-paths.js';
import type { Tally } from '../evidence/tally.js';
import type { Candidate } from '../nouns/finding.js';
import { channelsIn } from '../nouns/channel-mask.js';
import type { ClusterIndex } from '../nouns/cluster-index.js';
import { placed, type PlacedCause } from '../nouns/named-cause.js';
import { isBesideTarget } from './recovering.js';

/** A lossy or slow path says nothing new where a cause says that it is broken. It is told for what it has beside that: this share of its paths. */
const leastApart = 0.5;
/** So many entries of a cause stand for all. */
const mostEntries = 1000;

/** Whether what a candidate says is lossy or slow is broken anyway. Mostly nothing is, and then it is not asked. */
export function besideBroken(
  candidates: readonly Candidate[],
  tallies: readonly Tally[],
  index: ClusterIndex,
): (candidate: Candidate) => boolean {
  let paths: CoveredPaths | undefined;
  let causes: readonly PlacedCause[] | undefined;
  const broken = candidates.filter(({ finding }) => finding.severity === 'broken');
  const brokenCauses = () =>
    broken.flatMap(({ explained }) => explained).filter(({ trouble }) => trouble === 'broken');
  return (candidate) => {
    paths ??= new CoveredPaths(index, brokenCauses());
    if (isMostlyBroken(candidate, paths, tallies)) return true;
    causes ??= broken.flatMap((one) => placed(one.causes, index));
    return isBesideTarget(candidate, causes, index);
  };
}

/** Whether most of what lossy or slow paths, or lost large packets, are explained by are paths that are broken anyway. */
function isMostlyBroken(
  { explained }: Candidate,
  broken: CoveredPaths,
  tallies: readonly Tally[],
): boolean {
  let [covered, all] = [0, 0];
  for (const { trouble, entries, knownChannels } of explained) {
    const tally = tallies.find((one) => one.trouble === trouble);
    if (!tally) continue;
    const { from, to } = tally.observations.entries;
    const step = Math.ceil(entries.length / mostEntries);
    for (let at = 0; at < entries.length; at += step) {
      const entry = entries[at] ?? 0;
      const channels = (tally.bad[entry] ?? 0) & knownChannels;
      all += channelsIn(channels).length;
      covered += channelsIn(channels & broken.channelsOf(from[entry] ?? 0, to[entry] ?? 0)).length;
    }
  }
  return covered > leastApart * all;
}
