import { channelsIn } from '../nouns/channel-mask.js';
import { countPasses } from './large-passes.js';
import type { Observer } from './observations.js';
import { AgesByChannel, always, type Begins } from './begin-times.js';
import { WorkingPaths } from './probed-since.js';
import type { Side } from '../nouns/sight.js';
import { answeringMask, isAnswer } from './path-counts.js';
import type { Tally } from './tally.js';
import { coveredIn } from './witnesses.js';
import type { ZonePairs } from './zone-pairs.js';

/** The work between two yields, in entries. */
const slice = 700;

/** This share of the other paths of the cluster counts as looked at since any trouble began. */
const leastProbedShare = 0.1;

/** Of one pair of zones: for each observer that names a path, four counts of paths that are not well. */
interface NotWell {
  readonly observers: number[];
  readonly counts: number[];
}

/**
 * Counts the paths between zones. Each entry is read once and counted for its pair of zones; what is
 * asked of several pairs, or of the whole cluster, is the sum of theirs.
 */
export class ZoneSums {
  readonly #tally: Tally;
  readonly #zonePairs: ZonePairs;
  /** By four times the pair plus the channel. */
  readonly #bad: Float64Array;
  readonly #ages: readonly AgesByChannel[];
  readonly #answers: Float64Array;
  readonly #notWell: readonly NotWell[];
  readonly #observersOfZone: readonly (readonly Observer[])[];

