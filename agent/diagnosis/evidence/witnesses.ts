import { channels } from '../../model/channel.js';
import { isCovered, listGroups } from '../../model/row-coverage.js';
import { countUpTo, type ClusterIndex } from '../nouns/cluster-index.js';
import type { NodeGroup } from '../nouns/node-groups.js';
import { addWorking, noneProbed, type ProbedSince } from './probed-since.js';
import { detectS, probedShare, type ProbeTime } from './time-model.js';
import type { Observations, Observer } from './observations.js';

interface Witnesses {
  /** The ages of the observers that tell of every node, ascending. */
  readonly full: Float64Array;
  /** The observers that leave out nodes above a hash, the highest first, and these hashes, ascending. */
  readonly bounded: readonly Observer[];
  readonly horizons: Float64Array;
  /** The observers whose list may lack nodes. */
  readonly unlike: readonly Observer[];
}

/** What began more than a day ago did so a day ago. */
const mostTenths = 864_000;

const allGroups = 2 ** listGroups - 1;

/** Counts the observers that would name a path if it were not well. */
export class WitnessCounter {
  readonly #index: ClusterIndex;
  readonly #observations: Observations;
  readonly #channels: readonly Witnesses[];
  /** By channel and time, how many of the observers that tell of every node have looked since. */
  readonly #working = new Map<number, ProbedSince>();

  constructor(index: ClusterIndex, observations: Observations) {
    this.#index = index;
    this.#observations = observations;
    this.#channels = channels.map((_, channel) => {
      const horizonOf = ({ coverage }: Observer) => coverage.horizons[channel] ?? -1;
      const looking = observations.observers.filter((observer) => horizonOf(observer) >= 0);
      const alike = looking.filter(({ coverage }) => coverage.groups === allGroups);
      const bounded = alike
        .filter((observer) => horizonOf(observer) !== Infinity)
        .sort((a, b) => horizonOf(b) - horizonOf(a));
      return {
        full: Float64Array.from(
          alike.filter((observer) => horizonOf(observer) === Infinity),
          ({ ageS }) => ageS,
        ).sort(),
        bounded,
        horizons: Float64Array.from(bounded, horizonOf).sort(),
        unlike: looking.filter(({ coverage }) => coverage.groups !== allGroups),
      };
    });
  }

  /** How many have looked at a node since a time, in seconds ago, without the node itself. */
  working(node: number, channel: number, beganS: number, time: ProbeTime): ProbedSince {
    const known = this.#channels[channel];
    if (!known) return noneProbed();
    const hash = this.#index.hashes[node] ?? 0;
    const { probed, misfit } = this.#ofAlike(known, hash, channel, beganS, time);
    const working = { probed, misfit };
    for (const { ageS, coverage } of known.unlike) {
      if (isCovered(coverage, hash, channel)) addWorking(working, beganS, ageS, time, 1);
    }
    const own = this.#observations.observers[this.#observations.observerOf[node] ?? -1];
    if (own && isCovered(own.coverage, hash, channel))
      addWorking(working, beganS, own.ageS, time, -1);
    return working;
  }

  /** How many tell of a node, whenever they looked, without the node itself. */
  count(node: number, channel: number): number {
    const known = this.#channels[channel];
    if (!known) return 0;
    const hash = this.#index.hashes[node] ?? 0;
    let count = known.full.length + known.horizons.length - countUpTo(known.horizons, hash - 1);
    for (const { coverage } of known.unlike) if (isCovered(coverage, hash, channel)) count++;
    const own = this.#observations.observers[this.#observations.observerOf[node] ?? -1];
    return own && isCovered(own.coverage, hash, channel) ? count - 1 : count;
  }

  /**
   * Many nodes began to fail at the same time, and most rows that leave nodes out name the same ones. So it is counted once
   * for each tenth of a second and number of rows that reach so far.
   */
  #ofAlike(
    { full, bounded, horizons }: Witnesses,
    hash: number,
    channel: number,
    beganS: number,
    time: ProbeTime,
  ): ProbedSince {
    const reaching = horizons.length - countUpTo(horizons, hash - 1);
    const all = full.length + reaching;
    if (beganS === Infinity) return { probed: all, misfit: all };
    const tenths = Math.round(10 * beganS);
    const key = (reaching * mostTenths + Math.min(tenths, mostTenths - 1)) * 4 + channel;
    const known = this.#working.get(key);
    if (known) return known;
    const roundedS = tenths / 10;
    let sure = countUpTo(full, roundedS - detectS - time.sweepS);
    while (sure < full.length && probedShare(roundedS, full[sure] ?? 0, time) === 1) sure++;
    const working = { probed: sure, misfit: sure };
    const end = countUpTo(full, roundedS - detectS);
    for (let at = sure; at < end; at++) addWorking(working, roundedS, full[at] ?? 0, time, 1);
    for (let at = 0; at < reaching; at++)
      addWorking(working, roundedS, bounded[at]?.ageS ?? 0, time, 1);
    this.#working.set(key, working);
    return working;
  }
}

/** How many nodes of a group an observer tells of on a channel. It may be one of them. */
export function coveredIn(
  { coverage }: Observer,
  group: Pick<NodeGroup, 'hashes'>,
  channel: number,
): number {
  const horizon = coverage.horizons[channel] ?? -1;
  if (horizon < 0) return 0;
  const hashes = group.hashes[channel] ?? [];
  if (coverage.groups === allGroups) return countUpTo(hashes, horizon);
  let count = 0;
  for (const hash of hashes) if (isCovered(coverage, hash, channel)) count++;
  return count;
}
