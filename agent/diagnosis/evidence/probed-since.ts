import type { Begins } from './begin-times.js';
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

/** Counts by channel the paths between two groups of nodes that work since their trouble began. */
export class WorkingPaths {
  readonly #begins: Begins;
  readonly #times: readonly ProbeTime[];
  readonly #working = [noneProbed(), noneProbed(), noneProbed(), noneProbed()];
  readonly #reported = [0, 0, 0, 0];

  constructor(begins: Begins, times: readonly ProbeTime[]) {
    this.#begins = begins;
    this.#times = times;
  }

  /** Counts the paths that an observer reports, whether they work or not. */
  report(channel: number, confirmedS: number, paths: number): void {
    this.#reported[channel] = (this.#reported[channel] ?? 0) + paths;
    this.add(channel, confirmedS, paths);
  }

  /** @param paths negative: so many of them do not work */
  add(channel: number, confirmedS: number, paths: number): void {
    const [working, time] = [this.#working[channel], this.#times[channel]];
    if (!working || !time || paths === 0) return;
    addWorking(working, this.#begins[channel] ?? Infinity, confirmedS, time, paths);
  }

  /** All that `Side` tells of them. */
  counts() {
    return {
      well: this.#working.map(({ misfit }) => Math.max(misfit, 0)),
      probed: this.#working.map(({ probed }) => Math.max(probed, 0)),
      reported: this.#reported,
    };
  }
}
