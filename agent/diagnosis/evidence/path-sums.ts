import { addUp, channelsIn } from '../nouns/channel-mask.js';
import type { Side } from '../nouns/sight.js';
import { AgesByChannel, always, type Begins } from './begin-times.js';
import type { Observer } from './observations.js';
import { isAnswer } from './path-counts.js';
import { WorkingPaths } from './probed-since.js';
import type { Tally } from './tally.js';
import type { ProbeTimes } from './time-model.js';

/** What rows say of the paths from some nodes to others, counted row by row. */
export class PathSums {
  /** How many paths have the trouble, by channel, and how many of these failures are answers. */
  readonly bad = [0, 0, 0, 0];
  readonly answers = [0, 0, 0, 0];
  readonly ages: AgesByChannel;
  /** The observers of paths that are not known to be well, by number, and how many: four numbers for each. */
  readonly observers: number[] = [];
  readonly notWell: number[] = [];

  constructor(times: ProbeTimes) {
    this.ages = new AgesByChannel(times);
  }

  /** Counts the paths of an entry. Those of one observer come one after the other. */
  add({ bad, covered, observations: { entries } }: Tally, observer: number, entry: number): void {
    for (const channel of channelsIn(bad[entry] ?? 0)) {
      this.bad[channel] = (this.bad[channel] ?? 0) + 1;
      this.ages.add(channel, entries.ageS[4 * entry + channel] ?? 0);
      if (isAnswer[entries.failureCode(entry, channel)] === true)
        this.answers[channel] = (this.answers[channel] ?? 0) + 1;
    }
    const notWell = covered[entry] ?? 0;
    if (notWell === 0) return;
    if (this.observers.at(-1) !== observer) {
      this.observers.push(observer);
      this.notWell.push(0, 0, 0, 0);
    }
    const first = this.notWell.length - 4;
    for (const channel of channelsIn(notWell))
      this.notWell[first + channel] = (this.notWell[first + channel] ?? 0) + 1;
  }
}

/** Who tells of some paths. */
export interface Telling {
  readonly observers: Iterable<Observer>;
  /** How many of the paths an observer tells of, whether they work or not. */
  readonly toldBy: (observer: Observer, channel: number) => number;
}

/**
 * Counts the paths that have the trouble, and those that work.
 * @param sums what is counted of them, in parts
 * @param reverse the same of the other direction: where none of these paths fails, what began is that those do
 */
export function sideOf(
  tally: Tally,
  sums: readonly PathSums[],
  reverse: () => readonly PathSums[],
  { observers, toldBy }: Telling,
): Side {
  const { trouble, times, observations } = tally;
  let begins = trouble === 'broken' ? beginsOf(sums, times) : always;
  if (begins === always && trouble === 'broken') begins = beginsOf(reverse(), times);
  const working = new WorkingPaths(begins, times.hinted);
  for (const observer of observers) {
    for (let channel = 0; channel < 4; channel++)
      working.report(channel, observer.ageS, toldBy(observer, channel));
  }
  for (const { observers: numbers, notWell } of sums) {
    // Of the whole cluster there are thousands, so without iterators and closures.
    for (let at = 0; at < numbers.length; at++) {
      const ageS = observations.observers[numbers[at] ?? -1]?.ageS ?? 0;
      for (let channel = 0; channel < 4; channel++)
        working.add(channel, ageS, -(notWell[4 * at + channel] ?? 0));
    }
  }
  return { bad: addUp(sums.map(({ bad }) => bad)), ...working.counts() };
}

function beginsOf(sums: readonly PathSums[], times: ProbeTimes): Begins {
  const [only] = sums;
  if (only && sums.length === 1) return only.ages.begins();
  const all = new AgesByChannel(times);
  for (const { ages } of sums) all.addAll(ages);
  return all.begins();
}
