import { getOrInsert } from '../nouns/get-or-insert.js';
import { groupsOf } from '../nouns/label-values.js';
import { noGroup, type LabelGroup } from '../nouns/node-groups.js';
import type { Cut } from '../nouns/subject.js';
import type { Tally } from '../evidence/tally.js';
import type { GroupPairs } from '../evidence/group-pairs.js';
import type { CutPaths } from './cut-paths.js';

/** A label with more values than this tells too little of each two of them. */
const mostValues = 256;
/** Of the paths between two groups so many must fail at least, of rows that name this many nodes or all of a group. */
const [leastDensity, namedInRow] = [0.35, 32];
/** Between the two so many times as many fail as of as many other paths. */
const leastTimes = 1.3;
/** Of more failing paths than this, some stand for all: then a cut between few nodes beside far more is told by these nodes. */
const mostCounted = 10_000;
/** The work between two yields, in entries. */
const slice = 10_000;

/** Which zones and which groups of one label may be cut off from each other. */
export class CutCandidates {
  readonly #tally: Tally;
  readonly #pairs: GroupPairs;
  readonly #paths: CutPaths;
  readonly #observing = new Map<number, number>();
  #groupCuts = 0;

  constructor(tally: Tally, pairs: GroupPairs, paths: CutPaths) {
    this.#tally = tally;
    this.#pairs = pairs;
    this.#paths = paths;
  }

  /** How many cuts like this one there are. */
  countLike({ type, other }: Cut): number {
    if (type === 'groups') return this.#groupCuts;
    const { length } = this.#tally.index.zones;
    return other === undefined ? length : (length * (length - 1)) / 2;
  }

  /** The zones of more than one node that have entries. Those of two come last: of as good causes the one that says less is taken. */
  *ofZones(): Generator<Cut> {
    const { zones } = this.#tally.index;
    const type = 'zones';
    const isLarge = (zone: number) => (zones[zone]?.members.length ?? 0) > 1;
    const { ofZones, between } = this.#pairs;
    const seen = zones.length < 3 ? [] : new Set(ofZones.flatMap(({ from, to }) => [from, to]));
    for (const group of seen) if (isLarge(group)) yield { type, group, other: undefined };
    for (const { from, to } of ofZones) {
      if (from > to && between({ type, group: to, other: from })) continue;
      if (isLarge(from) && isLarge(to)) yield { type, group: from, other: to };
    }
  }

  /**
   * Each two groups of a label between which many paths fail, of at least two nodes on either side. Where both are zones,
   * these are told. It yields after each few thousand entries.
   */
  *ofGroups(): Generator<undefined, readonly Cut[]> {
    const { index, trouble, badEntries } = this.#tally;
    if (trouble !== 'broken' || badEntries.length === 0) return [];
    const found = new Map<number, Cut>();
    for (const label of index.groupBy) {
      const groups = groupsOf(label, index);
      if (groups.length < 2 || groups.length > mostValues) continue;
      this.#groupCuts += (groups.length * (groups.length - 1)) / 2;
      const { between, outOf } = yield* this.#countBetween(groups);
      for (const [a, group] of groups.entries()) {
        for (let b = a + 1; b < groups.length; b++) {
          const other = groups[b] ?? 0;
          const key = group * index.singles + other;
          const there = between[a * groups.length + b] ?? 0;
          const back = between[b * groups.length + a] ?? 0;
          if (there + back === 0 || found.has(key)) continue;
          const isDense =
            this.#isDense(group, other, there, outOf[a] ?? 0) ||
            this.#isDense(other, group, back, outOf[b] ?? 0);
          if (!isDense) continue;
          if (this.#isZone(group) && this.#isZone(other)) continue;
          const cut = { type: 'groups', group, other } as const;
          if (this.#paths.loneIn(cut) === undefined) found.set(key, cut);
          yield;
        }
      }
    }
    return [...found.values()];
  }

  /** How many entries are about failing paths from a group of a label to another one, and from each to any node. */
  *#countBetween(
    groups: readonly number[],
  ): Generator<undefined, Readonly<Record<'between' | 'outOf', Int32Array>>> {
    const { index, badEntries, observations } = this.#tally;
    const { from, to } = observations.entries;
    const at = new Int32Array(index.size).fill(-1);
    for (const [number, group] of groups.entries())
      for (const node of this.#group(group).members) at[node] = number;
    const between = new Int32Array(groups.length * groups.length);
    const outOf = new Int32Array(groups.length);
    // An odd number of rows' entries apart, so that not the same nodes of each row are counted.
    const step =
      badEntries.length <= mostCounted ? 1 : Math.ceil(badEntries.length / mostCounted) | 1;
    let work = 0;
    for (let number = 0; number < badEntries.length; number += step) {
      if (++work % slice === 0) yield;
      const entry = badEntries[number] ?? 0;
      const [a, b] = [at[from[entry] ?? 0] ?? -1, at[to[entry] ?? 0] ?? -1];
      if (a === -1) continue;
      outOf[a] = (outOf[a] ?? 0) + step;
      if (a === b || b === -1) continue;
      const pair = a * groups.length + b;
      between[pair] = (between[pair] ?? 0) + step;
    }
    return { between, outOf };
  }

  /** Whether many paths from a group to another one fail, and more than from the group to the same number of other nodes. */
  #isDense(from: number, to: number, entries: number, outOf: number): boolean {
    const { size } = this.#tally.index;
    const targets = this.#group(to).members.length;
    if (entries < 2 || entries * (size - targets) < leastTimes * (outOf - entries) * targets)
      return false;
    return entries >= leastDensity * this.#countObserving(from) * Math.min(targets, namedInRow);
  }

  #countObserving(group: number): number {
    const { observerOf } = this.#tally.observations;
    const count = () => this.#group(group).members.filter((node) => observerOf[node] !== -1).length;
    return getOrInsert(this.#observing, group, count);
  }

  /** Whether the nodes of a group are those of a zone. */
  #isZone(group: number): boolean {
    const { zoneOf, zones } = this.#tally.index;
    const { members } = this.#group(group);
    const zone = zones[zoneOf[members[0] ?? -1] ?? -1] ?? noGroup;
    return zone.members.length === members.length && members.every((node) => zone.has[node] === 1);
  }

  #group(group: number): LabelGroup {
    return this.#tally.index.groups[group] ?? noGroup;
  }
}
