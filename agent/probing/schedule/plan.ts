import type { ProbingPlan } from '../../model/plan.js';

/** How one protocol is to be probed, whatever the number of paths. */
export interface Cadence {
  /** The shortest time between two probes of a path. */
  readonly intervalMs: number;
  /** At most this many steady probes a second; more paths stretch the interval. */
  readonly budgetPerSecond: number;
  readonly timeoutMs: number;
  /** Failures in a row that make a path unreachable. */
  readonly failureThreshold: number;
  /** Answers in a row that make it reachable again. */
  readonly recoveryThreshold: number;
  /** The gap between two confirmations of one change; left out, that of paths. */
  readonly confirmationGapMs?: number;
}

/** The gap between two confirmations of one change of a path. */
export const confirmationGapMs = 200;

/**
 * At least so many confirmations a second: even with a small budget, a few suspected paths must not
 * wait.
 */
const fewestConfirmations = 20;

/**
 * Confirmations may take so many times the steady budget. The steady rate is small, because hints carry the time
 * to detect. Confirmations are rare, and when a third of the cluster dies they must not wait.
 */
const confirmationFactor = 4;

/** First probes of new paths and sweeps may take so many times the steady budget. */
const onDemandFactor = 16;

/** The budget a second of the probes that confirm a change, larger where the thresholds ask for more of them. */
export function confirmationBudget(cadence: Cadence): number {
  const { budgetPerSecond, failureThreshold, recoveryThreshold } = cadence;
  const confirmationProbes = Math.max(failureThreshold, recoveryThreshold) - 1;
  const perSecond = confirmationFactor * budgetPerSecond * Math.max(confirmationProbes / 2, 1);
  return Math.max(perSecond, fewestConfirmations);
}

/** The budget a second of first probes and sweeps. */
export function onDemandBudget({ budgetPerSecond }: Cadence): number {
  return onDemandFactor * budgetPerSecond;
}

/** The share of the confirmations' budget that probes because of hints, and the confirmations that follow from them, may take. */
const hintedShare = 1 / 4;

/**
 * The budget a second for probes that peers' hints ask for. It leaves room for the agent's own
 * confirmations.
 */
export function hintedBudget(cadence: Cadence): number {
  const probesPerHint = Math.max(cadence.failureThreshold, cadence.recoveryThreshold);
  return (confirmationBudget(cadence) * hintedShare) / probesPerHint;
}

/** A probe may be sent, and an answer be read, this much later than planned. */
const latenessMs = 100;

/** The interval that a budget asks for is a multiple of this, so that groups of probes fit into it. */
const intervalStepMs = 100;

/**
 * The time between two probes of one of so many paths, in milliseconds. It stays at its minimum until the budget
 * is reached and then grows.
 */
export function intervalMsOf(
  { intervalMs, budgetPerSecond }: Pick<Cadence, 'intervalMs' | 'budgetPerSecond'>,
  paths: number,
): number {
  const steps = Math.ceil((paths / budgetPerSecond) * (1000 / intervalStepMs) - 1e-9);
  return Math.max(Math.round(intervalMs), steps * intervalStepMs);
}

/**
 * The plan for a number of paths. In the worst case a path dies right after an answer: the next probe is followed by
 * others one gap apart, and the last of them needs its timeout. A path slower than half a gap is
 * first given twice its usual time, so its death is known that much later.
 */
export function planProbing(cadence: Cadence, paths: number): ProbingPlan {
  const { timeoutMs, failureThreshold, confirmationGapMs: gapMs = confirmationGapMs } = cadence;
  const intervalMs = intervalMsOf(cadence, paths);
  const confirmMs = (failureThreshold - 1) * gapMs;
  return {
    paths,
    intervalMs,
    timeToDetectMs: Math.round(intervalMs + confirmMs + timeoutMs + latenessMs),
  };
}
