import { isCovered } from '../../model/row-coverage.js';
import { answeringFailures } from '../../model/failure.js';
import type { Trouble, Ways } from '../nouns/cause.js';
import type { ClusterIndex } from '../nouns/cluster-index.js';
import { failureCodes, type EntryList } from './entry-list.js';
import { BeginTimes } from './begin-times.js';
import { addLook, noLooks } from './looks.js';
import { lookTimes, type LookTimes } from './time-model.js';
import { countPasses } from './large-passes.js';
import type { Observations, Observer } from './observations.js';
import type { Side } from '../nouns/sight.js';
import { coveredIn, WitnessCounter } from './witnesses.js';

/** By failure code: whether it is an answer, such as a refused connection. */
export const isAnswer = failureCodes.map(
  (failure) => failure !== undefined && answeringFailures.has(failure),
);

/** The channels on which most failing paths are answers, as a mask. */
export function answeringMask(bad: ArrayLike<number>, answering: ArrayLike<number>): number {
  let mask = 0;
  for (let channel = 0; channel < 4; channel++) {
    if (2 * (answering[channel] ?? 0) > (bad[channel] ?? 0)) mask |= 1 << channel;
  }
  return mask;
}

/** The channel on which agents send their GETs: HTTP on the host plane. */
export const rowChannel = 1;

/** The work between two yields, in entries, and in entries that are only looked at. */
const [slice, scanned] = [1000, 10_000];

/**
 * Counts paths by observers, targets and channel: how many are known, and how many have a trouble.
 * Between zones, `ZoneSums` counts from it. What is unknown, omitted or not listed is left out here.
 */
export class Tally {
  readonly index: ClusterIndex;
  readonly observations: Observations;
  readonly trouble: Trouble;
  /** For each entry, the channels that have the trouble. */
  readonly bad: Uint8Array;
  /** The entries that have a channel with the trouble. */
  readonly badEntries: Int32Array;
  /** For each entry, the channels that its row covers and that are not known to be well. */
  readonly covered: Uint8Array;
  /** How many ordered pairs of nodes are known. */
  readonly knownPairs: number;
  readonly #inBad: Float64Array;
  readonly #outBad: Float64Array;
  readonly #inAgeS: Float64Array;
  readonly #outAgeS: Float64Array;
  readonly #inWell: Float64Array;
  readonly #outWell: Float64Array;
  readonly #inLooked: Float64Array;
  readonly #outLooked: Float64Array;
  readonly #inTold: Float64Array;
  readonly #outTold: Float64Array;
  readonly #begins: BeginTimes | undefined;
  /** How long it takes to look at a path. */
  readonly times: LookTimes;
  readonly #inAnswers: Float64Array;
  readonly #outAnswers: Float64Array;
  readonly #hasBad: Uint8Array;