  private constructor(tally: Tally, zonePairs: ZonePairs) {
    this.#tally = tally;
    this.#zonePairs = zonePairs;
    const { index, observations } = tally;
    const channels = () => new Float64Array(4 * (zonePairs.count + 1));
    [this.#bad, this.#answers] = [channels(), channels()];
    this.#ages = Array.from({ length: zonePairs.count + 1 }, () => new AgesByChannel(tally.times));
    this.#notWell = Array.from({ length: zonePairs.count + 1 }, () => ({
      observers: [],
      counts: [],
    }));
    const ofZone: Observer[][] = index.zones.map(() => []);
    for (const observer of observations.observers)
      ofZone[index.zoneOf[observer.node] ?? -1]?.push(observer);
    this.#observersOfZone = ofZone;
  }

  /** Counts one trouble. It yields every few milliseconds of work. */
  static *count(tally: Tally, zonePairs: ZonePairs): Generator<void, ZoneSums> {
    const sums = new ZoneSums(tally, zonePairs);
    const { observers, firstOf } = tally.observations;
    let work = 0;
    for (let observer = 0; observer < observers.length; observer++) {
      const [first, end] = [firstOf[observer] ?? 0, firstOf[observer + 1] ?? 0];
      sums.#countRow(observer, first, end);
      work += end - first;
      if (work <= slice) continue;
      work = 0;
      yield;
    }
    return sums;
  }

  #countRow(observer: number, first: number, end: number): void {
    const { bad, covered, observations } = this.#tally;
    const { ageS, failures } = observations.entries;
    for (let entry = first; entry < end; entry++) {
      const fails = bad[entry] ?? 0;
      const notWell = covered[entry] ?? 0;
      if ((fails | notWell) === 0) continue;
      const pair = this.#numberOf(entry);
      const ages = this.#ages[pair];
      for (const channel of channelsIn(fails)) {
        const at = 4 * pair + channel;
        this.#bad[at] = (this.#bad[at] ?? 0) + 1;
        ages?.add(channel, ageS[4 * entry + channel] ?? 0);
        if (isAnswer[((failures[entry] ?? 0) >> (4 * channel)) & 15] === true)
          this.#answers[at] = (this.#answers[at] ?? 0) + 1;
      }
      if (notWell !== 0) this.#countNotWell(observer, pair, notWell);
    }
  }

  #countNotWell(observer: number, pair: number, notWell: number): void {
    const known = this.#notWell[pair];
    if (!known) return;
    const { observers, counts } = known;
    if (observers.at(-1) !== observer) {
      observers.push(observer);
      counts.push(0, 0, 0, 0);
    }
    const first = counts.length - 4;
    for (let channel = 0; channel < 4; channel++) {
      counts[first + channel] = (counts[first + channel] ?? 0) + ((notWell >> channel) & 1);
    }
  }

  /** Entries within a zone, or without one, are counted after all pairs. */
  #numberOf(entry: number): number {
    const pair = this.#zonePairs.of(entry);
    return pair === -1 ? this.#zonePairs.count : pair;
  }

  /** All paths of the cluster. */
  cluster(): Side {
    return this.between(undefined, undefined, [...this.#notWell.keys()]);
  }

  /** The channels on which most failing paths of some pairs are answers, as a mask. */
  answersAmong(pairs: readonly number[]): number {
    return answeringMask(sumOf(this.#bad, pairs), sumOf(this.#answers, pairs));
  }

  /** The same of the whole cluster. */
  answersOfAll(): number {
    return this.answersAmong([...this.#notWell.keys()]);
  }

  /**
   * The paths from the observers of a zone to the nodes of another one.
   * @param from the number of a zone; undefined: all nodes but those of `to`, or all where `to` is
   * undefined too
   * @param to the number of a zone; undefined: all nodes but those of `from`
   * @param pairs the pairs of zones that these paths are between
   * @param reverse those of the other direction: where none of these paths fails, what began is that those do
   */
  between(
    from: number | undefined,
    to: number | undefined,
    pairs: readonly number[],
    reverse: readonly number[] = [],
  ): Side {
    const { index, observations, trouble } = this.#tally;
    const bad = sumOf(this.#bad, pairs);
    const isAll = from === undefined && to === undefined;
    if (trouble === 'mtu') {
      const entries = isAll ? allEntries(this.#tally) : this.#zonePairs.entriesOf(pairs);
      const well = countPasses(observations.entries, entries);
      return { bad, well, probed: well, reported: well };
    }
    const begins = trouble === 'broken' ? this.#beginsOf(pairs, reverse) : always;
    const working = new WorkingPaths(begins, this.#tally.times.hinted);
    const zone = to === undefined ? index.whole : index.zones[to];
    const without = to === undefined && from !== undefined ? index.zones[from] : undefined;
    const witnesses =
      from === undefined ? observations.observers : (this.#observersOfZone[from] ?? []);
    for (const observer of witnesses) {
      if (!zone || (from === undefined && !isAll && index.zoneOf[observer.node] === to)) continue;
      for (let channel = 0; channel < 4; channel++) {
        let known = coveredIn(observer, zone, channel);
        if (without) known -= coveredIn(observer, without, channel);
        if (isAll && this.#tally.coversItself(observer, channel)) known--;
        working.report(channel, observer.ageS, known);
      }
    }
    for (const pair of pairs) {
      const { observers = [], counts = [] } = this.#notWell[pair] ?? {};
      // Of the whole cluster there are thousands, so without iterators and closures.
      for (let at = 0; at < observers.length; at++) {
        const ageS = observations.observers[observers[at] ?? -1]?.ageS ?? 0;
        for (let channel = 0; channel < 4; channel++) {
          working.add(channel, ageS, -(counts[4 * at + channel] ?? 0));
        }
      }
    }
    const counts = working.counts();
    if (!isAll) return { bad, ...counts };
    // Until rows tell of the rest, a few nodes are not the whole cluster.
    const probed = counts.probed.map((paths, channel) =>
      Math.max(paths, leastProbedShare * ((counts.reported[channel] ?? 0) - (bad[channel] ?? 0))),
    );
    return { bad, ...counts, probed };
  }

  #beginsOf(pairs: readonly number[], reverse: readonly number[]): Begins {
    const begins = this.#beginsOfOne(pairs);
    return begins === always ? this.#beginsOfOne(reverse) : begins;
  }

  #beginsOfOne(pairs: readonly number[]): Begins {
    const [only] = pairs;
    const alone = pairs.length === 1 ? this.#ages[only ?? -1] : undefined;
    if (alone) return alone.begins();
    const all = new AgesByChannel(this.#tally.times);
    for (const pair of pairs) {
      const ages = this.#ages[pair];
      if (ages) all.addAll(ages);
    }
    return all.begins();
  }
}

/** All entries, also those about paths that are well. */
export function allEntries({ observations }: Tally): Int32Array {
  const all = new Int32Array(observations.entries.size);
  for (let entry = 0; entry < all.length; entry++) all[entry] = entry;
  return all;
}

/** The sums of some pairs, by channel. */
function sumOf(counts: Float64Array, pairs: readonly number[]): number[] {
  const sums = [0, 0, 0, 0];
  for (const pair of pairs) {
    for (let channel = 0; channel < 4; channel++) {
      sums[channel] = (sums[channel] ?? 0) + (counts[4 * pair + channel] ?? 0);
    }
  }
  return sums;
}
