import {
  misfitOf,
  mostOverdue,
  overdueOf,
  probedShare,
  type ProbeTime,
} from '../evidence/time-model.js';

/** What a row says of the paths of one cause. */
export interface RowOfCause {
  /** When the row was confirmed, in seconds ago. */
  readonly confirmedS: number;
  /** The shares of its paths that work, and that fail, by how much the row counts. */
  readonly works: number;
  readonly fails: number;
  /** A path that works contradicts by no more than this that the cause goes on: as many may work all the while. */
  readonly most: number;
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
 * Finds when a cause ended most likely: just before one of the rows in which its paths work was confirmed.
 * @param beganS when it began, in seconds ago
 * @returns that time, and how much less contradicts it then, in natural logarithms; undefined if nothing contradicts that it goes on
 */
export function fitEnd(
  rows: readonly RowOfCause[],
  beganS: number,
  time: ProbeTime,
): { readonly endedS: number; readonly gain: number } | undefined {
  const probed = rows.flatMap(({ confirmedS, works, fails, most }) => {
    const share = probedShare(beganS, confirmedS, time);
    const misfit = Math.min(misfitOf(share), most);
    return share === 0 ? [] : { confirmedS, works, fails, share, misfit };
  });
  const times = probed.filter(({ works }) => works !== 0).map(({ confirmedS }) => confirmedS);
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
    for (const { confirmedS, works, fails, share, misfit } of probed) {
      if (confirmedS > endedS + newerS) continue;
      missing += share * (works + fails) - fails;
      variance += share * (1 - share) * (works + fails) ** 2;
      // A row from before the end tells as much against both.
      if (confirmedS > endedS) continue;
      if (fails === 0) {
        gain += works * misfit;
        continue;
      }
      // If it ended, what fails was probed before, and what works was not, or was probed again since.
      const fits = Math.min(fails / (works + fails), failing);
      const late = Math.log(share / fits);
      let one = -fails * Math.min(late + overdueOf(endedS, confirmedS, time), mostOverdue);
      if (works > 0) {
        one += works * (misfit + Math.log(1 - fits));
        if (one > 0) one = Math.max(one - mixedError * (works + fails), 0);
      }
      gain += one;
    }
    // Most paths of a cause that has just begun work still: while as many fail as if it went on, they do not contradict it.
    return missing <= mostDeviations * Math.sqrt(variance) ? Math.min(gain, 0) : gain;
  }
}
