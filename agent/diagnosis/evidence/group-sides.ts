import type { LabelGroup } from '../nouns/node-groups.js';
import type { Side } from '../nouns/sight.js';
import type { Observer } from './observations.js';
import { beginsOf, PathSums, sideOf } from './path-sums.js';
import type { Tally } from './tally.js';
import { coveredIn } from './coverage.js';

/** The paths from the nodes of one group to those of another one. */
export interface GroupSide {
  readonly side: Side;
  /** Those of which rows have an entry. */
  readonly entries: Int32Array;
  /** By channel: how many of the failing ones are answers. */
  readonly answers: readonly number[];
}

/** Counts the broken paths from the nodes of one group to those of another one, and those that work. */
export function sideBetween(tally: Tally, from: LabelGroup, to: LabelGroup): GroupSide {
  const { sums, entries, observers } = saidBy(tally, from, to);
  const toldBy = (observer: Observer, channel: number) =>
    coveredIn(observer, to, channel, tally.index);
  const begins = beginsOf(tally, [sums], () => [saidBy(tally, to, from).sums]);
  const side = sideOf(tally, [sums], begins, { observers, toldBy, nodes: to.members.length });
  return { side, entries: Int32Array.from(entries), answers: sums.answers };
}

/** What the rows of a group say of the nodes of another one. */
function saidBy(tally: Tally, from: LabelGroup, to: LabelGroup) {
  const { entries, observers, observerOf } = tally.observations;
  const sums = new PathSums(tally.times);
  const found: number[] = [];
  const telling: Observer[] = [];
  const { has } = to;
  for (const node of from.members) {
    const number = observerOf[node] ?? -1;
    const observer = observers[number];
    if (!observer) continue;
    telling.push(observer);
    const [first, end] = tally.rangeFrom(node);
    for (let entry = first; entry < end; entry++) {
      if (has[entries.to[entry] ?? 0] !== 1) continue;
      found.push(entry);
      sums.add(tally, number, entry);
    }
  }
  return { sums, entries: found, observers: telling };
}
