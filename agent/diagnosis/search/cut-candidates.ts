import { groupsOf } from '../nouns/label-values.js';
import { noGroup } from '../nouns/node-groups.js';
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

/** The zones of more than one node that have entries. Those of two come last: of as good causes the one that says less is taken. */
export function* zoneCuts(
  { index: { zones } }: Tally,
  { ofZones, between }: GroupPairs,
): Generator<Cut> {
  const type = 'zones';
  const isLarge = (zone: number) => (zones[zone]?.members.length ?? 0) > 1;
  const seen = zones.length < 3 ? [] : new Set(ofZones.flatMap(({ from, to }) => [from, to]));
  for (const group of seen) if (isLarge(group)) yield { type, group, other: undefined };
  for (const { from, to } of ofZones) {
    if (from > to && between({ type, group: to, other: from })) continue;
    if (isLarge(from) && isLarge(to)) yield { type, group: from, other: to };
  }
}

/** The groups of each label between two of which there may be a cut. */
function groupsToCut({ index, trouble }: Tally): readonly (readonly number[])[] {
  const labels = trouble === 'broken' ? index.groupBy : [];
  return labels.map((label) => groupsOf(label, index)).filter(({ length }) => length <= mostValues);
}

/** How many pairs of groups there are. */
export function countGroupPairs(tally: Tally): number {
  return groupsToCut(tally).reduce((sum, { length }) => sum + (length * (length - 1)) / 2, 0);
}

/**
 * Each two groups of a label between which many paths fail, of at least two nodes on either side. Where both are zones,
 * these are told. It yields after each few thousand entries.
 */
export function* groupCuts(tally: Tally, paths: CutPaths): Generator<undefined, readonly Cut[]> {
  const { index, observations } = tally;
  const { size, singles, zoneOf, zones } = index;
  const found = new Map<number, Cut>();
  for (const groups of groupsToCut(tally)) {
    const { between, outOf } = yield* countBetween(tally, groups.map(membersOf));
    for (const [a, group] of groups.entries()) {
      for (let b = a + 1; b < groups.length; b++) {
        const other = groups[b] ?? 0;
        const key = group * singles + other;
        const there = between[a * groups.length + b] ?? 0;
        const back = between[b * groups.length + a] ?? 0;
        if (found.has(key)) continue;
        if (!isDense(group, other, there, outOf[a]) && !isDense(other, group, back, outOf[b]))
          continue;
        if (isZone(group) && isZone(other)) continue;
        const cut = { type: 'groups', group, other } as const;
        if (paths.loneIn(cut) === undefined) found.set(key, cut);
        yield;
      }
    }
  }
  return [...found.values()];

  /** Whether many paths from a group to another one fail, and more than from the group to the same number of other nodes. */
  function isDense(from: number, to: number, entries: number, outOf = 0): boolean {
    const targets = membersOf(to).length;
    if (entries < 2 || entries * (size - targets) < leastTimes * (outOf - entries) * targets)
      return false;
    const observing = membersOf(from).filter((node) => observations.observerOf[node] !== -1);
    return entries >= leastDensity * observing.length * Math.min(targets, namedInRow);
  }

  /** Whether the nodes of a group are those of a zone. */
  function isZone(group: number): boolean {
    const members = membersOf(group);
    const zone = zones[zoneOf[members[0] ?? -1] ?? -1] ?? noGroup;
    return zone.members.length === members.length && members.every((node) => zone.has[node] === 1);
  }

  function membersOf(group: number): readonly number[] {
    return index.groups[group]?.members ?? [];
  }
}

/** How many entries are about failing paths from a group of a label to another one, and from each to any node. */
function* countBetween(
  { index, badEntries, observations }: Tally,
  groups: readonly (readonly number[])[],
): Generator<undefined, Readonly<Record<'between' | 'outOf', Int32Array>>> {
  const { from, to } = observations.entries;
  const at = new Int32Array(index.size).fill(-1);
  for (const [number, members] of groups.entries()) for (const node of members) at[node] = number;
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
