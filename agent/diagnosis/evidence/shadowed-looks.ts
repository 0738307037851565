import { planes } from '../../model/path.js';
import type { DiagnosisInput, DiagnosisOutput } from '../nouns/diagnosis-input.js';
import type { Shadow } from '../nouns/memory.js';
import { paced } from '../nouns/steps.js';
import type { StaleRow } from './observations.js';
import type { LooksBesidePaths } from './explained-by-paths.js';
import type { TargetLooks } from './target-looks.js';

/** Whether a look tells something, nothing at all, or nothing before the node has looked again. */
export type LookSays = 'counts' | 'nothing' | 'waits';

/** A shadow is forgotten after this time. With many nodes it takes that long until all have looked again. */
const keptMs = 30 * 60_000;
/** The work between two yields, in nodes. */
const slice = 2000;

/**
 * Finds the looks that say nothing of a target because of a fault of paths. What failed in the shadow of such a fault stays in
 * it when that is over, until the node has looked again: its next turn may be long after the repair. So does what began to fail
 * while its row did not come: an agent that was cut off does not know who else was.
 * @param explained the slots from which every look is explained by a fault of paths
 * @param stale the observers whose rows are too old to count
 */
export function* shadowedLooks(
  { index, now }: Pick<DiagnosisInput, 'index' | 'now'>,
  previous: Pick<DiagnosisOutput, 'shadows'> | undefined,
  explained: Iterable<number>,
  stale: Iterable<Pick<StaleRow, 'node' | 'ageMs'>>,
) {
  const shadows = new Map<string, Shadow>();
  const nameOf = (node: number) => index.nodes[node]?.name ?? '';
  const placeOf = (slot: number) => `${planes[slot & 1] ?? ''} ${nameOf(slot >> 1)}`;
  const rowOf = (node: number) => `row ${nameOf(node)}`;
  const isEnough = paced(slice);
  for (const [key, shadow] of previous?.shadows ?? []) {
    if (!shadow.isOver) shadows.set(key, { ...shadow, toMs: now, isOver: true });
    else if (now - shadow.toMs < keptMs) shadows.set(key, shadow);
    if (isEnough(1)) yield;
  }
  for (const slot of explained) {
    shadows.set(placeOf(slot), { toMs: now, isOver: false });
    if (isEnough(1)) yield;
  }
  for (const { node, ageMs } of stale) {
    // That it comes again is known at once.
    shadows.set(rowOf(node), { fromMs: now - ageMs, toMs: now, isOver: true });
    if (isEnough(1)) yield;
  }
  /** Whether a look was sent in a shadow, and what it says began in it. */
  const isIn = (key: string, { ageS, probedS }: TargetLooks, slot: number): boolean => {
    const shadow = shadows.get(key);
    if (!shadow) return false;
    const agoMs = (seconds = 0) => now - 1000 * seconds;
    return agoMs(probedS[slot]) <= shadow.toMs && agoMs(ageS[slot]) >= (shadow.fromMs ?? -Infinity);
  };
  return {
    /** For the next run too. */
    shadows,

    /** Says whether a look counts: one that failed in a shadow, and does so no more, waits until the node looks again. */
    at(looks: TargetLooks, { counts, isRefuted }: LooksBesidePaths): (slot: number) => LookSays {
      const shadowed = new Set<number>();
      for (const slot of looks.details.keys()) {
        if (looks.stateAt(slot) !== 'unreachable') continue;
        const place = placeOf(slot);
        const key = `${place} ${looks.name} ${looks.digest}`;
        if (!counts(slot)) shadows.set(key, { toMs: now, isOver: false });
        else if (isRefuted(slot)) shadows.delete(key);
        const keys = [place, key, rowOf(slot >> 1)];
        if (keys.some((one) => isIn(one, looks, slot))) shadowed.add(slot);
      }
      return (slot) => (!counts(slot) ? 'nothing' : shadowed.has(slot) ? 'waits' : 'counts');
    },

    /** Whether a failing look is of a time in which the row of its node did not come. */
    isFromSilence: (looks: TargetLooks, slot: number): boolean =>
      looks.stateAt(slot) === 'unreachable' && isIn(rowOf(slot >> 1), looks, slot),
  };
}
