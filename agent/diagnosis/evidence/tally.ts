import type { Trouble } from '../nouns/cause.js';
import type { ClusterIndex } from '../nouns/cluster-index.js';
import type { Begins } from './begin-times.js';
import { everyNode, reportedChannels } from './coverage.js';
import type { CoveredPaths } from './covered-paths.js';
import { leastOwnProbed, wellCounter } from './count-well.js';
import { countPasses } from './large-packets.js';
import { timesAtNodes, type TimesAtNodes } from './times-at-nodes.js';
import { observerAt, type Observations } from './observations.js';
import { PathCounts } from './path-counts.js';
import { rowChannel } from '../nouns/channel-mask.js';
import { noPaths, type Side } from '../nouns/sight.js';
import { paced } from '../nouns/steps.js';
import { entriesWith, TroubledEntries, type ReportedTrouble } from './troubled-entries.js';

/** The work between two yields, in entries. */
const slice = 1000;
/** Of a node with a smaller share of broken paths hardly anything else is asked. */
const leastAsked = 0.5;

/**
 * Counts paths by observers, targets and channel: how many are known, and how many have a trouble.
 * Between groups, `countPairs` counts from it. What is unknown, omitted or not listed is left out here.
 */
export class Tally extends TroubledEntries {
  /** For each entry, the channels that its row covers and that are not known to be well. */
  readonly covered: Uint8Array;
  /** What is counted of the paths to each node, and of those from each; how many work is counted for whom asks `toNode`. */
  readonly to: PathCounts;
  readonly from: PathCounts;
  /** How long it takes to probe a path to a node of which hints tell. */
  readonly timesAtNodes: TimesAtNodes;
  readonly #began: (readonly [to: Begins, from: Begins])[] = [];
  /** By node: 0, none of its paths has the trouble; 1, some have; 2, it is counted too which are well. */
  readonly #states: Uint8Array;
  #well: ReturnType<typeof wellCounter> | undefined;

  private constructor(reported: ReportedTrouble, explained: CoveredPaths | undefined) {
    super(reported);
    const { index, observations, trouble, badEntries } = reported;
    this.timesAtNodes = timesAtNodes(this.times, observations, index, explained);
    const found = badEntries.length;
    // Mostly no path has the trouble, and then nothing is counted.
    const counted = found === 0 ? 0 : index.size;
    this.to = new PathCounts(counted, trouble === 'mtu');
    this.from = new PathCounts(counted, trouble === 'mtu');
    this.#states = new Uint8Array(counted);
    this.covered = new Uint8Array(found === 0 ? 0 : observations.entries.size);
  }

