import { channelsIn } from '../nouns/channel-mask.js';
import { countUpTo } from '../nouns/cluster-index.js';
import { sidesOf, sizeOfSide, type Cut, type SideNodes } from '../nouns/subject.js';
import { entriesOf, sumsOf, type GroupPair } from './group-pairs.js';
import type { Observer } from './observations.js';
import { beginsOf } from './path-sums.js';
import { coversItself, reportedPaths } from './paths-of.js';
import type { Tally } from './tally.js';
import { probedShare, type ProbeTime } from './time-model.js';

/** Of so many failing paths of each node, by the mean, it shows whether they are spread over all as probes come round. */
export const leastOfEachNode = 2;

/** Some paths: those from some observers to some nodes. */
interface PathsBetween {
  readonly observers: readonly Observer[];
  readonly target: SideNodes;
  /** By four times the number of a node plus the channel: how many of those from it, and how many of those to it, fail. */
  readonly failsFrom: ArrayLike<number>;
  readonly failsTo: ArrayLike<number>;
}

/**
 * How many of some paths work that were probed since their trouble began, if it is a trouble of them all. Probes
 * come round, so such a trouble is found as often at each node as at the others. The age of a row tells how many of its paths
 * were probed since. Where a node has fewer failures than that, the rest of its probes were answered. The result is such that
 * failures and working paths stand to each other as the failures that are found to those that are expected.
 * @param beganS when the trouble began, in seconds ago; Infinity: it is not about a moment
 */
export function workingOfEvenProbes(
  tally: Tally,
  between: PathsBetween,
  channel: number,
  beganS: number,
  time: ProbeTime,
): number {
  const { index } = tally;
  const { observers, target } = between;
  const shareOf = ({ ageS }: Observer): number => probedShare(beganS, ageS, time);
  const isReportedBySome = observers.some((observer) => shareOf(observer) > 0);
  const rows = observers.map((observer) => {
    // Whether the row counts a path to its observer itself; and up to which hash it tells of nodes.
    const ofItself = target.isIn(observer.node) && coversItself(observer, channel, index);
    const horizon = observer.coverage.horizons[channel] ?? -1;
    const paths = reportedPaths(observer, target, channel, index);
    // As long as no row is recent enough, all count alike.
    return { observer, ofItself, horizon, paths, share: isReportedBySome ? shareOf(observer) : 1 };
  });
  const failsOf = ({ node }: Observer) => between.failsFrom[4 * node + channel] ?? 0;
  let [all, probed, fails] = [0, 0, 0];
  for (const { observer, paths, share } of rows) {
    all += paths;
    probed += share * paths;
    fails += failsOf(observer);
  }
  if (probed === 0) return 0;
  const scale = isReportedBySome ? 1 : fails / probed;
  let found = 0;
  for (const { observer, paths, share } of rows)
    found += Math.min(scale * share * paths, failsOf(observer));
  // Hints bring looks at some nodes first, so more failures than expected are found there. They do not count for other nodes.
  const even = Math.min(found, countFoundTo()) / (scale * probed);
  return even === 0 ? all - fails : Math.min(fails / even - fails, all - fails);

  /** How many failures are found of those that are expected on the paths to each node. More than expected count as expected. */
  function countFoundTo(): number {
    const byHorizon = [...rows].sort((a, b) => a.horizon - b.horizon);
    const horizons = byHorizon.map(({ horizon }) => horizon);
    /** The sum of the shares of the first rows. */
    const sums = new Float64Array(rows.length + 1);
    const ofItself = new Float64Array(index.size);
    for (const [at, row] of byHorizon.entries()) {
      sums[at + 1] = (sums[at] ?? 0) + row.share;
      if (row.ofItself) ofItself[row.observer.node] = row.share;
    }
    const shares = sums[rows.length] ?? 0;
    let sum = 0;
    for (let node = 0; node < index.size; node++) {
      if ((((index.masks[node] ?? 0) >> channel) & 1) === 0 || !target.isIn(node)) continue;
      const unreported = sums[countUpTo(horizons, (index.hashes[node] ?? 0) - 1)] ?? 0;
      const expected = scale * (shares - unreported - (ofItself[node] ?? 0));
      sum += Math.max(Math.min(expected, between.failsTo[4 * node + channel] ?? 0), 0);
    }
    return sum;
  }
}

/**
 * Whether so many paths of zones in one direction fail on each channel of a mask that it shows that they do so at all nodes on both sides, as
 * evenly as probes come round, and not at some of them alone (`workingOfEvenProbes`).
 * @param share of the paths that were probed so many fail then
 */
export function failEvenly(
  tally: Tally,
  cut: Cut,
  way: 'in' | 'out',
  pairs: readonly GroupPair[],
  mask: number,
  share: number,
): boolean {
  const { index, observations, times } = tally;
  const { inner, outer } = sidesOf(cut, index);
  const [source, target] = way === 'in' ? [outer, inner] : [inner, outer];
  const nodes = sizeOfSide(target);
  const channels = channelsIn(mask).map((channel) => ({
    channel,
    failing: pairs.reduce((sum, { sums }) => sum + (sums.bad[channel] ?? 0), 0),
  }));
  const enough = channels.filter(({ failing }) => failing >= leastOfEachNode * nodes);
  const isEnough = (channel: number) => enough.some((one) => one.channel === channel);
  if (!areEnough(mask, isEnough)) return false;
  const between: PathsBetween = {
    ...countFailing(tally, entriesOf(pairs), mask),
    observers: observations.observers.filter(({ node }) => source.isIn(node)),
    target,
  };
  const begins = beginsOf(tally, sumsOf(pairs));
  const hinted = times.hinted(nodes, mask);
  return enough.every(({ channel, failing }) => {
    const time = hinted[channel];
    if (!time) return false;
    const beganS = begins[channel] ?? Infinity;
    const working = workingOfEvenProbes(tally, between, channel, beganS, time);
    return failing >= share * (failing + working);
  });
}

/**
 * Whether enough paths fail on each channel of a mask, or on the other one of its plane: GETs are fewer than echoes, and what
 * fails on both at an address is at as many nodes by the one as by the other.
 */
export function areEnough(mask: number, isEnough: (channel: number) => boolean): boolean {
  const enough = channelsIn(mask).filter(isEnough);
  return channelsIn(mask).every((channel) => enough.some((one) => one >> 1 === channel >> 1));
}

function countFailing(
  { index, observations, bad }: Tally,
  entries: Int32Array,
  mask: number,
): Pick<PathsBetween, 'failsFrom' | 'failsTo'> {
  const [failsFrom, failsTo] = [new Uint16Array(4 * index.size), new Uint16Array(4 * index.size)];
  const { from, to } = observations.entries;
  for (const entry of entries) {
    for (const channel of channelsIn((bad[entry] ?? 0) & mask)) {
      const [a, b] = [4 * (from[entry] ?? 0) + channel, 4 * (to[entry] ?? 0) + channel];
      failsFrom[a] = (failsFrom[a] ?? 0) + 1;
      failsTo[b] = (failsTo[b] ?? 0) + 1;
    }
  }
  return { failsFrom, failsTo };
}
