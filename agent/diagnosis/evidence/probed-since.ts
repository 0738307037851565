import { probedShare, misfitOf, mostMisfit, type ProbeTime } from './time-model.js';

/** How many observers have probed a path that works since a time. */
export interface ProbedSince {
  /** The sum of the probabilities that they probed it. */
  probed: number;
  /** How much that contradicts that the path fails, as a number of paths that certainly work. */
  misfit: number;
}

/** Nobody has probed it. */
export function noneProbed(): ProbedSince {
  return { probed: 0, misfit: 0 };
}

/**
 * Counts a path that works, some times.
 * @param beganS the time since which it was probed, in seconds ago; Infinity: at any time
 * @param confirmedS when its observer confirmed its row
 * @param times negative: they are taken away again
 */
export function addWorking(
  working: ProbedSince,
  beganS: number,
  confirmedS: number,
  time: ProbeTime,
  times: number,
): void {
  addShare(working, beganS === Infinity ? 1 : probedShare(beganS, confirmedS, time), times);
}

/**
 * Counts a path that works, some times.
 * @param share the probability that it was probed
 */
export function addShare(working: ProbedSince, share: number, times: number): void {
  if (share <= 0) return;
  working.probed += share * times;
  working.misfit += (share === 1 ? 1 : misfitOf(share) / mostMisfit) * times;
}
