import {
  misfitOf,
  mostOverdue,
  overdueOf,
  probedShare,
  type ProbeTime,
} from '../evidence/time-model.js';

/** What rows say of the paths of one cause, one row after the other. */
export class RowsOfCause {
  /** When the row was confirmed, in seconds ago. */
  readonly confirmedS: number[] = [];
  /** The shares of its paths that work, and that fail, by how much the row counts. */
  readonly works: number[] = [];
  readonly fails: number[] = [];

  add(confirmedS: number, works: number, fails: number): void {
    this.confirmedS.push(confirmedS);
    this.works.push(works);
    this.fails.push(fails);
  }
}

/** So many of the times at which a cause may have ended are tried. */
const mostTried = 24;

/** So many standard deviations fewer failing paths than expected are chance. */
const mostDeviations = 2;
/** A row that tells of a new failure is as old as when it was written, one that confirms what works is newer by so much. */
const newerS = 2;

/** What a row of which some paths fail and some work tells is wrong by so much, as agents do not look at an even rate. */
const mixedError = 0.25;

/**
 * Finds when a cause ended most likely: just before one of the rows in which its paths work was
 * confirmed.
 * @param beganS when it began, in seconds ago
 * @returns that time, and how much less contradicts it then than if it went on, in natural logarithms; undefined if nothing
 * contradicts that it goes on
 */
export function fitEnd(
  { confirmedS, works, fails }: RowsOfCause,
  beganS: number,
  time: ProbeTime,
): { readonly endedS: number; readonly gain: number } | undefined {
  const probed = confirmedS.map((s) => probedShare(beganS, s, time));
  const misfit = probed.map(misfitOf);
  const times = confirmedS.filter((_, row) => works[row] !== 0 && (probed[row] ?? 0) > 0);
  if (times.length === 0) return undefined;
  times.sort((a, b) => a - b);
  const step = Math.max(1, times.length / mostTried);
  let best: ReturnType<typeof fitEnd>;
  for (let at = times.length - 1; at >= 0; at -= step) {
    const endedS = times[Math.round(at)] ?? 0;
    const gain = gainOf(endedS, probedShare(beganS, endedS, time));
    if (best === undefined || gain > best.gain) best = { endedS, gain };
  }
  return best;

  /** @param failing which share of the paths was probed before the end */
  function gainOf(endedS: number, failing: number): number {
    let gain = 0;
    let [missing, variance] = [0, 0];
    for (let row = 0; row < probed.length; row++) {
      const c = confirmedS[row] ?? 0;
      const share = probed[row] ?? 0;
      if (c > endedS + newerS || share === 0) continue;
      const work = works[row] ?? 0;
      const fail = fails[row] ?? 0;
      missing += share * (work + fail) - fail;
      variance += share * (1 - share) * (work + fail) ** 2;
      // A row from before the end tells as much against both.
      if (c > endedS) continue;
      if (fail === 0) {
        gain += work * (misfit[row] ?? 0);
        continue;
      }
      // If it ended, what fails was probed before, and what works was not, or was probed again since.
      const fits = Math.min(fail / (work + fail), failing);
      const late = fits === share ? 0 : Math.log(share / fits);
      let one = -fail * Math.min(late + overdueOf(endedS, c, time), mostOverdue);
      if (work > 0) {
        one += work * ((misfit[row] ?? 0) + Math.log(1 - fits));
        if (one > 0) one = Math.max(one - mixedError * (work + fail), 0);
      }
      gain += one;
    }
    // Most paths of a cause that has just begun work still: while as many fail as if it went on, they do not contradict it.
    return missing <= mostDeviations * Math.sqrt(variance) ? Math.min(gain, 0) : gain;
  }
}
