import { channelsIn } from '../nouns/channel-mask.js';
import { coveredChannels, isCovered } from '../../model/row-coverage.js';
import { sumOfWays, type Trouble, type Ways } from '../nouns/cause.js';
import type { ClusterIndex } from '../nouns/cluster-index.js';
import type { EntryList } from './entry-list.js';
import { always, BeginTimes, type Begins } from './begin-times.js';
import { addWorking, noneProbed } from './probed-since.js';
import { ProbeTimes } from './time-model.js';
import { countPasses, testedSide } from './large-passes.js';
import type { Observations, Observer } from './observations.js';
import { PathCounts } from './path-counts.js';
import type { Side } from '../nouns/sight.js';
import { paced } from '../nouns/steps.js';
import { isUnansweredSince } from './unanswered.js';
import { coveredIn, WitnessCounter } from './witnesses.js';

/** The channel on which agents send their GETs: HTTP on the host plane. */
export const rowChannel = 1;

/** The work between two yields, in entries, and in entries that are only looked at. */
const [slice, scanned] = [1000, 10_000];

/**
 * Counts paths by observers, targets and channel: how many are known, and how many have a trouble.
 * Between zones, `ZonePairs` counts from it. What is unknown, omitted or not listed is left out here.
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
  /** What is counted of the paths to each node, and of those from each. */
  readonly #to: PathCounts;
  readonly #from: PathCounts;
  readonly #begins: BeginTimes | undefined;
  /** When the trouble of a node began: by eight times its number plus the channel to it, and four more from it. */
  readonly #beganS: Float64Array;
  /** How long it takes to look at a path. */
  readonly times: ProbeTimes;
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
    this.#to = new PathCounts(counted, trouble === 'mtu');
    this.#from = new PathCounts(counted, trouble === 'mtu');
    this.times = new ProbeTimes(observations.own, index.size);
    this.#begins = trouble === 'broken' ? new BeginTimes(this) : undefined;
    this.#beganS = new Float64Array(this.#begins ? 8 * counted : 0);
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
    const isEnough = paced(slice);
    for (let node = 0; node < index.size; node++) {
      if (tally.#hasBad[node] === 0) continue;
      const [to, from] = tally.#begins?.of(node) ?? [always, always];
      if (tally.#begins) {
        tally.#beganS.set(to, 8 * node);
        tally.#beganS.set(from, 8 * node + 4);
      }
      tally.#countWellTo(node, witnesses, to);
      tally.#countWellFrom(node, from);
      const [first, end] = tally.rangeFrom(node);
      if (isEnough(40 + tally.entriesTo(node).length + end - first)) yield;
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

  /** Whether a path to or from a node has the trouble. */
  hasBad(node: number): boolean {
    return this.#hasBad[node] === 1;
  }

  /** The paths to a node. */
  toNode(node: number): Side {
    return this.#to.of(node);
  }

  /** The paths from a node. */
  fromNode(node: number): Side {
    return this.#from.of(node);
  }

  /** Whether so large a share of the known paths to a node, or of those from it, has the trouble on some channel. */
  hasShare(node: number, least: number): boolean {
    return this.#to.hasShare(node, least) || this.#from.hasShare(node, least);
  }

  /** How many paths to a node are known to be well on a channel, as `Side` counts them. */
  wellTo(node: number, channel: number): number {
    return this.#to.well[4 * node + channel] ?? 0;
  }

  /** The channels on which most failing paths to a node are answers of its host, as a mask. */
  answersOf(node: number): number {
    return this.#to.answersOf(node);
  }

  /** The channels on which most failing paths of a node are answers of the others, as a mask. */
  answersTo(node: number): number {
    return this.#from.answersOf(node);
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
    const side = {
      bad: [0, 0, 0, 0],
      well: [0, 0, 0, 0],
      probed: [0, 0, 0, 0],
      reported: [0, 0, 0, 0],
    };
    if (this.trouble === 'mtu') {
      const failing = side.bad.map((_, channel) => (bad >> channel) & 1);
      return testedSide(failing, this.observations.entries, entry === -1 ? [] : [entry]);
    }
    for (let channel = 0; channel < 4; channel++) {
      side.bad[channel] = (bad >> channel) & 1;
      if (!observer || ((mask >> channel) & 1) === 0 || ((notOk >> channel) & 1) === 1) continue;
      if (!isCovered(observer.coverage, hash, channel)) continue;
      const working = noneProbed();
      const time = this.times.alone[channel];
      if (time) addWorking(working, beganS, observer.ageS, time, 1);
      side.well[channel] = working.misfit;
      side.probed[channel] = working.probed;
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
        this.covered[entry] = notWell === 0 ? 0 : coveredChannels(coverage, hash, notWell);
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
    for (const channel of channelsIn(mask)) oldestS = Math.max(oldestS, this.ageS(entry, channel));
    return oldestS;
  }

  /** The mean age of a node's trouble on a channel, in one direction or both, in seconds. */
  meanAgeS(node: number, channel: number, ways: Ways): number {
    const at = 4 * node + channel;
    const sum = sumOfWays(ways, this.#to.ageS[at], this.#from.ageS[at]);
    const count = sumOfWays(ways, this.#to.bad[at], this.#from.bad[at]);
    return count === 0 ? 0 : sum / count;
  }

  /** When a node's broken paths on a channel began to fail, in one direction, in seconds ago. */
  beganS(node: number, channel: number, ways: 'in' | 'out'): number {
    return this.#beganS[8 * node + channel + (ways === 'in' ? 0 : 4)] ?? Infinity;
  }

  /** The entries about a node. */
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

  /** The entries about a node, those of its own row, or both. */
  entriesOf(node: number, ways: Ways): Int32Array {
    const into = ways === 'out' ? new Int32Array() : this.entriesTo(node);
    if (ways === 'in') return into;
    const [first, end] = this.rangeFrom(node);
    const all = new Int32Array(into.length + end - first);
    all.set(into);
    for (let entry = first; entry < end; entry++) all[into.length + entry - first] = entry;
    return all;
  }

  /** The entry of one node about another; -1 if there is none. */
  entryOf(from: number, to: number): number {
    const [first, end] = this.rangeFrom(from);
    for (let entry = first; entry < end; entry++) {
      if (this.observations.entries.to[entry] === to) return entry;
    }
    return -1;
  }

  #countBad(first: number, end: number): void {
    const { entries } = this.observations;
    for (let at = first; at < end; at++) {
      const entry = this.badEntries[at] ?? 0;
      const mask = this.bad[entry] ?? 0;
      const from = entries.from[entry] ?? 0;
      const to = entries.to[entry] ?? 0;
      this.#hasBad[from] = this.#hasBad[to] = 1;
      for (const channel of channelsIn(mask)) {
        const ageS = entries.ageS[4 * entry + channel] ?? 0;
        const code = entries.failureCode(entry, channel);
        this.#to.addBad(4 * to + channel, ageS, code);
        this.#from.addBad(4 * from + channel, ageS, code);
      }
    }
  }

  /** Rows tell of large packets only what was tested. */
  *#countPasses(): Generator<void> {
    const { entries } = this.observations;
    const isEnough = paced(slice);
    for (let node = 0; node < this.index.size; node++) {
      if (this.#hasBad[node] === 0) continue;
      const [into, outOf] = [this.entriesTo(node), this.entriesOf(node, 'out')];
      this.#to.well.set(countPasses(entries, into), 4 * node);
      this.#from.well.set(countPasses(entries, outOf), 4 * node);
      if (isEnough(40 + into.length + outOf.length)) yield;
    }
  }

  #countWellTo(node: number, witnesses: WitnessCounter, begins: Begins): void {
    const { observations, index } = this;
    const { entries, observers, observerOf } = observations;
    const mask = index.masks[node] ?? 0;
    const about = this.entriesTo(node);
    for (let channel = 0; channel < 4; channel++) {
      const time = this.times.ofNode[channel];
      if (((mask >> channel) & 1) === 0 || !time) continue;
      const beganS = begins[channel] ?? Infinity;
      const working = witnesses.working(node, channel, beganS, time);
      // Those who tell that a path is not well are no witnesses that it is.
      for (let at = 0; at < about.length; at++) {
        const entry = about[at] ?? 0;
        if ((((this.covered[entry] ?? 0) >> channel) & 1) === 0) continue;
        const { ageS = Infinity } = observers[observerOf[entries.from[entry] ?? 0] ?? -1] ?? {};
        addWorking(working, beganS, ageS, time, -1);
      }
      working.misfit = Math.max(working.misfit, 0);
      working.probed = Math.max(working.probed, 0);
      this.#to.setWell(4 * node + channel, working, witnesses.count(node, channel));
    }
  }

  /** A node's own GETs that arrive are paths that work, where its row does not tell so. */
  #countHeard(): void {
    const { heard, observerOf } = this.observations;
    if (this.trouble !== 'broken') return;
    for (const [node, observers] of heard) {
      if (observerOf[node] !== -1) continue;
      for (const { observer } of observers) {
        this.#from.addWell(4 * node + rowChannel);
        this.#to.addWell(4 * observer + rowChannel);
      }
    }
  }

  #countWellFrom(node: number, begins: Begins): void {
    const { index, observations } = this;
    const { observers, observerOf } = observations;
    const own = observers[observerOf[node] ?? -1];
    if (!own) return;
    const [first, end] = this.rangeFrom(node);
    for (let channel = 0; channel < 4; channel++) {
      let known = coveredIn(own, index.whole, channel) - (this.coversItself(own, channel) ? 1 : 0);
      const reported = Math.max(known, 0);
      for (let entry = first; entry < end; entry++) {
        if (((this.covered[entry] ?? 0) >> channel) & 1) known--;
      }
      const working = noneProbed();
      // Nobody tells a node of a trouble of its own.
      const time = this.times.alone[channel];
      const beganS = begins[channel] ?? Infinity;
      // Where nothing answers, what is not called failing yet is not called so for want of probes.
      if (!isUnansweredSince(own, channel, beganS)) {
        if (time) addWorking(working, beganS, own.ageS, time, Math.max(known, 0));
        working.probed = Math.max(working.probed, leastOwnProbed * known);
      }
      this.#from.setWell(4 * node + channel, working, reported);
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
const leastOwnProbed = 0.1;

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
