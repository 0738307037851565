import { sizeOf } from './channels.js';
import { countUpTo, type ClusterIndex } from './cluster-index.js';
import type { Observations } from './observations.js';
import { WitnessCounter } from './witnesses.js';
import { leastShare, lookS, mostAgeS, outdatedShare } from './weights.js';

/** Four numbers for each node, one for each channel. */
type PerChannel = Float64Array;

/**
 * For each node and channel: how many paths to the node, and how many of its own, fail without a
 * cause so far, and how many work.
 */
export interface Counts {
  readonly inFails: PerChannel;
  readonly outFails: PerChannel;
  readonly inOks: PerChannel;
  readonly outOks: PerChannel;
}

/** The failing paths, and which of them have a cause so far. */
export class Evidence implements Counts {
  readonly index: ClusterIndex;
  readonly observations: Observations;
  readonly inFails: PerChannel;
  readonly outFails: PerChannel;
  readonly inOks: PerChannel;
  readonly outOks: PerChannel;
  /** For each node the sum of the ages of those failures. Each age counts up to `mostAgeS`. */
  readonly inAgeS: Float64Array;
  readonly outAgeS: Float64Array;
  /** The node's own row was written after its trouble began. */
  readonly tellsOfNow: Uint8Array;
  /** How many paths to each node fail on each channel, with a cause or without. */
  readonly allInFails: PerChannel;
  /** For each entry, the failing channels that have a cause. */
  readonly explained: Uint8Array;

  // Counted by mask, because there are only sixteen masks and most entries share a few.
  readonly #masks = new Uint32Array(16);
  readonly #recentMasks = new Uint32Array(16);

  constructor(index: ClusterIndex, observations: Observations) {
    this.index = index;
    this.observations = observations;
    const empty = () => new Float64Array(4 * index.size);
    [this.inFails, this.outFails] = [empty(), empty()];
    [this.inOks, this.outOks] = [empty(), empty()];
    this.inAgeS = new Float64Array(index.size);
    this.outAgeS = new Float64Array(index.size);
    this.tellsOfNow = new Uint8Array(index.size);
    this.allInFails = empty();
    this.explained = new Uint8Array(observations.size);
  }

  /** The failing channels of an entry that have no cause yet. */
  open(entry: number): number {
    return (this.observations.fail[entry] ?? 0) & ~(this.explained[entry] ?? 0);
  }

  /** The age of an entry's failure, up to `mostAgeS`, in seconds. */
  ageOf(entry: number): number {
    return Math.min(this.observations.ageS[entry] ?? 0, mostAgeS);
  }

  /**
   * Marks an entry's open failures on a mask's channels as explained. Returns how many they were.
   */
  explain(entry: number, mask: number): number {
    const bits = this.open(entry) & mask;
    if (bits === 0) return 0;
    this.explained[entry] = (this.explained[entry] ?? 0) | bits;
    this.#add(entry, bits, -1);
    return sizeOf(bits);
  }

  /**
   * The mean age of a node's open failures in both directions, in seconds; 0 if there are none.
   */
  meanAgeS(node: number): number {
    let fails = 0;
    for (let at = 4 * node; at < 4 * node + 4; at++) {
      fails += (this.inFails[at] ?? 0) + (this.outFails[at] ?? 0);
    }
    return fails === 0 ? 0 : ((this.inAgeS[node] ?? 0) + (this.outAgeS[node] ?? 0)) / fails;
  }

  hasFails(node: number): boolean {
    for (let at = 4 * node; at < 4 * node + 4; at++) {
      if ((this.inFails[at] ?? 0) > 0 || (this.outFails[at] ?? 0) > 0) return true;
    }
    return false;
  }

  /**
   * The channels on which some paths to a node fail, and those on which (nearly) all do. A single
   * observer is not enough for `all`.
   */
  failingTo(node: number): { readonly some: number; readonly all: number } {
    let [some, all] = [0, 0];
    for (let channel = 0; channel < 4; channel++) {
      const fails = this.allInFails[4 * node + channel] ?? 0;
      if (fails > 0) some |= 1 << channel;
      const looked = fails + (this.inOks[4 * node + channel] ?? 0);
      if (fails > 1 && fails >= leastShare * looked) all |= 1 << channel;
    }
    return { some, all };
  }

  /** Adds the failures of the entries from `first` up to, but not including, `end`. */
  countFails(first: number, end: number): void {
    for (let entry = first; entry < end; entry++) {
      this.#add(entry, this.observations.fail[entry] ?? 0, 1);
    }
  }

  /** Counts the working paths of a node, and those to it if they can matter. */
  countOks(node: number, witnesses: WitnessCounter): void {
    // A row that was written before the trouble could be seen says little about it.
    const latestS = this.meanAgeS(node) - lookS;
    this.#countOwnOks(node, latestS);
    for (let at = 4 * node; at < 4 * node + 4; at++) {
      const [ins, outs] = [this.inFails[at] ?? 0, this.outFails[at] ?? 0];
      if (ins > 0 || outs >= leastShare * (outs + (this.outOks[at] ?? 0))) {
        this.#countOksTo(node, latestS, witnesses);
        return;
      }
    }
  }

