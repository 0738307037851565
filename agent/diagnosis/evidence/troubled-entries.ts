import type { Trouble, Ways } from '../nouns/cause.js';
import { channelsIn } from '../nouns/channel-mask.js';
import type { ClusterIndex } from '../nouns/cluster-index.js';
import type { EntryList } from './entry-list.js';
import { entryBetween, type Observations } from './observations.js';
import { ProbeTimes } from './time-model.js';

/** The work between two yields, in entries that are only looked at. */
const scanned = 10_000;

const noEntries = new Int32Array();

/** What the entries of one trouble are counted from. */
export type ReportedTrouble = Pick<
  TroubledEntries,
  'index' | 'observations' | 'trouble' | 'badEntries'
>;

/** What rows say of one trouble: which of their entries have it, and which are about a node. */
export class TroubledEntries {
  readonly index: ClusterIndex;
  readonly observations: Observations;
  readonly trouble: Trouble;
  /** For each entry, the channels that have the trouble. */
  readonly bad: Uint8Array;
  readonly badEntries: Int32Array;
  readonly times: ProbeTimes;

  protected constructor({ index, observations, trouble, badEntries }: ReportedTrouble) {
    this.index = index;
    this.observations = observations;
    this.trouble = trouble;
    this.bad = badOf(observations.entries, trouble);
    this.badEntries = badEntries;
    this.times = new ProbeTimes(observations.own, index.size);
  }

  /** How many ordered pairs of nodes are known. */
  get knownPairs(): number {
    return this.observations.observers.length * Math.max(this.index.size - 1, 1);
  }

  /** Whether so many observers name a path that has the trouble. */
  hasFailingObservers(least: number): boolean {
    const { from } = this.observations.entries;
    const failing = new Set<number | undefined>();
    for (const entry of this.badEntries) if (failing.add(from[entry]).size >= least) return true;
    return false;
  }

  /** Whether all paths of an entry fail, whatever the trouble is that was counted. */
  failsWhole(entry: number): boolean {
    const { fail, to } = this.observations.entries;
    return (fail[entry] ?? 0) === (this.index.masks[to[entry] ?? 0] ?? 0);
  }

  /** How long a path has had the trouble, in seconds. */
  ageS(entry: number, channel: number): number {
    return this.observations.entries.ageS[4 * entry + channel] ?? 0;
  }

  /** How long the longest lasting of an entry's paths on a mask has had the trouble, in seconds; 0 without an entry. */
  oldestS(entry: number, mask = this.bad[entry] ?? 0): number {
    let oldestS = 0;
    for (const channel of channelsIn(mask)) oldestS = Math.max(oldestS, this.ageS(entry, channel));
    return oldestS;
  }

  /** The channels of an entry that are not known to be free of the trouble. */
  notWell(entry: number): number {
    const { fail, unknown } = this.observations.entries;
    return (this.bad[entry] ?? 0) | (fail[entry] ?? 0) | (unknown[entry] ?? 0);
  }

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
    const into = ways === 'out' ? noEntries : this.entriesTo(node);
    const [first, end] = this.rangeFrom(node);
    if (ways === 'in' || first === end) return into;
    const all = new Int32Array(into.length + end - first);
    all.set(into);
    for (let entry = first; entry < end; entry++) all[into.length + entry - first] = entry;
    return all;
  }

  entryOf(from: number, to: number): number {
    return entryBetween(this.observations, from, to);
  }
}

function badOf(entries: EntryList, trouble: Trouble): Uint8Array {
  return entries[trouble === 'broken' ? 'fail' : trouble];
}

/** The entries that have a channel with the trouble. */
export function* entriesWith(
  trouble: Trouble,
  { entries }: Observations,
): Generator<void, Int32Array> {
  const masks = badOf(entries, trouble);
  // Mostly there are none.
  let found: Int32Array | undefined;
  let count = 0;
  for (let entry = 0; entry < entries.size; entry++) {
    if ((entry + 1) % scanned === 0) yield;
    if (masks[entry]) (found ??= new Int32Array(entries.size))[count++] = entry;
  }
  return found?.subarray(0, count) ?? noEntries;
}
