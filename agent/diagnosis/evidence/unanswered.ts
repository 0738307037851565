import { channels } from '../../model/channel.js';
import type { Row } from '../../model/row.js';
import { clockErrorS } from './time-model.js';

/** So many probes in a row without an answer are no chance. */
const leastLostProbes = 10;
/** The last probes are not answered yet. */
const leastSilentS = 2;

/**
 * By channel, for how many seconds none of an observer's probes had been answered when it wrote its row, where these were
 * many; undefined where some were, or the row does not tell. Of a row without failing paths nothing is asked.
 */
export function unansweredS({
  sweeps,
  counts,
  paths,
}: Pick<Row, 'sweeps' | 'counts' | 'paths'>): (number | undefined)[] | undefined {
  if (paths.length === 0) return undefined;
  const told = channels.map(({ plane, protocol }) => {
    const { reachable, unreachable } = counts[plane][protocol];
    if (unreachable === 0) return undefined;
    const sweep = sweeps?.find((one) => one.plane === plane && one.protocol === protocol);
    const { unansweredSeconds, intervalMs = 0 } = sweep ?? {};
    if (unansweredSeconds === undefined) return undefined;
    const gapS = intervalMs / 1000 / (reachable + unreachable);
    return unansweredSeconds >= Math.max(leastSilentS, leastLostProbes * gapS)
      ? unansweredSeconds
      : undefined;
  });
  return told.some((s) => s !== undefined) ? told : undefined;
}

/** When the last probes of an observer were answered. */
export interface LastAnswers {
  /**
   * By channel, how many seconds ago the last of its probes was answered, where many were not since, as its row says; undefined
   * where some were.
   */
  readonly answeredS?: readonly (number | undefined)[] | undefined;
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
