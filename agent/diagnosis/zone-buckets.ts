import { countUpTo } from './cluster-index.js';
import type { Evidence } from './evidence.js';
import { leastShare, lookS, outdatedShare } from './weights.js';

/** The paths from one zone to another. */
interface Bucket {
  /** The entries that fail or are unknown. */
  readonly entries: number[];
  /** For each channel. */
  readonly fails: [number, number, number, number];
  readonly known: [number, number, number, number];
}

/** The entries that fail or are unknown, by the two zones that they connect. */
export class ZoneBuckets {
  readonly #evidence: Evidence;
  /**
   * The index is the number of the source zone times the number of zones, plus the target zone.
   */
  readonly #buckets = new Map<number, Bucket>();
  readonly #everything = newBucket();
  readonly #zones: number;
  /** The mean age of all failures, in seconds. */
  #ageS = 0;

  constructor(evidence: Evidence) {
    this.#evidence = evidence;
    this.#zones = evidence.index.zones.length;
  }

  get all(): readonly number[] {
    return this.#everything.entries;
  }

  add(from: number, to: number, entry: number): void {
    this.#everything.entries.push(entry);
    const fail = this.#evidence.observations.fail[entry] ?? 0;
    this.#ageS += this.#evidence.ageOf(entry);
    countFails(this.#everything, fail);
    if (from === -1 || to === -1) return;
    const bucket = this.#bucket(from, to);
    bucket.entries.push(entry);
    countFails(bucket, fail);
  }

  get(from: number, to: number): readonly number[] {
    return this.#buckets.get(from * this.#zones + to)?.entries ?? [];
  }

  /** Pairs of zones that have failing paths between them, the lower number first. */
  pairs(): [number, number][] {
    const unique = new Map<number, [number, number]>();
    for (const [key, { entries }] of this.#buckets) {
      const [from, to] = [Math.floor(key / this.#zones), key % this.#zones];
      if (from === to || entries.length === 0) continue;
      const pair: [number, number] = from < to ? [from, to] : [to, from];
      unique.set(pair[0] * this.#zones + pair[1], pair);
    }
    return [...unique.values()];
  }

  /** Counts the observed paths between the zones. Call it after all entries are added. */
  countKnown(): void {
    const { index, observations } = this.#evidence;
    this.#ageS /= Math.max(this.all.length, 1);
    // If rows are complete, or all have the same horizon, the same number would be counted again
    // and again.
    const counted = new Map<string, number>();
    const upTo = (zone: number, channel: number, horizon: number) => {
      const key = `${zone} ${channel} ${horizon}`;
      const known = counted.get(key);
      if (known !== undefined) return known;
      const hashes = (zone === -1 ? index.whole : index.zones[zone])?.hashes[channel];
      const count = hashes ? countUpTo(hashes, horizon) : 0;
      counted.set(key, count);
      return count;
    };
    const targets = new Map<number, number[]>();
    for (const key of this.#buckets.keys()) {
      const from = Math.floor(key / this.#zones);
      targets.set(from, [...(targets.get(from) ?? []), key % this.#zones]);
    }
    for (const [from, horizons] of this.#horizonsByZone(observations.observers)) {
      for (const [channel, counts] of horizons.entries()) {
        for (const [horizon, observers] of counts) {
          add(this.#everything.known, channel, observers * upTo(-1, channel, horizon));
          for (const to of targets.get(from) ?? []) {
            const { known } = this.#bucket(from, to);
            add(known, channel, observers * upTo(to, channel, horizon));
          }
        }
      }
    }
  }

  /**
   * Whether (nearly) all paths may fail between two zones or everywhere, in one direction at least.
   * This quick test rules out most clusters.
   */
  mayFail(pairs: readonly (readonly [number, number])[] | undefined): boolean {
    if (!pairs) return this.#mayFail([this.#everything]);
    const ways = [
      pairs.map(([a, b]) => this.#buckets.get(a * this.#zones + b)),
      pairs.map(([a, b]) => this.#buckets.get(b * this.#zones + a)),
    ];
    return ways.some((buckets) => this.#mayFail(buckets.filter((bucket) => bucket !== undefined)));
  }

  #mayFail(buckets: readonly Bucket[]): boolean {
    const { observers } = this.#evidence.observations;
    const latestS = this.#ageS - lookS;
    const weight = observers.every(({ ageS }) => ageS <= latestS) ? 1 : outdatedShare;
    return [0, 1, 2, 3].some((channel) => {
      let [failing, works] = [0, 0];
      for (const { fails, known, entries } of buckets) {
        failing += fails[channel] ?? 0;
        // A listed entry may work on this channel, so the bound is generous.
        works += Math.max((known[channel] ?? 0) - entries.length, 0) * weight;
      }
      return failing > 0 && failing >= leastShare * leastShare * (failing + works);
    });
  }

  /** For each channel, how many observers of each zone have each horizon. */
  #horizonsByZone(observers: Evidence['observations']['observers']) {
    const byZone = new Map<number, Map<number, number>[]>();
    for (const { node, horizons } of observers) {
      const zone = this.#evidence.index.zoneOf[node] ?? -1;
      let counts = byZone.get(zone);
      if (!counts) {
        counts = [new Map(), new Map(), new Map(), new Map()];
        byZone.set(zone, counts);
      }
      for (const [channel, horizon] of horizons.entries()) {
        if (horizon < 0) continue;
        const of = counts[channel];
        of?.set(horizon, (of.get(horizon) ?? 0) + 1);
      }
    }
    return byZone;
  }

  #bucket(from: number, to: number): Bucket {
    const key = from * this.#zones + to;
    let bucket = this.#buckets.get(key);
    if (!bucket) {
      bucket = newBucket();
      this.#buckets.set(key, bucket);
    }
    return bucket;
  }
}

function newBucket(): Bucket {
  return { entries: [], fails: [0, 0, 0, 0], known: [0, 0, 0, 0] };
}

function countFails({ fails }: Bucket, mask: number): void {
  fails[0] += mask & 1;
  fails[1] += (mask >> 1) & 1;
  fails[2] += (mask >> 2) & 1;
  fails[3] += (mask >> 3) & 1;
}

function add(counts: Bucket['known'], channel: number, count: number): void {
  counts[channel] = (counts[channel] ?? 0) + count;
}
