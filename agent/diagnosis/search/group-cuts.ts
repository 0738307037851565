import type { Ways } from '../nouns/cause.js';
import { addUp, channelsIn } from '../nouns/channel-mask.js';
import { groupsOf } from '../nouns/label-values.js';
import { noGroup, type LabelGroup } from '../nouns/node-groups.js';
import type { Subject } from '../nouns/subject.js';
import { sideBetween, type GroupSide } from '../evidence/group-sides.js';
import { countsAt } from '../evidence/node-counts.js';
import { answeringMask } from '../evidence/path-counts.js';
import { rowChannel, type Tally } from '../evidence/tally.js';
import { entriesOf } from '../evidence/zone-pairs.js';
import type { Explanation } from './explanation.js';
import { isLone } from './lone.js';
import type { SubjectPart, SubjectPaths } from './subject-paths.js';
import { getOrInsert } from '../nouns/get-or-insert.js';

/** Two groups of one label. */
export type Cut = Subject & { readonly type: 'groups' };

/** A label with more values than this tells too little of each two of them. */
const mostValues = 256;
/** Of the paths between two groups so many must fail at least, of rows that name this many nodes or all of a group. */
const [leastDensity, namedInRow] = [0.35, 32];
/** Between the two so many times as many fail as of as many other paths. */
const leastTimes = 1.3;
/** So large a share of the nodes that the cut is about reaches others. */
const leastApart = 2 / 3;
/** Of more failing paths than this, some stand for all: then a cut between few nodes beside far more is told by these nodes. */
const mostCounted = 10_000;
/** The work between two yields, in entries. */
const slice = 10_000;

/** The broken paths between two groups of nodes that have two values of one label. */
export class GroupCuts {
  readonly #tally: Tally;
  readonly #explanation: Explanation;
  readonly #sides = new Map<number, GroupSide>();
  readonly #observing = new Map<number, number>();
  #subjects = 0;

  constructor(tally: Tally, explanation: Explanation) {
    this.#tally = tally;
    this.#explanation = explanation;
  }

  /**
   * Each two groups of a label between which many paths fail, of at least two nodes on either side. Where both are zones,
   * these are told. It yields after each few thousand entries.
   */
  *candidates(): Generator<undefined, readonly Cut[]> {
    const { index, trouble, badEntries } = this.#tally;
    if (trouble !== 'broken' || badEntries.length === 0) return [];
    const found = new Map<number, Cut>();
    for (const label of index.groupBy) {
      const groups = groupsOf(label, index);
      if (groups.length < 2 || groups.length > mostValues) continue;
      this.#subjects += (groups.length * (groups.length - 1)) / 2;
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
          if (!this.#isLone(cut)) found.set(key, cut);
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
    const zone = zoneOf[members[0] ?? -1] ?? -1;
    return (
      zones[zone]?.members.length === members.length &&
      members.every((node) => zoneOf[node] === zone)
    );
  }

  #isLone(cut: Cut): boolean {
    const { has } = this.#group(cut.group);
    return isLone(this.#tally, this.#entriesBetween(cut), (node) => has[node] === 1);
  }

  /** All entries, one after the other: mostly a few tell enough. */
  *#entriesBetween({ group, other }: Cut): Generator<number> {
    const { to } = this.#tally.observations.entries;
    for (const [from, target] of [
      [group, other],
      [other, group],
    ] as const) {
      const { has } = this.#group(target);
      for (const node of this.#group(from).members) {
        const [first, end] = this.#tally.rangeFrom(node);
        for (let entry = first; entry < end; entry++) if (has[to[entry] ?? 0] === 1) yield entry;
      }
    }
  }

  paths({ group, other }: Cut): SubjectPart & Pick<SubjectPaths, 'answering'> {
    const [to, from] = [this.#between(group, other), this.#between(other, group)];
    return {
      subjects: this.#subjects,
      to: { ...to.side, open: this.#explanation.openOf(to.entries) },
      from: { ...from.side, open: this.#explanation.openOf(from.entries) },
      answering: answeringMask(
        addUp([to.side.bad, from.side.bad]),
        addUp([to.answers, from.answers]),
      ),
    };
  }

  /** All entries in a direction. */
  entriesOf({ group, other }: Cut, ways: Ways): Int32Array {
    return entriesOf([
      ...(ways === 'out' ? [] : [this.#between(group, other)]),
      ...(ways === 'in' ? [] : [this.#between(other, group)]),
    ]);
  }

  /** Whether most nodes on either side that the cut is about reach others, or are reached by them, on its channels. */
  isApart(cut: Cut, mask: number, ways: Ways): boolean {
    const { bad, observations } = this.#tally;
    const { from, to } = observations.entries;
    const fails = new Map<number, number>();
    for (const entry of this.entriesOf(cut, ways)) {
      const count = channelsIn((bad[entry] ?? 0) & mask).length;
      if (count === 0) continue;
      for (const node of [from[entry] ?? 0, to[entry] ?? 0])
        fails.set(node, (fails.get(node) ?? 0) + count);
    }
    return [cut.group, cut.other].every((group) => {
      const { has } = this.#group(group);
      const beyond = this.#group(group === cut.group ? cut.other : cut.group).has;
      const affected = [...fails].filter(([node]) => has[node] === 1);
      const apart = affected.filter(([node, count]) =>
        this.#reachesOthers(node, mask, count, beyond),
      );
      return apart.length >= 2 && apart.length >= leastApart * affected.length;
    });
  }

  /**
   * Whether more paths of a node work for sure than fail, without some that fail.
   * @param beyond the nodes of the other group: that these hear a node of which there is no row tells of no others
   */
  #reachesOthers(node: number, mask: number, without: number, beyond: Uint8Array): boolean {
    const { heard, observerOf } = this.#tally.observations;
    const heardBeyond =
      observerOf[node] !== -1 || ((mask >> rowChannel) & 1) === 0
        ? 0
        : (heard.get(node) ?? []).filter(({ observer }) => beyond[observer] === 1).length;
    const { bad, well } = countsAt(this.#tally, node, mask, 'both');
    const works = well - heardBeyond;
    return works >= 1 && works > bad - without;
  }

  #between(from: number, to: number): GroupSide {
    const key = from * this.#tally.index.singles + to;
    return getOrInsert(this.#sides, key, () =>
      sideBetween(this.#tally, this.#group(from), this.#group(to)),
    );
  }

  #group(group: number): LabelGroup {
    return this.#tally.index.groups[group] ?? noGroup;
  }
}
