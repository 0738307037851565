import {
  misfitOf,
  mostMisfit,
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
  /** A path that works contradicts by no more than this that the cause goes on, unless nearly all are known to have failed: as many may work all the while. */
  readonly most: number;
  /** How many paths that is of. */
  readonly paths: number;
}

/** So many of the times at which a cause may have ended are tried. */
const mostTried = 24;

/** So many standard deviations fewer failing paths than expected are chance. */
const mostDeviations = 2;
/** A row that tells of a new failure is as old as when it was written, one that confirms what works is newer by so much. */
const newerS = 2;

/** What a row of which some paths fail and some work tells is wrong by so much, as agents do not look at an even rate. */
const mixedError = 0.25;

/** All paths of a cause failed if so large a share did. What works of these works again, and rows tell more than of others. */
const wholeShare = 0.9;
/** So large a share of them may work all the same by the next run. */
const leastWorking = 0.005;
/** So many of a row's paths count: further ones may be wrong for the same reason. */
const mostPaths = 20;
/** If no row tells that so large a share works again, a few of its nodes may be well, and the cause is not over. */
const leastAnew = 0.25;

/**
 * Finds when a cause ended most likely: just before one of the rows in which its paths work was confirmed.
 * @param beganS when it began, in seconds ago
 * @param failed which share of its paths failed lately, and since when, in seconds ago: all of them may have been probed sooner than is expected
 * @returns that time, and how much less contradicts it then, in natural logarithms; undefined if nothing contradicts that it goes on
 */
export function fitEnd(
  rows: readonly RowOfCause[],
  beganS: number,
  time: ProbeTime,
  failed = { share: 0, sinceS: 0 },
): { readonly endedS: number; readonly gain: number } | undefined {
  // What works in a row from when all paths had failed works again. While a cause spreads, as many fail as were probed by then.
  const knownS = failed.share < wholeShare ? -Infinity : failed.sinceS;
  const probed = rows.flatMap(({ confirmedS, works, fails, most, paths }) => {
    const expected = probedShare(beganS, confirmedS, time);
    if (expected === 0) return [];
    const isKnown = confirmedS <= knownS;
    const share = isKnown ? failed.share : expected;
    const misfit = isKnown ? misfitOf(share) : Math.min(misfitOf(share), most);
    const known = isKnown
      ? {
          counted: Math.min(paths, mostPaths),
          misfit: -Math.log(Math.max(1 - share, leastWorking)),
        }
      : undefined;
    return { confirmedS, works, fails, share, misfit, known };
  });
  // It went on when nearly all failed.
  const times = probed.flatMap(({ confirmedS, works, known }) =>
    works !== 0 && (known || knownS === -Infinity) ? confirmedS : [],
  );
  times.sort((a, b) => a - b);
  const step = Math.max(1, times.length / mostTried);
  let best: ReturnType<typeof fitEnd>;
  for (let at = times.length - 1; at >= 0; at -= step) {
    const endedS = times[Math.round(at)] ?? 0;
    const gain = gainOf(
      endedS,
      endedS <= knownS ? failed.share : probedShare(beganS, endedS, time),
    );
    if (best === undefined || gain > best.gain) best = { endedS, gain };
  }
  return best;

  /** @param failing which share of the paths was probed before the end */
  function gainOf(endedS: number, failing: number): number {
    let gain = 0;
    let [missing, variance] = [0, 0];
    const isRepaired = probed.some(
      ({ confirmedS, works, fails, known }) =>
        known && confirmedS <= endedS && works >= leastAnew * (works + fails),
    );
    for (const { confirmedS, works, fails, share, misfit, known } of probed) {
      if (confirmedS > endedS + newerS) continue;
      missing += share * (works + fails) - fails;
      variance += (share * (1 - share) * (works + fails) ** 2) / (known?.counted ?? 1);
      // A row from before the end tells as much against both.
      if (confirmedS > endedS) continue;
      if (fails === 0) {
        gain += works * misfit;
        continue;
      }
      // If it ended, what fails was probed before, and what works was not, or was probed again since.
      const fits = Math.min(fails / (works + fails), failing);
      const late = Math.log(share / fits);
      const ofFailing = -fails * Math.min(late + overdueOf(endedS, confirmedS, time), mostOverdue);
      const anew = works === 0 ? 0 : Math.log(1 - fits);
      if (known && isRepaired) {
        const each = (ofFailing + works * (known.misfit + anew)) / (works + fails);
        gain += (works + fails) * Math.min(each * (each > 0 ? known.counted : 1), mostMisfit);
      } else {
        const all = ofFailing + works * (misfit + anew);
        gain += all <= 0 ? all : Math.max(all - mixedError * (works + fails), 0);
      }
    }
    // Most paths of a cause that has just begun work still: while as many fail as if it went on, they do not contradict it.
    return missing <= mostDeviations * Math.sqrt(variance) ? Math.min(gain, 0) : gain;
  }
}
