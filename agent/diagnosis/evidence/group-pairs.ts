import { addUp } from '../nouns/channel-mask.js';
import { getOrInsert } from '../nouns/get-or-insert.js';
import { noGroup } from '../nouns/node-groups.js';
import { paced } from '../nouns/steps.js';
import type { Cut } from '../nouns/subject.js';
import { joinEntries, orderEntries } from './order-entries.js';
import { answeringMask } from './path-counts.js';
import { badIn, PathSums } from './path-sums.js';
import type { Tally } from './tally.js';

/** The paths from the nodes of one group to those of another one. */
export interface GroupPair {
  /** Its place among the pairs of zones; -1 between other groups. */
  readonly number: number;
  readonly from: number;
  readonly to: number;
  readonly entries: Int32Array;
  readonly sums: PathSums;
}

/** The work between two yields, in entries that are numbered, and in entries that are counted. */
const [slice, counted] = [2000, 700];

/** The paths by ordered pair of groups. */
export interface GroupPairs {
  /** The pairs of zones that have entries, in the order of the first of these. */
  readonly ofZones: readonly GroupPair[];
  /** What is counted of the paths within a zone, or without one. */
  readonly rest: PathSums;
  /** By entry: the number of its pair of zones; -1 if it is in none. */
  readonly ofEntry: Int32Array;
  /** Those from the first group of a cut to the other one; undefined where no row has an entry between two zones. */
  readonly between: (cut: Cut) => GroupPair | undefined;
}

/**
 * Counts the entries between zones, each once: what is asked of several pairs, or of the whole cluster, is the sum of theirs. Few pairs of
 * other groups are asked for, and these are counted then. It yields every few milliseconds of work.
 */
export function* countPairs(tally: Tally): Generator<void, GroupPairs> {
  const { index, observations, times } = tally;
  const { entries, observers, firstOf } = observations;
  const { size, from, to } = entries;
  const { zoneOf, zones } = index;
  const ofEntry = new Int32Array(size).fill(-1);
  /** By the number of the first zone times how many there are, plus that of the second: in the order of the first entries. */
  const numberOf: number[] = [];
  const keys: number[] = [];
  for (let entry = 0; entry < size; entry++) {
    if ((entry + 1) % slice === 0) yield;
    const a = zoneOf[from[entry] ?? 0] ?? -1;
    const b = zoneOf[to[entry] ?? 0] ?? -1;
    if (a === b || a === -1 || b === -1) continue;
    const key = a * zones.length + b;
    ofEntry[entry] = numberOf[key] ??= keys.push(key) - 1;
  }
  const { first, order } = yield* orderEntries(ofEntry, size, keys.length);
  const ofZones = keys.map((key, number): GroupPair => ({
    number,
    from: Math.floor(key / zones.length),
    to: key % zones.length,
    entries: order.subarray(first[number], first[number + 1]),
    sums: new PathSums(times),
  }));
  const rest = new PathSums(times);
  yield;
  const isEnough = paced(counted);
  for (let observer = 0; observer < observers.length; observer++) {
    const [start, end] = [firstOf[observer] ?? 0, firstOf[observer + 1] ?? 0];
    for (let entry = start; entry < end; entry++) {
      const number = ofEntry[entry] ?? -1;
      const sums = number === -1 ? rest : ofZones[number]?.sums;
      sums?.add(tally, observer, entry);
    }
    if (isEnough(end - start)) yield;
  }
  const ofGroups = new Map<number, GroupPair>();
  const between = ({ type, group, other = -1 }: Cut) => {
    const key = group * index[type].length + other;
    if (type === 'zones') return ofZones[numberOf[key] ?? -1];
    return getOrInsert(ofGroups, key, () => countPair(tally, group, other));
  };
  return { ofZones, rest, ofEntry, between };
}

/** What the rows of a group say of the nodes of another one. */
function countPair(tally: Tally, from: number, to: number): GroupPair {
  const { index, observations, times } = tally;
  const sums = new PathSums(times);
  const entries: number[] = [];
  const { has } = index.groups[to] ?? noGroup;
  for (const node of index.groups[from]?.members ?? []) {
    const [first, end] = tally.rangeFrom(node);
    for (let entry = first; entry < end; entry++) {
      if (has[observations.entries.to[entry] ?? 0] !== 1) continue;
      entries.push(entry);
      sums.add(tally, observations.observerOf[node] ?? -1, entry);
    }
  }
  return { number: -1, from, to, entries: Int32Array.from(entries), sums };
}

/** The entries of some pairs. */
export function entriesOf(pairs: readonly GroupPair[]): Int32Array {
  return joinEntries(pairs.map(({ entries }) => entries));
}

/** The channels on which most failing paths are answers, as a mask. */
export function answersAmong(sums: readonly PathSums[]): number {
  return answeringMask(badIn(sums), addUp(sums.map(({ answers }) => answers)));
}

export function sumsOf(pairs: readonly GroupPair[]): PathSums[] {
  return pairs.map(({ sums }) => sums);
}
