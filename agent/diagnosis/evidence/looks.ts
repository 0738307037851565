import { lookedShare, misfitOf, mostMisfit, type LookTime } from './time-model.js';

/** How many observers have looked at a path that works since a time. */
export interface Looks {
  /** The sum of the probabilities that they looked. */
  looked: number;
  /** How much that contradicts that the path fails, as a number of paths that certainly work. */
  misfit: number;
}

/** Nobody has looked. */
export function noLooks(): Looks {
  return { looked: 0, misfit: 0 };
}

/**
 * Counts a path that works, some times.
 * @param beganS the time since which it was looked at, in seconds ago; Infinity: at any time
 * @param confirmedS when its observer confirmed its row
 * @param times negative: they are taken away again
 */
export function addLook(
  looks: Looks,
  beganS: number,
  confirmedS: number,
  time: LookTime,
  times: number,
): void {
  const share = beganS === Infinity ? 1 : lookedShare(beganS, confirmedS, time);
  if (share === 0) return;
  looks.looked += share * times;
  looks.misfit += (share === 1 ? 1 : misfitOf(share) / mostMisfit) * times;
}
