import type { Protocol } from './sample.js';

/** How one protocol probes a given number of paths. */
export type ProbingPlan = Readonly<{
  paths: number;
  intervalMs: number;
  /** The longest time from the death of a path until it is `unreachable`. */
  timeToDetectMs: number;
  /** The same with hints from peers. Equal if there are none. */
  timeToDetectWithHintsMs?: number;
}>;

/** How each protocol that is probed at all is probed now. */
export type Plan = Readonly<Partial<Record<Protocol, ProbingPlan>>>;