  private constructor(
    index: ClusterIndex,
    observations: Observations,
    trouble: Trouble,
    badEntries: Int32Array,
  ) {
    this.index = index;
    this.observations = observations;
    this.trouble = trouble;
    const { entries, observers } = observations;
    this.bad = badOf(entries, trouble);
    this.badEntries = badEntries;
    const found = badEntries.length;
    // Mostly no path has the trouble, and then nothing is counted.
    const counted = found === 0 ? 0 : index.size;
    const perChannel = () => new Float64Array(4 * counted);
    [this.#inBad, this.#outBad] = [perChannel(), perChannel()];
    [this.#inAgeS, this.#outAgeS] = [perChannel(), perChannel()];
    [this.#inWell, this.#outWell] = [perChannel(), perChannel()];
    [this.#inLooked, this.#outLooked] = [perChannel(), perChannel()];
    [this.#inTold, this.#outTold] = [perChannel(), perChannel()];
    this.times = lookTimes(observations.own);
    this.#begins = trouble === 'broken' ? new BeginTimes(this) : undefined;
    this.#inAnswers = perChannel();
    this.#outAnswers = perChannel();
    this.#hasBad = new Uint8Array(counted);
    this.covered = new Uint8Array(found === 0 ? 0 : entries.size);
    this.knownPairs = observers.length * Math.max(index.size - 1, 1);
  }

  /** Counts one trouble. It yields every few milliseconds of work. */
  static *count(
    index: ClusterIndex,
    observations: Observations,
    trouble: Trouble,
  ): Generator<void, Tally> {
    const { entries } = observations;
    const badEntries = yield* entriesWith(badOf(entries, trouble), entries.size);
    const tally = new Tally(index, observations, trouble, badEntries);
    if (tally.badEntries.length === 0) return tally;
    for (let at = 0; at < tally.badEntries.length; at += slice) {
      tally.#countBad(at, Math.min(at + slice, tally.badEntries.length));
      yield;
    }
    if (trouble === 'mtu') {
      yield* tally.#countPasses();
      return tally;
    }
    yield* tally.#countCovered();
    const witnesses = new WitnessCounter(index, observations);
    yield;
    const { firstTo, firstOf, observerOf } = observations;
    let work = 0;
    for (let node = 0; node < index.size; node++) {
      if (tally.#hasBad[node] === 0) continue;
      tally.#countWellTo(node, witnesses);
      tally.#countWellFrom(node);
      const observer = observerOf[node] ?? -1;
      const own = (firstOf[observer + 1] ?? 0) - (firstOf[observer] ?? 0);
      work += 40 + (firstTo[node + 1] ?? 0) - (firstTo[node] ?? 0) + (observer === -1 ? 0 : own);
      if (work > slice) {
        work = 0;
        yield;
      }
    }
    tally.#countHeard();
    return tally;
  }

  /** How many observers name a path that has the trouble. */
  countFailingObservers(): number {
    const { from } = this.observations.entries;
    let [count, last] = [0, -1];
    for (const entry of this.badEntries) {
      if (from[entry] === last) continue;
      last = from[entry] ?? -1;
      count++;
    }
    return count;
  }

  /** The nodes with a path, in either direction, that has the trouble. */
  *nodes(): Generator<number> {
    for (let node = 0; node < this.index.size; node++) if (this.#hasBad[node]) yield node;
  }

  /** The paths to a node. */
  toNode(node: number): Side {
    return {
      bad: channelsAt(this.#inBad, node),
      well: channelsAt(this.#inWell, node),
      ...(this.trouble !== 'mtu' && {
        looked: channelsAt(this.#inLooked, node),
        told: channelsAt(this.#inTold, node),
      }),
    };
  }

  /** How many paths to a node are known to be well on a channel, as `Side` counts them. */
  wellTo(node: number, channel: number): number {
    return this.#inWell[4 * node + channel] ?? 0;
  }

  /** The paths from a node. */
  fromNode(node: number): Side {
    return {
      bad: channelsAt(this.#outBad, node),
      well: channelsAt(this.#outWell, node),
      ...(this.trouble !== 'mtu' && {
        looked: channelsAt(this.#outLooked, node),
        told: channelsAt(this.#outTold, node),
      }),
    };
  }

  /** The channels on which most failing paths to a node are answers of its host, as a mask. */
  answersOf(node: number): number {
    return answeringMask(channelsAt(this.#inBad, node), channelsAt(this.#inAnswers, node));
  }

  /** The channels on which most failing paths of a node are answers of the others, as a mask. */
  answersTo(node: number): number {
    return answeringMask(channelsAt(this.#outBad, node), channelsAt(this.#outAnswers, node));
  }

  /**
   * The paths from one node to another, whose entry is given; -1 if there is none.
   * @param beganS when the trouble between them began, in seconds ago
   */
  pair(from: number, to: number, entry: number, beganS = Infinity): Side {
    const { observers, observerOf } = this.observations;
    const observer = observers[observerOf[from] ?? -1];
    const bad = entry === -1 ? 0 : (this.bad[entry] ?? 0);
    const notOk = entry === -1 ? 0 : this.#notWell(entry);
    const [hash, mask] = [this.index.hashes[to] ?? 0, this.index.masks[to] ?? 0];
    const side = { bad: [0, 0, 0, 0], well: [0, 0, 0, 0], looked: [0, 0, 0, 0] };
    if (this.trouble === 'mtu') {
      const well = entry === -1 ? side.well : countPasses(this.observations.entries, [entry]);
      return { well, bad: side.bad.map((_, channel) => (bad >> channel) & 1) };
    }
    for (let channel = 0; channel < 4; channel++) {
      side.bad[channel] = (bad >> channel) & 1;
      if (!observer || ((mask >> channel) & 1) === 0 || ((notOk >> channel) & 1) === 1) continue;
      if (!isCovered(observer.coverage, hash, channel)) continue;
      const looks = noLooks();
      const time = this.times.alone[channel];
      if (time) addLook(looks, beganS, observer.ageS, time, 1);
      side.well[channel] = looks.misfit;
      side.looked[channel] = looks.looked;
    }
    return side;
  }

  *#countCovered(): Generator<void> {
    const { hashes } = this.index;
    const { observers, firstOf, entries } = this.observations;
    let sliceEnd = slice;
    for (const [number, { coverage }] of observers.entries()) {
      const [first, end] = [firstOf[number] ?? 0, firstOf[number + 1] ?? 0];
      if (first > sliceEnd) {
        sliceEnd = first + slice;
        yield;
      }
      for (let entry = first; entry < end; entry++) {
        const notWell = this.#notWell(entry);
        const hash = hashes[entries.to[entry] ?? 0] ?? 0;
        let covered = 0;
        for (let channel = 0; notWell >> channel !== 0; channel++) {
          if ((notWell >> channel) & 1 && isCovered(coverage, hash, channel))
            covered |= 1 << channel;
        }
        this.covered[entry] = covered;
      }
    }
  }

  /** How long a path has had the trouble, in seconds. */
  ageS(entry: number, channel: number): number {
    return this.observations.entries.ageS[4 * entry + channel] ?? 0;
  }

  /** How long the longest lasting of an entry's paths has had the trouble, in seconds; 0 without an entry. */
  oldestS(entry: number): number {
    const mask = entry === -1 ? 0 : (this.bad[entry] ?? 0);
    let oldestS = 0;
    for (let channel = 0; mask >> channel !== 0; channel++) {
      if ((mask >> channel) & 1) oldestS = Math.max(oldestS, this.ageS(entry, channel));
    }
    return oldestS;
  }

  /** The mean age of a node's trouble on a channel, in one direction or both, in seconds. */
  meanAgeS(node: number, channel: number, ways: Ways): number {
    const at = 4 * node + channel;
    const [into, outOf] = [ways !== 'out', ways !== 'in'];
    const sum = (into ? (this.#inAgeS[at] ?? 0) : 0) + (outOf ? (this.#outAgeS[at] ?? 0) : 0);
    const count = (into ? (this.#inBad[at] ?? 0) : 0) + (outOf ? (this.#outBad[at] ?? 0) : 0);
    return count === 0 ? 0 : sum / count;
  }

  /** The entries about a node, and those of its own row. */
  entriesTo(node: number): Int32Array {
    const { byTarget, firstTo } = this.observations;
    return byTarget.subarray(firstTo[node] ?? 0, firstTo[node + 1] ?? 0);
  }

  /** The first entry of a node's own row, and the one after its last. */
  rangeFrom(node: number): readonly [first: number, end: number] {
    const { firstOf, observerOf } = this.observations;
    const observer = observerOf[node] ?? -1;
    return observer === -1 ? [0, 0] : [firstOf[observer] ?? 0, firstOf[observer + 1] ?? 0];
  }

  #countBad(first: number, end: number): void {
    const { entries } = this.observations;
    for (let at = first; at < end; at++) {
      const entry = this.badEntries[at] ?? 0;
      const mask = this.bad[entry] ?? 0;
      const [from, to] = [entries.from[entry] ?? 0, entries.to[entry] ?? 0];
      this.#hasBad[from] = this.#hasBad[to] = 1;
      const failures = entries.failures[entry] ?? 0;
      for (let channel = 0; channel < 4; channel++) {
        if (((mask >> channel) & 1) === 0) continue;
        const [into, outOf] = [4 * to + channel, 4 * from + channel];
        const ageS = entries.ageS[4 * entry + channel] ?? 0;
        this.#inBad[into] = (this.#inBad[into] ?? 0) + 1;
        this.#outBad[outOf] = (this.#outBad[outOf] ?? 0) + 1;
        this.#inAgeS[into] = (this.#inAgeS[into] ?? 0) + ageS;
        this.#outAgeS[outOf] = (this.#outAgeS[outOf] ?? 0) + ageS;
        if (isAnswer[(failures >> (4 * channel)) & 15] === true) {
          this.#inAnswers[into] = (this.#inAnswers[into] ?? 0) + 1;
          this.#outAnswers[outOf] = (this.#outAnswers[outOf] ?? 0) + 1;
        }
      }
    }
  }

  /** Rows tell of large packets only what was tested. */
  *#countPasses(): Generator<void> {
    const { entries } = this.observations;
    let work = 0;
    for (let node = 0; node < this.index.size; node++) {
      if (this.#hasBad[node] === 0) continue;
      const [first, end] = this.rangeFrom(node);
      const [into, outOf] = [
        this.entriesTo(node),
        Int32Array.from({ length: end - first }, (_, at) => first + at),
      ];
      this.#inWell.set(countPasses(entries, into), 4 * node);
      this.#outWell.set(countPasses(entries, outOf), 4 * node);
      work += 40 + into.length + outOf.length;
      if (work <= slice) continue;
      work = 0;
      yield;
    }
  }

  #countWellTo(node: number, witnesses: WitnessCounter): void {
    const { observations, index } = this;
    const { entries, observers, observerOf } = observations;
    const mask = index.masks[node] ?? 0;
    const begins = this.#begins?.toNode(node) ?? always;
    const about = this.entriesTo(node);
    for (let channel = 0; channel < 4; channel++) {
      const time = this.times.hinted[channel];
      if (((mask >> channel) & 1) === 0 || !time) continue;
      const beganS = begins[channel] ?? Infinity;
      const looks = witnesses.looks(node, channel, beganS, time);
      this.#inTold[4 * node + channel] = witnesses.count(node, channel);
      // Those who tell that a path is not well are no witnesses that it is.
      for (let at = 0; at < about.length; at++) {
        const entry = about[at] ?? 0;
        if ((((this.covered[entry] ?? 0) >> channel) & 1) === 0) continue;
        const { ageS = Infinity } = observers[observerOf[entries.from[entry] ?? 0] ?? -1] ?? {};
        addLook(looks, beganS, ageS, time, -1);
      }
      this.#inWell[4 * node + channel] = Math.max(looks.misfit, 0);
      this.#inLooked[4 * node + channel] = Math.max(looks.looked, 0);
    }
  }

  /** A node's own GETs that arrive are paths that work, where its row does not tell so. */
  #countHeard(): void {
    const { heard, observerOf } = this.observations;
    if (this.trouble !== 'broken') return;
    for (const [node, observers] of heard) {
      if (observerOf[node] !== -1) continue;
      for (const { observer } of observers) {
        for (const counts of [
          { sums: this.#outWell, at: 4 * node + rowChannel },
          { sums: this.#outLooked, at: 4 * node + rowChannel },
          { sums: this.#inWell, at: 4 * observer + rowChannel },
          { sums: this.#inLooked, at: 4 * observer + rowChannel },
        ]) {
          counts.sums[counts.at] = (counts.sums[counts.at] ?? 0) + 1;
        }
      }
    }
  }

  #countWellFrom(node: number): void {
    const { index, observations } = this;
    const { observers, observerOf } = observations;
    const own = observers[observerOf[node] ?? -1];
    if (!own) return;
    const [first, end] = this.rangeFrom(node);
    const begins = this.#begins?.fromNode(node) ?? always;
    for (let channel = 0; channel < 4; channel++) {
      const at = 4 * node + channel;
      let known = coveredIn(own, index.whole, channel) - (this.coversItself(own, channel) ? 1 : 0);
      this.#outTold[at] = Math.max(known, 0);
      for (let entry = first; entry < end; entry++) {
        if (((this.covered[entry] ?? 0) >> channel) & 1) known--;
      }
      const looks = noLooks();
      // Nobody tells a node of a trouble of its own.
      const time = this.times.alone[channel];
      if (time) addLook(looks, begins[channel] ?? Infinity, own.ageS, time, Math.max(known, 0));
      this.#outWell[at] = looks.misfit;
      this.#outLooked[at] = Math.max(looks.looked, leastOwnLooked * known);
    }
  }

  /** The channels of an entry that are not known to be free of the trouble. */
  #notWell(entry: number): number {
    const { fail, unknown } = this.observations.entries;
    return (this.bad[entry] ?? 0) | (fail[entry] ?? 0) | (unknown[entry] ?? 0);
  }

  /** Whether an observer would tell of its own paths on a channel. */
  coversItself({ node, coverage }: Observer, channel: number): boolean {
    const has = ((this.index.masks[node] ?? 0) >> channel) & 1;
    return has === 1 && isCovered(coverage, this.index.hashes[node] ?? 0, channel);
  }
}

/**
 * A node's own row alone tells in which order it looked, and a few of its paths may have failed at once by chance. So
 * this share of the others counts as looked at.
 */
const leastOwnLooked = 0.1;

/** What is not about a moment is told by every row. */
const always = [Infinity, Infinity, Infinity, Infinity];

/** For each entry, the channels that have a trouble. */
function badOf(entries: EntryList, trouble: Trouble): Uint8Array {
  return entries[trouble === 'broken' ? 'fail' : trouble];
}

/** The entries that have a channel in a list of masks. */
function* entriesWith(masks: Uint8Array, size: number): Generator<void, Int32Array> {
  const found = new Int32Array(size);
  let count = 0;
  for (let entry = 0; entry < size; entry++) {
    if ((entry + 1) % scanned === 0) yield;
    if (masks[entry]) found[count++] = entry;
  }
  return found.subarray(0, count);
}

/** The numbers of the four channels of a node or zone pair. A view of the array would cost more than a copy. */
export function channelsAt(numbers: Float64Array, number: number): readonly number[] {
  const at = 4 * number;
  return [numbers[at] ?? 0, numbers[at + 1] ?? 0, numbers[at + 2] ?? 0, numbers[at + 3] ?? 0];
}