  #countOksTo(node: number, latestS: number, witnesses: WitnessCounter): void {
    const { observations, index } = this;
    const [masks, recentMasks] = [this.#masks.fill(0), this.#recentMasks.fill(0)];
    const last = observations.firstTo[node + 1] ?? 0;
    for (let at = observations.firstTo[node] ?? 0; at < last; at++) {
      const entry = observations.byTarget[at] ?? 0;
      const notOk = (observations.fail[entry] ?? 0) | (observations.unknown[entry] ?? 0);
      masks[notOk] = (masks[notOk] ?? 0) + 1;
      if ((observations.rowAgeS[observations.from[entry] ?? 0] ?? 0) <= latestS) {
        recentMasks[notOk] = (recentMasks[notOk] ?? 0) + 1;
      }
    }
    const mask = index.masks[node] ?? 0;
    for (let channel = 0; channel < 4; channel++) {
      if (((mask >> channel) & 1) === 0) continue;
      const all = witnesses.count(node, channel, Infinity) - countOn(masks, channel);
      const recent = witnesses.count(node, channel, latestS) - countOn(recentMasks, channel);
      this.inOks[4 * node + channel] = recent + outdatedShare * Math.max(all - recent, 0);
    }
  }

  #countOwnOks(node: number, latestS: number): void {
    const { observations, index } = this;
    const number = observations.observerOf[node] ?? -1;
    const own = observations.observers[number];
    if (!own) return;
    const masks = this.#masks.fill(0);
    const last = observations.firstOf[number + 1] ?? 0;
    for (let entry = observations.firstOf[number] ?? 0; entry < last; entry++) {
      const notOk = (observations.fail[entry] ?? 0) | (observations.unknown[entry] ?? 0);
      masks[notOk] = (masks[notOk] ?? 0) + 1;
    }
    const isRecent = own.ageS <= latestS;
    this.tellsOfNow[node] = isRecent ? 1 : 0;
    const [mask, hash] = [index.masks[node] ?? 0, index.hashes[node] ?? 0];
    for (let channel = 0; channel < 4; channel++) {
      const horizon = own.horizons[channel] ?? -1;
      const hashes = index.whole.hashes[channel];
      if (horizon < 0 || !hashes) continue;
      const itself = (mask >> channel) & 1 && hash <= horizon ? 1 : 0;
      const known = countUpTo(hashes, horizon) - itself;
      const oks = Math.max(known - countOn(masks, channel), 0);
      this.outOks[4 * node + channel] = isRecent ? oks : outdatedShare * oks;
    }
  }

  #add(entry: number, bits: number, sign: number): void {
    if (bits === 0) return;
    const [from, to] = [this.observations.from[entry] ?? 0, this.observations.to[entry] ?? 0];
    const ageS = sign * sizeOf(bits) * this.ageOf(entry);
    this.inAgeS[to] = (this.inAgeS[to] ?? 0) + ageS;
    this.outAgeS[from] = (this.outAgeS[from] ?? 0) + ageS;
    for (let channel = 0; channel < 4; channel++) {
      if (((bits >> channel) & 1) === 0) continue;
      const [inAt, outAt] = [4 * to + channel, 4 * from + channel];
      this.inFails[inAt] = (this.inFails[inAt] ?? 0) + sign;
      this.outFails[outAt] = (this.outFails[outAt] ?? 0) + sign;
    }
  }
}

/** Sums the counts of the masks that contain a channel. */
export function countOn(masks: Uint32Array, channel: number): number {
  let sum = 0;
  for (let mask = 0; mask < 16; mask++) if ((mask >> channel) & 1) sum += masks[mask] ?? 0;
  return sum;
}

/** The work between two yields, in entries. */
const slice = 10_000;

/** Counts what fails and what works around each node that has failing paths. */
export function* countEvidence(
  index: ClusterIndex,
  observations: Observations,
): Generator<void, Evidence> {
  const evidence = new Evidence(index, observations);
  for (let entry = 0; entry < observations.size; entry += 2 * slice) {
    evidence.countFails(entry, Math.min(entry + 2 * slice, observations.size));
    yield;
  }
  evidence.allInFails.set(evidence.inFails);
  const witnesses = new WitnessCounter(index, observations);
  let work = 0;
  for (let node = 0; node < index.size; node++) {
    if (!evidence.hasFails(node)) continue;
    evidence.countOks(node, witnesses);
    // The count of recent rows may look at every observer, for each node in trouble.
    const number = observations.observerOf[node] ?? -1;
    const own = (observations.firstOf[number + 1] ?? 0) - (observations.firstOf[number] ?? 0);
    const about = (observations.firstTo[node + 1] ?? 0) - (observations.firstTo[node] ?? 0);
    work += 20 + (number === -1 ? 0 : own) + about;
    if (work > slice) {
      work = 0;
      yield;
    }
  }
  return evidence;
}
