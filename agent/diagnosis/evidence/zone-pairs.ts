import { addUp } from '../nouns/channel-mask.js';
import type { ClusterIndex } from '../nouns/cluster-index.js';
import { paced } from '../nouns/steps.js';
import type { EntryList } from './entry-list.js';
import { orderEntries } from './order-entries.js';
import { answeringMask } from './path-counts.js';
import { PathSums } from './path-sums.js';
import type { Tally } from './tally.js';

/** The paths between two different zones, in one direction. */
export interface ZonePair {
  /** Its place among the pairs. */
  readonly number: number;
  readonly from: number;
  readonly to: number;
  readonly entries: Int32Array;
  readonly sums: PathSums;
}

/** The work between two yields, in entries that are numbered, and in entries that are counted. */
const [slice, counted] = [2000, 700];

/**
 * The paths by ordered pair of zones. Each entry is read once and counted for its pair; what is asked of several pairs, or of
 * the whole cluster, is the sum of theirs.
 */
export class ZonePairs {
  readonly pairs: readonly ZonePair[];
  /** What is counted of the paths within a zone, or without one. */
  readonly rest: PathSums;
  /** By entry: the number of its pair of zones; -1 if it is in none. */
  readonly ofEntry: Int32Array;
  readonly #numberOf: ReadonlyMap<number, number>;
  readonly #zones: number;

  private constructor(
    pairs: readonly ZonePair[],
    rest: PathSums,
    { ofEntry, numberOf }: Numbered,
    zones: number,
  ) {
    this.pairs = pairs;
    this.rest = rest;
    this.ofEntry = ofEntry;
    this.#numberOf = numberOf;
    this.#zones = zones;
  }

  /** Orders and counts the entries. It yields every few milliseconds of work. */
  static *count(tally: Tally): Generator<void, ZonePairs> {
    const { index, observations, times } = tally;
    const { entries, observers, firstOf } = observations;
    const { length: zones } = index.zones;
    const numbered = yield* numberPairs(index, entries);
    const { ofEntry, numberOf } = numbered;
    const { first, order } = yield* orderEntries(ofEntry, entries.size, numberOf.size);
    const pairs = Array.from(numberOf, ([key, number]) => ({
      number,
      from: Math.floor(key / zones),
      to: key % zones,
      entries: order.subarray(first[number], first[number + 1]),
      sums: new PathSums(times),
    }));
    const rest = new PathSums(times);
    yield;
    const isEnough = paced(counted);
    for (let observer = 0; observer < observers.length; observer++) {
      const [from, end] = [firstOf[observer] ?? 0, firstOf[observer + 1] ?? 0];
      for (let entry = from; entry < end; entry++) {
        if (((tally.bad[entry] ?? 0) | (tally.covered[entry] ?? 0)) === 0) continue;
        (pairs[ofEntry[entry] ?? -1]?.sums ?? rest).add(tally, observer, entry);
      }
      if (isEnough(end - from)) yield;
    }
    return new ZonePairs(pairs, rest, numbered, zones);
  }

  /** The number of the pair of zones; -1 if it has no entry. */
  numberOf(from: number, to: number): number {
    return this.#numberOf.get(from * this.#zones + to) ?? -1;
  }
}

interface Numbered {
  readonly ofEntry: Int32Array;
  /** By the number of the first zone times how many there are, plus that of the second. */
  readonly numberOf: ReadonlyMap<number, number>;
}

/** Numbers the pairs of zones in the order of their first entries. */
function* numberPairs(
  { zoneOf, zones }: ClusterIndex,
  { size, from, to }: EntryList,
): Generator<void, Numbered> {
  const ofEntry = new Int32Array(size).fill(-1);
  const numberOf = new Map<number, number>();
  for (let entry = 0; entry < size; entry++) {
    if ((entry + 1) % slice === 0) yield;
    const a = zoneOf[from[entry] ?? 0] ?? -1;
    const b = zoneOf[to[entry] ?? 0] ?? -1;
    if (a === b || a === -1 || b === -1) continue;
    const key = a * zones.length + b;
    const number = numberOf.get(key) ?? numberOf.size;
    if (number === numberOf.size) numberOf.set(key, number);
    ofEntry[entry] = number;
  }
  return { ofEntry, numberOf };
}

/** The entries of some pairs. */
export function entriesOf(pairs: readonly Pick<ZonePair, 'entries'>[]): Int32Array {
  const [only] = pairs;
  if (only && pairs.length === 1) return only.entries;
  const all = new Int32Array(pairs.reduce((sum, { entries }) => sum + entries.length, 0));
  let at = 0;
  for (const { entries } of pairs) {
    all.set(entries, at);
    at += entries.length;
  }
  return all;
}

/** The channels on which most failing paths are answers, as a mask. */
export function answersAmong(sums: readonly PathSums[]): number {
  return answeringMask(
    addUp(sums.map(({ bad }) => bad)),
    addUp(sums.map(({ answers }) => answers)),
  );
}

export function sumsOf(pairs: readonly ZonePair[]): PathSums[] {
  return pairs.map(({ sums }) => sums);
}
