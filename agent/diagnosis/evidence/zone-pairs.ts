import type { ClusterIndex } from '../nouns/cluster-index.js';
import type { EntryList } from './entry-list.js';

/** The entries between two different zones, in one direction. */
export interface ZonePair {
  readonly from: number;
  readonly to: number;
  readonly entries: Int32Array;
}

/** The work between two yields, in entries. */
const slice = 2000;

/** The entries by ordered pair of zones. Entries within a zone, or without one, are in none. */
export class ZonePairs {
  readonly pairs: readonly ZonePair[];
  readonly #numberOf: ReadonlyMap<number, number>;
  /** By entry: the number of its pair of zones; -1 if it is in none. */
  readonly ofEntry: Int32Array;
  readonly #zones: number;

  private constructor(
    pairs: readonly ZonePair[],
    numberOf: ReadonlyMap<number, number>,
    ofEntry: Int32Array,
    zones: number,
  ) {
    this.pairs = pairs;
    this.#numberOf = numberOf;
    this.ofEntry = ofEntry;
    this.#zones = zones;
  }

  /** Orders the entries. It yields every few milliseconds of work. */
  static *of(
    { zoneOf, zones }: ClusterIndex,
    { size, from: fromOf, to: toOf }: EntryList,
  ): Generator<void, ZonePairs> {
    const ofEntry = new Int32Array(size).fill(-1);
    const numberOf = new Map<number, number>();
    const counts: { readonly from: number; readonly to: number; count: number }[] = [];
    for (let entry = 0; entry < size; entry++) {
      if ((entry + 1) % slice === 0) yield;
      const a = zoneOf[fromOf[entry] ?? 0] ?? -1;
      const b = zoneOf[toOf[entry] ?? 0] ?? -1;
      if (a === b || a === -1 || b === -1) continue;
      const key = a * zones.length + b;
      let number = numberOf.get(key);
      if (number === undefined) {
        number = counts.push({ from: a, to: b, count: 0 }) - 1;
        numberOf.set(key, number);
      }
      const pair = counts[number];
      if (pair) pair.count++;
      ofEntry[entry] = number;
    }
    const pairs = counts.map(({ from, to, count }) => ({
      from,
      to,
      entries: new Int32Array(count),
    }));
    const filled = new Int32Array(counts.length);
    for (let entry = 0; entry < size; entry++) {
      if ((entry + 1) % slice === 0) yield;
      const number = ofEntry[entry] ?? -1;
      const at = filled[number];
      const entries = pairs[number]?.entries;
      if (at === undefined || !entries) continue;
      entries[at] = entry;
      filled[number] = at + 1;
    }
    return new ZonePairs(pairs, numberOf, ofEntry, zones.length);
  }

  get count(): number {
    return this.pairs.length;
  }

  /** The entries of some pairs. */
  entriesOf(numbers: readonly number[]): Int32Array {
    const lists = numbers.flatMap((number) => this.pairs[number]?.entries ?? []);
    const [only] = lists;
    if (only && lists.length === 1) return only;
    const all = new Int32Array(lists.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const list of lists) {
      all.set(list, at);
      at += list.length;
    }
    return all;
  }

  /** The number of an entry's pair of zones; -1 if it is in none. */
  of(entry: number): number {
    return this.ofEntry[entry] ?? -1;
  }

  /** The number of the pair of zones; -1 if it has no entry. */
  numberOf(from: number, to: number): number {
    return this.#numberOf.get(from * this.#zones + to) ?? -1;
  }
}
