import {
  misfitOf,
  mostOverdue,
  overdueOf,
  probedShare,
  type ProbeTime,
} from '../evidence/time-model.js';

/** What rows say of the paths of one cause, one row after the other. */
export class RowsOfCause {
  size = 0;
  /** When the row was confirmed, in seconds ago. */
  confirmedS: Float64Array = new Float64Array(64);
  /** The shares of its paths that work, and that fail, by how much the row counts. */
  works: Float64Array = new Float64Array(64);
  fails: Float64Array = new Float64Array(64);

  clear(): void {
    this.size = 0;
  }

  add(confirmedS: number, works: number, fails: number): void {
    if (this.size === this.confirmedS.length) {
      this.confirmedS = doubled(this.confirmedS);
      this.works = doubled(this.works);
      this.fails = doubled(this.fails);
    }
    this.confirmedS[this.size] = confirmedS;
    this.works[this.size] = works;
    this.fails[this.size++] = fails;
  }
}

function doubled(old: Float64Array): Float64Array {
  const next = new Float64Array(2 * old.length);
  next.set(old);
  return next;
}

/** When a cause ended, and how much less contradicts it then than if it went on, in natural logarithms. */
export interface FittedEnd {
  readonly endedS: number;
  readonly gain: number;
}

/** So many of the times at which a cause may have ended are tried. */
const mostTried = 24;

/** What a row of which some paths fail and some work tells is wrong by so much, as agents do not look at an even rate. */
const mixedError = 0.25;

/**
 * Finds when a cause ended most likely: just before one of the rows in which its paths work was
 * confirmed.
 * @param beganS when it began, in seconds ago
 * @returns undefined if nothing contradicts that it goes on
 */
export function fitEnd(rows: RowsOfCause, beganS: number, time: ProbeTime): FittedEnd | undefined {
  const { size, confirmedS, works, fails } = rows;
  const times: number[] = [];
  for (let row = 0; row < size; row++) {
    const c = confirmedS[row] ?? 0;
    if (works[row] !== 0 && probedShare(beganS, c, time) > 0) times.push(c);
  }
  if (times.length === 0) return undefined;
  times.sort((a, b) => a - b);
  const step = Math.max(1, times.length / mostTried);
  let best: FittedEnd | undefined;
  for (let at = times.length - 1; at >= 0; at -= step) {
    const endedS = times[Math.round(at)] ?? 0;
    const failing = probedShare(beganS, endedS, time);
    let gain = 0;
    for (let row = 0; row < size; row++) {
      const c = confirmedS[row] ?? 0;
      // A row from before the end tells as much against both.
      if (c > endedS) continue;
      const probed = probedShare(beganS, c, time);
      if (probed === 0) continue;
      const [work = 0, fail = 0] = [works[row], fails[row]];
      const share = fail / (work + fail);
      // If it ended, what fails was probed before, and what works was not, or was probed again since.
      const fits = Math.min(share, failing);
      let one = 0;
      if (work > 0) one += work * (misfitOf(probed) + Math.log(1 - fits));
      if (fail > 0)
        one -= fail * Math.min(Math.log(probed / fits) + overdueOf(endedS, c, time), mostOverdue);
      gain += one > 0 && fail > 0 ? Math.max(one - mixedError * (work + fail), 0) : one;
    }
    if (best === undefined || gain > best.gain) best = { endedS, gain };
  }
  return best;
}
