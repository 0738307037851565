import { maskOf } from '../nouns/channel-mask.js';
import type { Side } from '../nouns/sight.js';
import { allNodes } from '../nouns/subject.js';
import { workingOfEvenProbes } from '../evidence/even-probes.js';
import { answersAmong, sumsOf, type GroupPairs } from '../evidence/group-pairs.js';
import { testedSide } from '../evidence/large-packets.js';
import { badIn, beginsOf, sideOf, type PathSums } from '../evidence/path-sums.js';
import type { Tally } from '../evidence/tally.js';
import { noSide, type SubjectPaths } from './subject-paths.js';

/** All paths of the cluster, without what is open of them. */
export interface ClusterPaths extends Pick<
  SubjectPaths,
  'subjects' | 'from' | 'loneIn' | 'answering'
> {
  readonly to: Side;
}

/** Counts the paths of the whole cluster. It yields every few milliseconds of work. */
export function* clusterPaths(
  tally: Tally,
  { ofZones, rest }: GroupPairs,
): Generator<void, ClusterPaths> {
  const sums = [...sumsOf(ofZones), rest];
  // Where one observer alone sees it, it is more likely the observer.
  const isLone = !tally.hasFailingObservers(2);
  return {
    subjects: 1,
    to: yield* sideOfCluster(tally, sums),
    from: noSide,
    loneIn: isLone ? tally.index.size : undefined,
    answering: answersAmong(sums),
  };
}

function* sideOfCluster(tally: Tally, sums: readonly PathSums[]): Generator<void, Side> {
  const { index, observations, trouble } = tally;
  if (trouble === 'mtu') return testedSide(badIn(sums), observations.entries, allEntries(tally));
  const { observers } = observations;
  const target = allNodes(index);
  const begins = beginsOf(tally, sums);
  const side = yield* sideOf(tally, sums, begins, observers, target);
  const times = tally.times.hinted(index.size, maskOf(side.bad));
  const [failsFrom, failsTo] = [tally.from.bad, tally.to.bad];
  const between = { observers, target, failsFrom, failsTo };
  const probed = Array.from(side.probed);
  for (const [channel, time] of times.entries()) {
    const [bad, working] = [side.bad[channel] ?? 0, side.probed[channel] ?? 0];
    // So many work that it is not the whole cluster, however the probes were spread.
    if (bad === 0 || working - bad > bad) continue;
    yield;
    const beganS = begins[channel] ?? Infinity;
    probed[channel] = workingOfEvenProbes(tally, between, channel, beganS, time);
  }
  return { ...side, probed };
}

/** All entries, also those about paths that are well. */
export function allEntries({ observations }: Tally): Int32Array {
  return new Int32Array(observations.entries.size).map((_, entry) => entry);
}
