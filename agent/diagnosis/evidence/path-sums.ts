import { addUp, maskOf } from '../nouns/channel-mask.js';
import { sideBy, type Side } from '../nouns/sight.js';
import { paced } from '../nouns/steps.js';
import { sizeOfSide, type SideNodes } from '../nouns/subject.js';
import { AgesByChannel, always, type Begins } from './begin-times.js';
import type { Observer } from './observations.js';
import { isAnswer } from './path-counts.js';
import { reportedPaths } from './paths-of.js';
import {
  addWorking,
  noneProbed,
  type ProbedSince,
  type ProbeTime,
  type ProbeTimes,
} from './time-model.js';
import type { Tally } from './tally.js';

/** What rows say of the paths from some nodes to others, counted row by row. */
export class PathSums {
  /** How many paths have the trouble, by channel, and how many of these failures are answers. */
  readonly bad = [0, 0, 0, 0];
  readonly answers = [0, 0, 0, 0];
  readonly ages: AgesByChannel;
  /** The observers of paths that are not known to be well, by number, and how many: four numbers for each. */
  readonly observers: number[] = [];
  readonly notWell: number[] = [];
  #last = -1;

  constructor(times: ProbeTimes) {
    this.ages = new AgesByChannel(times);
  }

  /** Counts the paths of an entry. Those of one observer come one after the other. */
  add({ bad, covered, observations: { entries } }: Tally, observer: number, entry: number): void {
    const mask = bad[entry] ?? 0;
    this.ages.add(mask, entries.ageS, entry);
    for (let channel = 0; channel < 4; channel++) {
      if (((mask >> channel) & 1) === 0) continue;
      this.bad[channel] = (this.bad[channel] ?? 0) + 1;
      if (isAnswer[entries.failureCode(entry, channel)] === true)
        this.answers[channel] = (this.answers[channel] ?? 0) + 1;
    }
    const notWell = covered[entry] ?? 0;
    if (notWell === 0) return;
    if (this.#last !== observer) {
      this.#last = observer;
      this.observers.push(observer);
      this.notWell.push(0, 0, 0, 0);
    }
    const first = this.notWell.length - 4;
    for (let channel = 0; channel < 4; channel++)
      if ((notWell >> channel) & 1)
        this.notWell[first + channel] = (this.notWell[first + channel] ?? 0) + 1;
  }

  /** How many paths are not known to be well, by channel. */
  allNotWell(): number[] {
    const all = [0, 0, 0, 0];
    for (let at = 0; at < this.notWell.length; at++)
      all[at & 3] = (all[at & 3] ?? 0) + (this.notWell[at] ?? 0);
    return all;
  }
}

/** The work between two yields, in observers. */
const slice = 500;

/** Counts the paths from some observers to the nodes on a side: those that have the trouble, which are counted in parts, and those that work. */
export function* sideOf(
  tally: Tally,
  sums: readonly PathSums[],
  begins: Begins,
  observers: readonly Observer[],
  target: SideNodes,
): Generator<void, Side> {
  const { times, observations, index } = tally;
  const bad = badIn(sums);
  const hinted = times.hinted(sizeOfSide(target), maskOf(bad));
  const counts = hinted.map((time, channel) => {
    return { time, beganS: begins[channel] ?? Infinity, working: noneProbed() };
  });
  const reported = [0, 0, 0, 0];
  const isEnough = paced(slice);
  for (const observer of observers) {
    if (isEnough(1)) yield;
    for (let channel = 0; channel < 4; channel++) {
      const paths = reportedPaths(observer, target, channel, index);
      reported[channel] = (reported[channel] ?? 0) + paths;
      addTo(counts[channel], observer.ageS, paths);
    }
  }
  for (const { observers: numbers, notWell } of sums) {
    // Of the whole cluster there are thousands, so without iterators and closures.
    for (let at = 0; at < numbers.length; at++) {
      if (isEnough(1)) yield;
      const ageS = observations.observers[numbers[at] ?? -1]?.ageS ?? 0;
      for (let channel = 0; channel < 4; channel++)
        addTo(counts[channel], ageS, -(notWell[4 * at + channel] ?? 0));
    }
  }
  return {
    bad,
    well: counts.map(({ working }) => Math.max(working.misfit, 0)),
    probed: counts.map(({ working }) => Math.max(working.probed, 0)),
    reported,
  };
}

interface WorkingSince {
  readonly time: ProbeTime;
  readonly beganS: number;
  readonly working: ProbedSince;
}

/** Adds paths of a channel that an observer tells of, or takes away those that are not well. A generator does that more slowly. */
function addTo(since: WorkingSince | undefined, ageS: number, paths: number): void {
  if (since && paths !== 0) addWorking(since.working, since.beganS, ageS, since.time, paths);
}

/** How many paths of several parts have the trouble, by channel. */
export function badIn(sums: readonly PathSums[]): number[] {
  return addUp(sums.map(({ bad }) => bad));
}

/** The paths of several sides together. */
export function sumOfSides(sides: readonly Side[]): Side {
  return sideBy((what) => addUp(sides.map((side) => side[what])));
}

/**
 * When the trouble of some paths began.
 * @param reverse what is counted of the other direction, if there is one: where none of these paths fails, what began is that those do
 */
export function beginsOf(
  { trouble, times }: Tally,
  sums: readonly PathSums[],
  reverse: () => readonly PathSums[] = () => [],
): Begins {
  if (trouble !== 'broken') return always;
  const begins = beginsOfOne(sums, times);
  return begins === always ? beginsOfOne(reverse(), times) : begins;
}

function beginsOfOne(sums: readonly PathSums[], times: ProbeTimes): Begins {
  const all = new AgesByChannel(times);
  for (const { ages } of sums) all.addAll(ages);
  return all.begins();
}
