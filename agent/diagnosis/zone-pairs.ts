import type { ClusterIndex } from './cluster-index.js';
import type { EntryList } from './entry-list.js';

/** The entries between two different zones, in one direction. */
export interface ZonePair {
  readonly from: number;
  readonly to: number;
  readonly entries: readonly number[];
}

/** The entries by ordered pair of zones. Entries within a zone, or without one, are in none. */
export class ZonePairs {
  readonly pairs: readonly ZonePair[];
  readonly #numberOf = new Map<number, number>();
  readonly #ofEntry: Int32Array;
  readonly #zones: number;

  constructor({ zoneOf, zones }: ClusterIndex, { size, from, to }: EntryList) {
    this.#zones = zones.length;
    this.#ofEntry = new Int32Array(size).fill(-1);
    const pairs: { from: number; to: number; entries: number[] }[] = [];
    for (let entry = 0; entry < size; entry++) {
      const [a, b] = [zoneOf[from[entry] ?? 0] ?? -1, zoneOf[to[entry] ?? 0] ?? -1];
      if (a === b || a === -1 || b === -1) continue;
      const key = a * this.#zones + b;
      let number = this.#numberOf.get(key);
      if (number === undefined) {
        number = pairs.push({ from: a, to: b, entries: [] }) - 1;
        this.#numberOf.set(key, number);
      }
      pairs[number]?.entries.push(entry);
      this.#ofEntry[entry] = number;
    }
    this.pairs = pairs;
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
