import type { Random } from '../../fuzz/random.js';
import type { PathLosses } from './history.js';
import { isLossy } from './row-noise.js';
import { confirmS, httpIntervalS, lossWindowS, timeoutS } from './scenarios/conditions.js';

/** What the agent's own rules make of GETs of which some are lost. Times are in seconds, ago. */
export interface HttpPath {
  readonly state: 'reachable' | 'lossy' | 'unreachable';
  readonly ageS: number;
  /** How many it lost in ten minutes. */
  readonly lost: number;
  /** When its flows are tested for the first time, if at all: it lost probes, or came and went. */
  readonly suspectS: number | undefined;
}

/** A failure threshold of three, a recovery threshold of two. */
const [confirmations, recovery] = [2, 2];
/** What was before says nothing. */
const mostS = 2 * lossWindowS;
const probesInWindow = lossWindowS / httpIntervalS;

/** Sends a GET in each interval, each from another port, and more of them to confirm what it sees. */
export function loseGets(losses: readonly PathLosses[], agoS: number, random: Random): HttpPath {
  const beganS = Math.max(...losses.map(({ sinceS }) => sinceS)) - agoS;
  let [state, sinceS, suspectS, returns]: [HttpPath['state'], number, number | undefined, number] =
    ['reachable', 0, undefined, 0];
  let lostAt: number[] = [];
  const startS = Math.min(beganS, mostS) - random.next() * httpIntervalS;
  for (let atS = startS; atS > 0; atS -= httpIntervalS) {
    const passing = passingAt(losses, atS + agoS);
    const isAnswered = () => random.next() < passing;
    if (state === 'unreachable') {
      let answers = 0;
      while (answers < recovery && isAnswered()) answers++;
      if (answers < recovery) continue;
      [state, sinceS, lostAt] = ['reachable', atS, []];
      if (++returns === 2) suspectS ??= atS;
      continue;
    }
    lostAt = lostAt.filter((at) => at - atS < lossWindowS);
    if (!isAnswered()) {
      const more = Array.from({ length: confirmations }, isAnswered).filter((is) => !is).length;
      const isSeen = atS > confirmS + timeoutS;
      if (more === confirmations && isSeen) {
        [state, sinceS, lostAt] = ['unreachable', atS - confirmS - timeoutS, []];
        continue;
      }
      for (let lost = 0; lost <= more; lost++) lostAt.push(atS);
    }
    const after = isLossy(lostAt.length, probesInWindow) ? 'lossy' : 'reachable';
    if (after !== state) [state, sinceS] = [after, atS];
    if (after === 'lossy') suspectS ??= atS;
  }
  return { state, ageS: sinceS, lost: lostAt.length, suspectS };
}

/** The share of GETs that are answered. */
function passingAt(losses: readonly PathLosses[], atS: number): number {
  let passing = 1;
  for (const { share, flows, sinceS } of losses) {
    if (sinceS >= atS) passing *= (1 - share) * (1 - flows);
  }
  return passing;
}
