import { channelsIn } from '../nouns/channel-mask.js';
import { sidesOf, sizeOfSide, type Cut } from '../nouns/subject.js';
import { leastOfEachNode, workingOfEvenProbes, type PathsBetween } from './even-probes.js';
import type { Observer } from './observations.js';
import { beginsOf } from './path-sums.js';
import { toldOf } from './paths-of.js';
import type { Tally } from './tally.js';
import { entriesOf, sumsOf, type GroupPair } from './group-pairs.js';

/**
 * Whether so many paths of zones in one direction fail on each channel of a mask that it shows that they do so at all nodes on both sides, as
 * evenly as probes come round, and not at some of them alone (`workingOfEvenProbes`).
 * @param pairs those that these paths are between
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
  if (channels.some(({ failing }) => failing < leastOfEachNode * nodes)) return false;
  const between: PathsBetween = {
    ...countFailing(tally, entriesOf(pairs), mask),
    observers: observations.observers.filter(({ node }) => source.isIn(node)),
    isTo: target.isIn,
    toldBy: (observer: Observer, channel: number) => toldOf(observer, target, channel, index),
  };
  const begins = beginsOf(tally, sumsOf(pairs));
  const hinted = times.hinted(nodes, mask);
  return channels.every(({ channel, failing }) => {
    const time = hinted[channel];
    if (!time) return false;
    const beganS = begins[channel] ?? Infinity;
    const working = workingOfEvenProbes(tally, between, channel, beganS, time);
    return failing >= share * (failing + working);
  });
}

/** How many of some paths fail from each node, and to each. */
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
