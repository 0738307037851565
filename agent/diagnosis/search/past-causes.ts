import { singleWays } from '../nouns/cause.js';
import { channelsIn } from '../nouns/channel-mask.js';
import type { DiagnosisInput } from '../nouns/diagnosis-input.js';
import { getOrInsert } from '../nouns/get-or-insert.js';
import type { PastCause } from '../nouns/memory.js';
import type { Side } from '../nouns/sight.js';
import { leastKnownShare } from './prior.js';
import type { PastCauses } from './subject-paths.js';

type Sides = Readonly<Record<'to' | 'from', Side>>;

/**
 * Tells of nodes what was told of them lately. What failed before this agent started, and belongs to no cause that it told, may be
 * left of a cause that is over.
 */
export function pastCauses({
  previous,
  index,
  uptimeMs,
}: Pick<DiagnosisInput, 'previous' | 'index' | 'uptimeMs'>): (
  node: number,
  sides: Sides,
  answering: number,
  beganS: (channel: number, way: 'in' | 'out') => number,
) => PastCauses {
  const byNode = new Map<number, PastCause[]>();
  for (const cause of previous?.past ?? []) {
    const node = cause.type === 'node' ? index.numberOf.get(cause.names[0] ?? '') : undefined;
    if (node !== undefined) getOrInsert(byNode, node, () => []).push(cause);
  }
  return (node, sides, answering, beganS) => {
    const past = byNode.get(node) ?? [];
    const isOf = (causes: readonly PastCause[], channel: number) =>
      causes.some(({ channels }) => ((channels >> channel) & 1) === 1);
    // Few nodes are asked for it.
    let over: readonly PastCause[] | undefined;
    const isAnyOver = (channel: number) =>
      isOf((over ??= past.filter((cause) => isOver(cause, sides, answering))), channel);
    const failedBefore = (channel: number) =>
      1000 * Math.min(beganS(channel, 'in'), beganS(channel, 'out')) > uptimeMs;
    return {
      // In both directions: the row of a node that nobody reached comes only after the repair, and only that tells what it sends.
      isOver: (channel) => isAnyOver(channel) || (!isOf(past, channel) && failedBefore(channel)),
      wasOne: (channels, ways) =>
        past.some(
          (one) => one.endedMs === undefined && one.channels === channels && one.ways === ways,
        ),
    };
  };
}

/**
 * A cause is over once most paths work on one of its channels, in one of its directions: it said that all of them fail. So it is
 * where connections were refused and nothing answers any more.
 * @param answering the channels on which most failures are answers, as a mask
 */
function isOver(
  { channels, ways, endedMs, isAnswered }: PastCause,
  { to, from }: Sides,
  answering: number,
): boolean {
  if (endedMs !== undefined) return true;
  if (isAnswered && (answering & channels) === 0) return true;
  return singleWays[ways].some((way) => {
    const { bad, probed } = way === 'in' ? to : from;
    return channelsIn(channels).some((channel) => {
      const [fails, works] = [bad[channel] ?? 0, probed[channel] ?? 0];
      return works > 0 && fails < leastKnownShare * (fails + works);
    });
  });
}
