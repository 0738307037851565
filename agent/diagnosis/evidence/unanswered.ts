import { channelNumber } from '../../model/channel.js';
import type { Row } from '../../model/row.js';
import { clockErrorS } from './time-model.js';

/** So many probes in a row without an answer are no chance. */
const leastLostProbes = 10;
/** The last probes are not answered yet. */
const leastSilentS = 2;

/** When the last probes of an observer were answered. */
export interface LastAnswers {
  /** By channel, how many seconds ago the last of them was, where many were sent since; undefined on others, and where none are. */
  readonly answeredS?: readonly (number | undefined)[] | undefined;
  /** The channels on which some of the last ones were answered, as a mask. */
  readonly answered: number;
}

const noneReported: LastAnswers = { answered: 0 };

/** What a row says of it, at the time when it was written. Of a row without failing paths nothing is asked. */
export function lastAnswersOf({
  sweeps = [],
  counts,
  paths,
}: Pick<Row, 'sweeps' | 'counts' | 'paths'>): LastAnswers {
  if (paths.length === 0) return noneReported;
  const answeredS: (number | undefined)[] = [];
  let answered = 0;
  for (const { plane, protocol, intervalMs, unansweredSeconds } of sweeps) {
    if (unansweredSeconds === undefined) continue;
    const { reachable, unreachable } = counts[plane][protocol];
    const gapS = intervalMs / 1000 / (reachable + unreachable);
    const channel = channelNumber(plane, protocol);
    if (unreachable > 0 && unansweredSeconds >= Math.max(leastSilentS, leastLostProbes * gapS)) {
      answeredS[channel] = unansweredSeconds;
    } else answered |= 1 << channel;
  }
  return answeredS.length > 0 ? { answeredS, answered } : { answered };
}

/** Whether none of an observer's probes on a channel was answered since a time, in seconds ago. */
export function isUnansweredSince(
  { answeredS }: LastAnswers,
  channel: number,
  sinceS: number,
): boolean {
  const lastS = answeredS?.[channel];
  return lastS !== undefined && lastS >= sinceS - clockErrorS;
}

/** Whether an observer's probes are answered on channels of a mask, and on none of them many were not since. */
export function isAnswered({ answeredS = [], answered }: LastAnswers, mask: number): boolean {
  const isLost = answeredS.some((s, channel) => s !== undefined && ((mask >> channel) & 1) === 1);
  return !isLost && (answered & mask) !== 0;
}
