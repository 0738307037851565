import type { PathChange } from './path-changes.js';
import type { ProbeTimes } from './probe-times.js';

/** The looks of an agent that wait for each other: because of changes at one time, by one protocol, at failures or repairs. */
export interface QueuedLooks {
  /** The first one's. */
  readonly channel: number;
  readonly change: PathChange;
  /** Where the times of each stand, by the zone that it looks at. */
  readonly at: number[][];
}

/** Fewer looks at once need no queue. */
export const fewLooks = 10;
/** A verdict takes so many probes of the queue. */
const [failureProbes, recoveryProbes] = [3, 2];

/**
 * Lets the looks of an agent wait: those that hints ask for, and the confirmations of all, have a rate. An agent that
 * was cut off probes all failing paths at the rate of a sweep when the first answers.
 * @param lookMs when each look is wanted, which becomes when its turn is
 * @param hintMs when a hint asks for it; Infinity where none does
 * @param wasCutOff whether most paths of that channel failed before the change
 */
export function waitForTurns(
  { channel, change, at }: QueuedLooks,
  lookMs: Float64Array,
  hintMs: Float64Array,
  { probes, wasCutOff }: { readonly probes: ProbeTimes; readonly wasCutOff: boolean },
): void {
  const isRecovery = change.failure === undefined;
  const probesPerHint = isRecovery ? recoveryProbes : failureProbes;
  if (isRecovery && wasCutOff) {
    sweep(at.flat(), lookMs, probesPerHint * (probes.firstSpacingMs[channel] ?? 0));
    return;
  }
  if (at.reduce((sum, { length }) => sum + length, 0) <= fewLooks) return;
  const hinted = at.map((ofZone) => ofZone.filter((one) => lookMs[one] === hintMs[one]));
  serve(hinted, lookMs, probes.lookSpacingMs[channel] ?? 0);
  serve(at, lookMs, probesPerHint * (probes.confirmationSpacingMs[channel] ?? 0));
}

/** After the first answer all are probed, one after the other. */
function sweep(at: readonly number[], lookMs: Float64Array, spacingMs: number): void {
  const startMs = at.reduce((least, one) => Math.min(least, lookMs[one] ?? Infinity), Infinity);
  for (const [turn, one] of at.entries())
    lookMs[one] = Math.min(lookMs[one] ?? Infinity, startMs + (turn + 1) * spacingMs);
}

/** Of a zone, those that still wait. */
interface Lane {
  readonly order: readonly number[];
  next: number;
}

/** One after the other: those of a zone in the order in which they are asked for, and zones take turns (`rate-queue.ts`). */
function serve(at: readonly (readonly number[])[], lookMs: Float64Array, spacingMs: number): void {
  const lanes = at.flatMap((ofZone): Lane[] =>
    ofZone.length === 0 ? [] : [{ order: inOrder(ofZone, lookMs), next: 0 }],
  );
  const wantedMs = ({ order, next }: Lane) => lookMs[order[next] ?? 0] ?? 0;
  let freeMs = -Infinity;
  while (lanes.length > 0) {
    let turn = 0;
    for (const [number, lane] of lanes.entries()) {
      const ms = wantedMs(lane);
      if (ms < wantedMs(lanes[turn] ?? lane)) turn = number;
      if (ms > freeMs) continue;
      turn = number;
      break;
    }
    const [lane] = lanes.splice(turn, 1);
    if (!lane) return;
    const one = lane.order[lane.next++] ?? 0;
    const atMs = Math.max(lookMs[one] ?? 0, freeMs);
    lookMs[one] = atMs;
    freeMs = atMs + spacingMs;
    if (lane.next < lane.order.length) lanes.push(lane);
  }
}

/** So many looks at most wait in one queue, and times are told apart as finely. */
const [mostQueued, perMs] = [2 ** 16, 2 ** 16];

function inOrder(at: readonly number[], lookMs: Float64Array): number[] {
  // Sorting bare numbers takes a tenth of the time.
  const keys = Float64Array.from(
    at,
    (one, number) => Math.floor((lookMs[one] ?? 0) * perMs) * mostQueued + number,
  ).sort();
  return Array.from(keys, (key) => at[key % mostQueued] ?? 0);
}
