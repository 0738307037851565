import { channelsIn, hostHttpMask } from '../nouns/channel-mask.js';
import { lateAnswerMs } from '../evidence/hearing.js';
import { observerAt } from '../evidence/observations.js';
import { detectS, misfitOf, mostMisfit, probedShare } from '../evidence/time-model.js';
import type { Cause } from '../nouns/cause.js';
import type { Direction } from '../nouns/finding.js';
import type { PacketWays } from '../nouns/sight.js';
import type { PathSight } from '../life/path-sight.js';
import type { NamedSight } from './kind.js';
import { kindOf, pathKinds } from './kinds.js';
import { isLocal } from './of-nodes.js';

/** Names a cause of paths: its kind, its direction and what works beside it. The name does not change what the cause is. */
export function nameOf(sight: PathSight): NamedSight {
  const { cause, packets } = sight;
  const direction = packets ? directionOfPackets(cause, packets) : directionOf(sight);
  return { sight, kind: kindOf(pathKinds, sight), direction, ...seenBeside(sight) };
}

function directionOf(sight: PathSight): Direction | undefined {
  const { cause, life } = sight;
  const { subject, ways, channels } = cause;
  if (subject.type === 'cluster') return undefined;
  if (ways === 'both') return 'both';
  const reverse = sight.sides[ways === 'in' ? 'from' : 'to'];
  // A channel that fails in the reverse direction too does so for a larger cause.
  const works = channelsIn(channels).some((channel) => {
    const well = Math.max(reverse.well[channel] ?? 0, workingInReverse(sight, channel));
    return well >= 1 && well > (reverse.bad[channel] ?? 0);
  });
  // The first of two is the one whose probes fail.
  if (isOfTwo(cause)) return works ? 'outbound' : undefined;
  if (ways === 'out') {
    // That others reach a node says nothing of those that it does not reach.
    const isTold = works && (subject.type !== 'node' || areNotReachedTelling(sight));
    return isTold ? 'outbound' : undefined;
  }
  if (works && (subject.type === 'zones' || life.isObserver)) return 'inbound';
  return life.isHeard && !isLocal(sight) && (channels & hostHttpMask) !== 0 ? 'inbound' : undefined;
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
function areNotReachedTelling({ cause, explained, node, beganMsAgo }: PathSight): boolean {
  const { observations } = explained.tally;
  return cause.entries.some((entry) => {
    const to = observations.entries.to[entry] ?? -1;
    const other = observerAt(observations, to);
    if (other !== undefined && 1000 * other.ageS < beganMsAgo - lateAnswerMs) return true;
    return observations.heard.get(to)?.some(({ observer }) => observer === node) === true;
  });
}

/** One direction is told only where both ends spoke: one of them alone may not see the other. */
function directionOfPackets(
  cause: Cause,
  { ways, isToldByBoth }: PacketWays,
): Direction | undefined {
  if (cause.subject.type === 'cluster') return undefined;
  if (ways === 'both') return 'both';
  if (!isToldByBoth) return undefined;
  // The packets of the first of two are lost.
  return ways === 'out' || isOfTwo(cause) ? 'outbound' : 'inbound';
}

function isOfTwo({ subject }: Cause): boolean {
  return subject.type === 'pair' || ('other' in subject && subject.other !== undefined);
}

/** The other channels of the node: those that work, those that fail, and those of which nothing is known. */
function seenBeside({ cause: { subject, knownChannels, ways }, sides, input }: PathSight) {
  let [working, failing, unseen] = [0, 0, 0];
  if (subject.type !== 'node') return { working, failing, unseen };
  const side = sides[ways === 'out' ? 'from' : 'to'];
  const has = input.index.masks[subject.node] ?? 0;
  for (const channel of channelsIn(has & ~knownChannels)) {
    const bit = 1 << channel;
    const [bad, well] = [side.bad[channel] ?? 0, side.well[channel] ?? 0];
    if (well >= 1 && well > bad) working |= bit;
    else if (bad >= 1 && bad >= well) failing |= bit;
    else unseen |= bit;
  }
  return { working, failing, unseen };
}
