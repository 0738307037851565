import type { Look } from './own-looks.js';
import type { ProbeTimes } from './probe-times.js';

/** A look at a path, which may have to wait for its turn. */
export interface QueuedLook extends Look {
  readonly to: number;
  readonly channel: number;
  /** When a hint asks for it; Infinity where none does. */
  readonly hintMs: number;
}

/** Fewer looks at once need no queue. */
export const fewLooks = 10;
/** A verdict takes so many probes of the queue. */
const [failureProbes, recoveryProbes] = [3, 2];

/**
 * Lets the looks of an agent wait: those that hints ask for, and the confirmations of all, have a rate. An agent that
 * was cut off probes all failing paths at the rate of a sweep when the first answers.
 * @param wasCutOff whether most paths of that channel failed before the change
 */
export function waitForTurns(
  looks: readonly QueuedLook[],
  probes: ProbeTimes,
  wasCutOff: (look: QueuedLook) => boolean,
): void {
  const groups = new Map<string, QueuedLook[]>();
  for (const look of looks) {
    const { change, channel } = look;
    const key = `${change.atMs} ${channel & 1} ${change.failure === undefined}`;
    const group = groups.get(key) ?? [];
    group.push(look);
    groups.set(key, group);
  }
  for (const group of groups.values()) {
    const [first] = group;
    if (!first) continue;
    const isRecovery = first.change.failure === undefined;
    const probesPerLook = isRecovery ? recoveryProbes : failureProbes;
    if (isRecovery && wasCutOff(first)) {
      sweep(group, probesPerLook * (probes.firstSpacingMs[first.channel] ?? 0));
      continue;
    }
    if (group.length <= fewLooks) continue;
    const hinted = group.filter(({ atMs, hintMs }) => atMs === hintMs);
    serve(hinted, probes.lookSpacingMs[first.channel] ?? 0);
    serve(group, probesPerLook * (probes.confirmationSpacingMs[first.channel] ?? 0));
  }
}

/** After the first answer all are probed, one after the other. */
function sweep(looks: readonly QueuedLook[], spacingMs: number): void {
  const startMs = Math.min(...looks.map(({ atMs }) => atMs));
  for (const [turn, look] of looks.entries())
    look.atMs = Math.min(look.atMs, startMs + (turn + 1) * spacingMs);
}

/** One after the other, in the order in which they are asked for. */
function serve(looks: readonly QueuedLook[], spacingMs: number): void {
  let freeMs = -Infinity;
  for (const look of [...looks].sort((a, b) => a.atMs - b.atMs)) {
    look.atMs = Math.max(look.atMs, freeMs);
    freeMs = look.atMs + spacingMs;
  }
}
