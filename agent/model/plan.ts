import type { Protocol } from './sample.js';

/** What a protocol's cadence comes to for a number of paths. */
export type ProbingPlan = Readonly<{
  paths: number;
  intervalMs: number;
  /** The most that can pass from the death of a path to its being unreachable. */
  timeToDetectMs: number;
  /** The same with the hints of the peers; equal where there are none. */
  timeToDetectWithHintsMs?: number;
}>;

/** How each protocol that is probed at all is probed now. */
export type Plan = Readonly<Partial<Record<Protocol, ProbingPlan>>>;
