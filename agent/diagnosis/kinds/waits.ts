import { isSilenceSure } from '../evidence/silence.js';
import { detectS, probedShare } from '../evidence/time-model.js';
import { isUnansweredSince } from '../evidence/unanswered.js';
import type { PathSight } from '../life/path-sight.js';
import { maskWhere } from '../nouns/channel-mask.js';

/** After this time what is not sure is told all the same, and later by how long the probes that confirm it may wait. */
const unsureMs = 10_000;
/** A server that restarts refuses connections for this long. */
const restartMs = 5500;
/** If an observer was refused for the first time so long after the first of all, it lasts. Rows tell it some two seconds late. */
const lastingMs = 3500;
/** After this share of the time in which all learn that a server is back, some of the rows that come tell so. */
const repairKnownShare = 1 / 6;
/** Its peers need this time to probe a server that was heard again, and no less than a sweep. */
const restartedMs = 30_000;

/** Until no look that is still to come can make another cause of a broken one. */
export function untilSure(sight: PathSight): number {
  const { life, beganMsAgo, input } = sight;
  // Its peers reach it again soon, if it stood still.
  if (life.mayBeBack)
    return beganMsAgo - (input.now - (life.since?.heardMs ?? input.now)) + unsureMs;
  if (life.unsureForMs > 0) return beganMsAgo + life.unsureForMs;
  const half = halfProbed(sight);
  if ((half & ~sight.cause.knownChannels) === 0 && sight.isSure()) return 0;
  // A part of what a node sends is known before the rest. Its next row, which it sends within a sweep, tells all.
  return unsureMs + sight.confirmMs + (half === 0 ? 0 : sight.explained.tally.sweepMs);
}

/** Of what a node sends, as its own row alone tells: the channels that fail, but on which it has not probed all of its paths since, as a mask. */
function halfProbed({ cause, own, sides, explained, beganMsAgo }: PathSight): number {
  if (!own || cause.ways !== 'out') return 0;
  const beganS = beganMsAgo / 1000;
  const { reported, bad } = sides.from;
  return maskWhere((channel) => {
    // It may break channels too on which other paths of the node fail.
    const mayGrow = (cause.knownChannels >> channel) & 1 || (bad[channel] ?? 0) > 0;
    const isReported = (reported[channel] ?? 0) > 0;
    const time = explained.tally.times.alone[channel];
    if (!mayGrow || !isReported || !time || isUnansweredSince(own, channel, beganS)) return false;
    return probedShare(beganS + detectS, own.ageS, time) !== 1;
  });
}

/** The same, and until it is sure that the node sends nothing: enough of its GETs would have been heard by now. */
export function untilSilenceIsSure(sight: PathSight): number {
  const { facts, explained, node, beganMsAgo, life } = sight;
  const isSilent = () => isSilenceSure(facts, explained.tally, node, beganMsAgo, life.hearing);
  return sight.isSure() && (node === -1 || isSilent()) ? 0 : unsureMs;
}

/** The same of a server, which may be restarting. */
export function untilRestarted(sight: PathSight): number {
  if (!isRefused(sight)) return untilSure(sight);
  // Most paths begin to fail later, and many rows come later: who was refused first tells how long it lasts.
  if (sight.life.hearing === 0) {
    const { sinceMs, lastMs } = sight.refusals();
    // Where nobody was refused lately it may be back. In a large cluster it takes seconds until rows tell so, and longer where
    // much else fails: who was refused too may still wait to confirm it.
    const isLasting = sinceMs - lastMs >= lastingMs;
    const lateMs = isLasting ? 0 : sight.lateRecoveryMs * repairKnownShare + sight.confirmMs;
    const settleMs = Math.max(restartMs + sight.beganMsAgo - sinceMs + lateMs, 0);
    if (sight.beganMsAgo < settleMs || !sight.hasEnded()) return settleMs;
  }
  // Rows of peers that have not probed it again since still tell that it refuses.
  return Math.max(restartedMs, unsureMs + sight.explained.tally.sweepMs);
}

/** The same of several servers, which may all be restarting: until it is sure too that these are all. */
export function untilAllRestarted(sight: PathSight): number {
  return Math.max(untilSure(sight), isRefused(sight) ? restartMs : 0);
}

/** Whether most of its paths are answered, by a host on which no server runs. */
export function isRefused(sight: PathSight): boolean {
  const failure = sight.failure();
  return failure === 'refused' || failure === 'reset';
}