  /** Counts one trouble, given what known causes explain. It yields every few milliseconds of work. */
  static *count(
    index: ClusterIndex,
    observations: Observations,
    trouble: Trouble,
    explained?: CoveredPaths,
  ): Generator<void, Tally> {
    const badEntries = yield* entriesWith(trouble, observations);
    const tally = new Tally({ index, observations, trouble, badEntries }, explained);
    if (tally.badEntries.length === 0) return tally;
    yield* tally.#countBad();
    if (trouble === 'mtu') return tally;
    yield* tally.#countCovered();
    tally.#well = wellCounter(tally, explained);
    yield;
    const isEnough = paced(slice);
    const least = trouble === 'broken' ? leastAsked : 0;
    for (let node = 0; node < index.size; node++) {
      if (!tally.#mayHaveShare(node, least)) continue;
      tally.#countWell(node);
      const [first, end] = tally.rangeFrom(node);
      if (isEnough(40 + tally.entriesTo(node).length + end - first)) yield;
    }
    return tally;
  }

  toNode(node: number): Side {
    this.#countWell(node);
    return this.to.of(node);
  }

  fromNode(node: number): Side {
    const { observerOf, heard } = this.observations;
    // Of thousands of nodes that are down there is no row.
    if (observerOf[node] === -1 && !heard.has(node)) return noPaths;
    this.#countWell(node);
    return this.from.of(node);
  }

  /** The nodes with a path, in either direction, that has the trouble. */
  *nodes(): Generator<number> {
    for (let node = 0; node < this.index.size; node++) if (this.hasBad(node)) yield node;
  }

  hasBad(node: number): boolean {
    return (this.#states[node] ?? 0) > 0;
  }

  /** Whether so large a share of the known paths to a node, or of those from it, has the trouble on some channel. */
  hasShare(node: number, least: number): boolean {
    if (!this.#mayHaveShare(node, least)) return false;
    this.#countWell(node);
    return this.to.hasShare(node, least) || this.from.hasShare(node, least);
  }

  /** Mostly a row names few of all nodes, and to count which of its observer's other paths work takes far longer than this. */
  #mayHaveShare(node: number, least: number): boolean {
    if (!this.hasBad(node)) return false;
    const own = observerAt(this.observations, node);
    const isWhole = own?.coverage === everyNode && !own.answeredS;
    const [first, end] = this.rangeFrom(node);
    for (let channel = 0; channel < 4; channel++) {
      const at = 4 * node + channel;
      if ((this.to.bad[at] ?? 0) > 0) return true;
      const fails = this.from.bad[at] ?? 0;
      const others = (this.index.whole.hashes[channel]?.length ?? 0) - 1 - (end - first);
      const isMore = fails >= least * (fails + leastOwnProbed * others);
      if (fails > 0 && (isMore || !isWhole || !this.#well)) return true;
    }
    return false;
  }

  /** Counts the paths of a node that are well, the first time. */
  #countWell(node: number): void {
    if (this.#states[node] !== 1) return;
    this.#states[node] = 2;
    if (this.#well) this.#began[node] = this.#well.countAt(node);
    else this.#countPasses(node);
  }

  /** Rows tell of large packets only what was tested. */
  #countPasses(node: number): void {
    const { entries } = this.observations;
    this.to.well.set(countPasses(entries, this.entriesTo(node)), 4 * node);
    this.from.well.set(countPasses(entries, this.entriesOf(node, 'out')), 4 * node);
  }

  /** Each observer sends a GET on each of its paths once in this time. */
  get sweepMs(): number {
    return 1000 * (this.times.alone[rowChannel]?.sweepS ?? 0);
  }

  /** How many paths to a node work on a channel that were probed since a time, in seconds ago. */
  workingTo(node: number, channel: number, sinceS: number): number {
    const time = this.times.alone[channel];
    if (!this.#well || !time) return 0;
    let working = this.#well.witnesses(node, channel, sinceS, time).misfit;
    for (const entry of this.entriesTo(node))
      if (((this.covered[entry] ?? 0) >> channel) & 1) working--;
    return Math.max(working, 0);
  }

  *#countCovered(): Generator<void> {
    const { entries, observers } = this.observations;
    const isEnough = paced(slice);
    for (const observer of observers) {
      const [first, end] = this.rangeFrom(observer.node);
      for (let entry = first; entry < end; entry++) {
        const target = entries.to[entry] ?? 0;
        this.covered[entry] = reportedChannels(observer, target, this.notWell(entry), this.index);
      }
      if (isEnough(end - first)) yield;
    }
  }

  /** The mean age of a node's trouble on a channel, in one direction, in seconds. */
  meanAgeS(node: number, channel: number, way: 'in' | 'out'): number {
    const { bad, ageS } = way === 'in' ? this.to : this.from;
    const at = 4 * node + channel;
    return (ageS[at] ?? 0) / Math.max(bad[at] ?? 0, 1);
  }

  /** When a node's broken paths on a channel began to fail, in one direction, in seconds ago. */
  beganS(node: number, channel: number, ways: 'in' | 'out'): number {
    this.#countWell(node);
    return this.#began[node]?.[ways === 'in' ? 0 : 1][channel] ?? Infinity;
  }

  *#countBad(): Generator<void> {
    const { length } = this.badEntries;
    for (let first = 0; first < length; first += slice) {
      if (first > 0) yield;
      // Loops over hundreds of thousands of entries take longer in a generator.
      this.#countSomeBad(first, Math.min(first + slice, length));
    }
  }

  #countSomeBad(first: number, end: number): void {
    const { entries } = this.observations;
    for (let at = first; at < end; at++) {
      const entry = this.badEntries[at] ?? 0;
      const from = entries.from[entry] ?? 0;
      const to = entries.to[entry] ?? 0;
      this.#states[from] = this.#states[to] = 1;
      const mask = this.bad[entry] ?? 0;
      for (let channel = 0; channel < 4; channel++) {
        if (((mask >> channel) & 1) === 0) continue;
        const ageS = entries.ageS[4 * entry + channel] ?? 0;
        const code = entries.failureCode(entry, channel);
        this.to.addBad(4 * to + channel, ageS, code);
        this.from.addBad(4 * from + channel, ageS, code);
      }
    }
  }
}
