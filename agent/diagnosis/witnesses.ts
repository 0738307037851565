import { channels } from './channels.js';
import { countUpTo, type ClusterIndex } from './cluster-index.js';
import type { Observations, Observer } from './observations.js';

interface Witnesses {
  /** The ages of the observers that leave nothing out, ascending. */
  readonly whole: Float64Array;
  /** The other observers, their horizons in ascending order, and their lowest and highest age. */
  readonly partial: readonly Observer[];
  readonly horizons: Float64Array;
  readonly youngestS: number;
  readonly oldestS: number;
}

/** Counts the observers that would report a path if it were not well. */
export class WitnessCounter {
  readonly #index: ClusterIndex;
  readonly #observations: Observations;
  readonly #channels: readonly Witnesses[];

  constructor(index: ClusterIndex, observations: Observations) {
    this.#index = index;
    this.#observations = observations;
    this.#channels = channels.map((_, channel) => {
      const horizonOf = ({ horizons }: Observer) => horizons[channel] ?? -1;
      const looking = observations.observers.filter((observer) => horizonOf(observer) >= 0);
      const partial = looking.filter((observer) => horizonOf(observer) !== Infinity);
      const ages = partial.map(({ ageS }) => ageS);
      return {
        whole: Float64Array.from(
          looking.filter((observer) => horizonOf(observer) === Infinity),
          ({ ageS }) => ageS,
        ).sort(),
        partial,
        horizons: Float64Array.from(partial, horizonOf).sort(),
        youngestS: ages.reduce((least, age) => Math.min(least, age), Infinity),
        oldestS: ages.reduce((most, age) => Math.max(most, age), -Infinity),
      };
    });
  }

  /** Counts the observers whose row is not older than that, without the node itself. */
  count(node: number, channel: number, maxAgeS: number): number {
    const known = this.#channels[channel];
    if (!known) return 0;
    const hash = this.#index.hashes[node] ?? 0;
    const count = countUpTo(known.whole, maxAgeS) + countPartial(known, channel, hash, maxAgeS);
    const own = this.#observations.observers[this.#observations.observerOf[node] ?? -1];
    const countsItself =
      own !== undefined && own.ageS <= maxAgeS && (own.horizons[channel] ?? -1) >= hash;
    return countsItself ? count - 1 : count;
  }
}

function countPartial(known: Witnesses, channel: number, hash: number, maxAgeS: number): number {
  const { partial, horizons, youngestS, oldestS } = known;
  if (maxAgeS < youngestS) return 0;
  if (maxAgeS >= oldestS) return horizons.length - countUpTo(horizons, hash - 1);
  let count = 0;
  for (const observer of partial) {
    if (observer.ageS <= maxAgeS && (observer.horizons[channel] ?? -1) >= hash) count++;
  }
  return count;
}
