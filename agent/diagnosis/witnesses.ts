import { channels } from '../model/channel.js';
import { isCovered, listGroups } from '../model/row-coverage.js';
import { countUpTo, type ClusterIndex, type Zone } from './nouns/cluster-index.js';
import type { Observations, Observer } from './observations.js';

interface Witnesses {
  /** The ages of the observers that tell of every node, ascending. */
  readonly full: Float64Array;
  /** The observers that leave out nodes above a hash, and these hashes, ascending. */
  readonly bounded: readonly Observer[];
  readonly horizons: Float64Array;
  readonly youngestS: number;
  readonly oldestS: number;
  /** The observers whose list may lack nodes. */
  readonly unlike: readonly Observer[];
}

const allGroups = 2 ** listGroups - 1;

/** Counts the observers that would name a path if it were not well. */
export class WitnessCounter {
  readonly #index: ClusterIndex;
  readonly #observations: Observations;
  readonly #channels: readonly Witnesses[];

  constructor(index: ClusterIndex, observations: Observations) {
    this.#index = index;
    this.#observations = observations;
    this.#channels = channels.map((_, channel) => {
      const horizonOf = ({ coverage }: Observer) => coverage.horizons[channel] ?? -1;
      const looking = observations.observers.filter((observer) => horizonOf(observer) >= 0);
      const alike = looking.filter(({ coverage }) => coverage.groups === allGroups);
      const bounded = alike.filter((observer) => horizonOf(observer) !== Infinity);
      const ages = bounded.map(({ ageS }) => ageS);
      return {
        full: Float64Array.from(
          alike.filter((observer) => horizonOf(observer) === Infinity),
          ({ ageS }) => ageS,
        ).sort(),
        bounded,
        horizons: Float64Array.from(bounded, horizonOf).sort(),
        youngestS: ages.reduce((least, age) => Math.min(least, age), Infinity),
        oldestS: ages.reduce((most, age) => Math.max(most, age), -Infinity),
        unlike: looking.filter(({ coverage }) => coverage.groups !== allGroups),
      };
    });
  }

  /** Counts those whose row is not older than that, without the node itself. */
  count(node: number, channel: number, maxAgeS: number): number {
    const known = this.#channels[channel];
    if (!known) return 0;
    const hash = this.#index.hashes[node] ?? 0;
    let count = countUpTo(known.full, maxAgeS) + countBounded(known, channel, hash, maxAgeS);
    for (const { ageS, coverage } of known.unlike) {
      if (ageS <= maxAgeS && isCovered(coverage, hash, channel)) count++;
    }
    const own = this.#observations.observers[this.#observations.observerOf[node] ?? -1];
    const countsItself =
      own !== undefined && own.ageS <= maxAgeS && isCovered(own.coverage, hash, channel);
    return countsItself ? count - 1 : count;
  }
}

function countBounded(known: Witnesses, channel: number, hash: number, maxAgeS: number): number {
  const { bounded, horizons, youngestS, oldestS } = known;
  if (maxAgeS < youngestS) return 0;
  if (maxAgeS >= oldestS) return horizons.length - countUpTo(horizons, hash - 1);
  let count = 0;
  for (const { ageS, coverage } of bounded) {
    if (ageS <= maxAgeS && (coverage.horizons[channel] ?? -1) >= hash) count++;
  }
  return count;
}

/** How many nodes of a zone an observer tells of on a channel. It may be one of them. */
export function coveredIn({ coverage }: Observer, zone: Zone, channel: number): number {
  const horizon = coverage.horizons[channel] ?? -1;
  if (horizon < 0) return 0;
  const hashes = zone.hashes[channel] ?? [];
  if (coverage.groups === allGroups) return countUpTo(hashes, horizon);
  let count = 0;
  for (const hash of hashes) if (isCovered(coverage, hash, channel)) count++;
  return count;
}
