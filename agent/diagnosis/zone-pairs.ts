import type { ClusterIndex } from './cluster-index.js';
import type { EntryList } from './entry-list.js';

/** The entries between two different zones, in one direction. */
export interface ZonePair {
  readonly from: number;
  readonly to: number;
  readonly entries: readonly number[];
}

/** The work between two yields, in entries. */
const slice = 8000;

/** The entries by ordered pair of zones. Entries within a zone, or without one, are in none. */
export class ZonePairs {
  readonly pairs: readonly ZonePair[];
  readonly #numberOf: ReadonlyMap<number, number>;
  readonly #ofEntry: Int32Array;
  readonly #zones: number;

  private constructor(
    pairs: readonly ZonePair[],
    numberOf: ReadonlyMap<number, number>,
    ofEntry: Int32Array,
    zones: number,
  ) {
    this.pairs = pairs;
    this.#numberOf = numberOf;
    this.#ofEntry = ofEntry;
    this.#zones = zones;
  }

  /** Orders the entries. It yields every few milliseconds of work. */
  static *of(
    { zoneOf, zones }: ClusterIndex,
    { size, from, to }: EntryList,
  ): Generator<void, ZonePairs> {
    const ofEntry = new Int32Array(size).fill(-1);
    const numberOf = new Map<number, number>();
    const pairs: { from: number; to: number; entries: number[] }[] = [];
    for (let entry = 0; entry < size; entry++) {
      if ((entry + 1) % slice === 0) yield;
      const [a, b] = [zoneOf[from[entry] ?? 0] ?? -1, zoneOf[to[entry] ?? 0] ?? -1];
      if (a === b || a === -1 || b === -1) continue;
      const key = a * zones.length + b;
      let number = numberOf.get(key);
      if (number === undefined) {
        number = pairs.push({ from: a, to: b, entries: [] }) - 1;
        numberOf.set(key, number);
      }
      pairs[number]?.entries.push(entry);
      ofEntry[entry] = number;
    }
    return new ZonePairs(pairs, numberOf, ofEntry, zones.length);
  }

  get count(): number {
    return this.pairs.length;
  }

  /** The number of an entry's pair of zones; -1 if it is in none. */
  of(entry: number): number {
    return this.#ofEntry[entry] ?? -1;
  }

  /** The number of the pair of zones; -1 if it has no entry. */
  numberOf(from: number, to: number): number {
    return this.#numberOf.get(from * this.#zones + to) ?? -1;
  }
}
