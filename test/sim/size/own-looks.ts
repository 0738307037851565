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
      const laterMs = look.change.failure === 'timeout' ? confirmationGapMs : 1;
      for (const beside of [channel ^ 1, channel ^ 2]) {
        const other = looks[beside];
        const besideMs = look.atMs + laterMs;
        if (other && other.change.atMs <= besideMs) other.atMs = Math.min(other.atMs, besideMs);
      }
    }
  }
}

/** When an agent looks at the paths to a node without any hint, by channel; Infinity where nothing changed. */
export function ownLooks(
  probes: ProbeTimes,
  from: number,
  to: number,
  changes: readonly (PathChange | undefined)[],
  atMs: number,
): readonly number[] {
  const looks = changes.map(
    (change, channel): Look | undefined =>
      change && { change, atMs: probes.next(from, to, channel, atMs) },
  );
  lookBeside(looks);
  return looks.map((look) => look?.atMs ?? Infinity);
}
