import { confirmationGapMs } from '../../../agent/probing/schedule/plan.js';
import type { PathChange } from './path-changes.js';
import type { ProbeTimes } from './probe-times.js';

/** A look at a path that changed. The times are milliseconds from the start. */
export interface Look {
  readonly change: PathChange;
  atMs: number;
}

/**
 * After a look that shows a change the agent looks at the same address by the other protocol, and at the node's other
 * address: after a failure by timeout one gap later, else at once.
 */
export function lookBeside(looks: readonly (Look | undefined)[]): void {
  for (let round = 0; round < 2; round++) {
    for (const [channel, look] of looks.entries()) {
      if (!look) continue;
      for (const beside of [channel ^ 1, channel ^ 2]) {
        const other = looks[beside];
        const besideMs = look.atMs + besideAfterMs(look.change);
        if (other && other.change.atMs <= besideMs) other.atMs = Math.min(other.atMs, besideMs);
      }
    }
  }
}

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
  for (let round = 0; round < 2; round++) {
    for (let channel = 0; channel < looks.length; channel++) {
      const change = changes[channel];
      if (!change) continue;
      const besideMs = (looks[channel] ?? Infinity) + besideAfterMs(change);
      if (changes[channel ^ 1] && besideMs < (looks[channel ^ 1] ?? 0))
        looks[channel ^ 1] = besideMs;
      if (changes[channel ^ 2] && besideMs < (looks[channel ^ 2] ?? 0))
        looks[channel ^ 2] = besideMs;
    }
  }
}

/** How long after a failing look an agent looks at the other paths of that node. */
export function besideAfterMs({ failure }: Pick<PathChange, 'failure'>): number {
  return failure === 'timeout' ? confirmationGapMs : 1;
}
