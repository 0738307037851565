import { channelsIn, hostHttpMask } from '../nouns/channel-mask.js';
import { lateAnswerMs } from '../evidence/hearing.js';
import { observerAt } from '../evidence/observations.js';
import { detectS, misfitOf, mostMisfit, probedShare } from '../evidence/time-model.js';
import type { Cause } from '../nouns/cause.js';
import type { Direction } from '../nouns/finding.js';
import { nodesAt } from '../nouns/subject.js';
import type { PacketWays } from '../nouns/sight.js';
import type { PathSight } from '../life/path-sight.js';

/**
 * In which direction the paths of a cause fail, where that is known: it says of the other one that it works, or fails too. It does not
 * change what the cause is.
 */
export function directionOf(sight: PathSight): Direction | undefined {
  const { cause, life, packets } = sight;
  if (packets) return packetDirection(cause, packets);
  const { subject, ways, channels } = cause;
  if (subject.type === 'cluster') return undefined;
  if (ways === 'both') return 'both';
  const reverse = sight.sides[ways === 'in' ? 'from' : 'to'];
  // A channel that fails in the reverse direction too does so for a larger cause.
  const worksOn = (channel: number) => {
    const well = Math.max(reverse.well[channel] ?? 0, workingInReverse(sight, channel));
    return well >= 1 && well > (reverse.bad[channel] ?? 0);
  };
  const works = channelsIn(channels).some(worksOn) && (ways === 'out' || isReverseReported(sight));
  // The first of two is the one whose probes fail.
  if (isOfTwo(cause)) return works ? 'outbound' : undefined;
  if (ways === 'out') {
    // That others reach a node says nothing of those that it does not reach.
    const isOutbound = works && (subject.type !== 'node' || areNotReachedTelling(sight));
    return isOutbound ? 'outbound' : undefined;
  }
  if (works && (subject.type === 'zones' || life.isObserver)) return 'inbound';
  return life.isHeard && sight.node !== sight.localNode && (channels & hostHttpMask) !== 0
    ? 'inbound'
    : undefined;
}

/** Whether a node that is not reached has confirmed its row since the cause began. Until then, what rows tell of the way back is of before. */
export function isReverseReported(sight: PathSight): boolean {
  const { cause, explained } = sight;
  return nodesAt(cause.subject, explained.tally.index).some((node) =>
    hasReportedSince(sight, node),
  );
}

function hasReportedSince({ explained: { tally }, beganMsAgo }: PathSight, node: number): boolean {
  const { ageS = Infinity } = observerAt(tally.observations, node) ?? {};
  return 1000 * ageS < beganMsAgo - lateAnswerMs;
}

/** Of a cause at a node in one direction: how many paths the other way work on a channel since that began. */
function workingInReverse(sight: PathSight, channel: number): number {
  const { node, own, sides, beganMsAgo } = sight;
  const { tally } = sight.explained;
  const { ways } = sight.cause;
  const beganS = beganMsAgo / 1000 + detectS;
  if (ways === 'out' && node !== -1) return tally.workingTo(node, channel, beganS);
  const time = tally.times.alone[channel];
  if (!own || !time || ways !== 'in') return 0;
  const { reported, bad } = sides.from;
  const others = Math.max((reported[channel] ?? 0) - (bad[channel] ?? 0), 0);
  return (others * misfitOf(probedShare(beganS, own.ageS, time))) / mostMisfit;
}

/** Of what a node sends: whether any of those that it does not reach told since how they reach it, or was heard by it. */
function areNotReachedTelling(sight: PathSight): boolean {
  const { cause, explained, node } = sight;
  const { observations } = explained.tally;
  return cause.entries.some((entry) => {
    const to = observations.entries.to[entry] ?? -1;
    if (hasReportedSince(sight, to)) return true;
    return observations.heard.get(to)?.some(({ observer }) => observer === node) === true;
  });
}

/** One direction is told only where both ends spoke: one of them alone may not see the other. */
function packetDirection(
  cause: Cause,
  { ways, isReportedByBoth }: PacketWays,
): Direction | undefined {
  if (cause.subject.type === 'cluster') return undefined;
  if (ways === 'both') return 'both';
  if (!isReportedByBoth) return undefined;
  // The packets of the first of two are lost.
  return ways === 'out' || isOfTwo(cause) ? 'outbound' : 'inbound';
}

function isOfTwo({ subject }: Cause): boolean {
  return subject.type === 'pair' || ('other' in subject && subject.other !== undefined);
}
