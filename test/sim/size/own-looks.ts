import { confirmationGapMs } from '../../../agent/probing/schedule/plan.js';
import type { PathChange } from './path-changes.js';
import type { ProbeTimes } from './probe-times.js';

/**
 * When an agent looks at the paths to a node without any hint, by channel; Infinity where nothing changed. It is asked for
 * millions of pairs of nodes, so it makes no object.
 * @param looks where the times go
 */
export function ownLooks(
  probes: ProbeTimes,
  from: number,
  to: number,
  changes: readonly (PathChange | undefined)[],
  looks: Float64Array,
): void {
  for (let channel = 0; channel < looks.length; channel++) {
    const change = changes[channel];
    looks[channel] = change ? probes.next(from, to, channel, change.atMs) : Infinity;
  }
  lookBeside(changes, looks);
}

/**
 * After a look that shows a change the agent looks at the same address by the other protocol, and at the node's other
 * address: after a failure by timeout one gap later, else at once.
 * @param looks when it looks by each channel, which this brings forward
 */
export function lookBeside(
  changes: readonly (PathChange | undefined)[],
  looks: Float64Array,
): void {
  for (let round = 0; round < 2; round++) {
    for (let channel = 0; channel < looks.length; channel++) {
      const change = changes[channel];
      if (change?.isTurn !== true) continue;
      const besideMs = (looks[channel] ?? Infinity) + besideAfterMs(change);
      bringForward(changes[channel ^ 1], looks, channel ^ 1, besideMs);
      bringForward(changes[channel ^ 2], looks, channel ^ 2, besideMs);
    }
  }
}

function bringForward(
  change: PathChange | undefined,
  looks: Float64Array,
  channel: number,
  atMs: number,
): void {
  if (change?.isTurn === true && atMs < (looks[channel] ?? 0)) looks[channel] = atMs;
}

/** How long after a failing look an agent looks at the other paths of that node. */
export function besideAfterMs({ failure }: Pick<PathChange, 'failure'>): number {
  return failure === 'timeout' ? confirmationGapMs : 1;
}
