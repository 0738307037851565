import { channels } from '../../../agent/model/channel.js';
import { lateAnswerMs } from '../../../agent/peers/row/answered-since.js';
import { besideAfterMs } from './own-looks.js';
import type { PathTurn } from './observed-paths.js';
import { fewLooks } from './look-queue.js';
import type { SizeWorld } from './size-world.js';

/** From a probe to its answer. */
const roundTripMs = 5;

/**
 * Which other paths of a node answered since one of them fails, as a mask: by their steady probes, or since the failure made the
 * agent look at them. Where many of the node's zone fail at once these looks have to wait, and none is counted.
 * @param failing by channel, the turns of the node's paths that fail at that time
 * @param nodes how many nodes of its zone the agent does not reach then
 */
export function answeredSince(
  { probes, changes }: SizeWorld,
  [from, to]: readonly [from: number, to: number],
  failing: readonly (PathTurn | undefined)[],
  channel: number,
  nodes: number,
  { startMs, atMs }: { readonly startMs: number; readonly atMs: number },
): number {
  const sinceMs = (turn: PathTurn) =>
    (turn.sinceMs ?? turn.atMs) - probes.confirmMs(turn.failure ?? 'timeout');
  const own = failing[channel];
  if (!own) return 0;
  const fromMs = Math.max(sinceMs(own) + (own.failure === 'timeout' ? lateAnswerMs : 0), startMs);
  const untilMs = atMs - roundTripMs;
  return channels.reduce((mask, _, other) => {
    if (failing[other]) return mask;
    const looks = [probes.last(from, to, other, untilMs)];
    for (const beside of nodes > fewLooks ? [] : [other ^ 1, other ^ 2]) {
      const turn = failing[beside];
      if (turn) looks.push(sinceMs(turn) + besideAfterMs(turn));
    }
    const isAnswered = (ms: number) =>
      ms >= fromMs && ms <= untilMs && changes.failure(from, to, other, ms) === undefined;
    return looks.some(isAnswered) ? mask | (1 << other) : mask;
  }, 0);
}
