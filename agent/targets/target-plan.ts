import { nameHash } from '../model/name-hash.js';
import type { Plane } from '../model/path.js';
import type { Target } from '../model/target.js';
import type { Cadence } from '../probing/schedule/plan.js';
import type { TargetPlan } from './views.js';

/** Failures in a row that make a target unreachable, and answers that bring it back. */
export const targetThresholds = { failures: 3, recovery: 2 } as const;

/**
 * The gap between the probes that confirm a change of a target: so no round, confirmed or not, sends
 * two probes in one second.
 */
const targetGapMs = 1000;

/** The same where so few probe it that the budget is kept even if all probes of a round fall into one second. */
const shortGapMs = 500;
const shortGapDeviations = 5;

/**
 * The probes that fall into one second are as many as chance makes them (Poisson). So many standard
 * deviations above the mean are met in no second of years.
 */
const deviations = 6;

/** The share of all rounds that are steady. The rest is for hints. */
const steadyShare = 7 / 8;

/** A probe may be sent, and an answer be read, this much later than planned. */
const latenessMs = 100;

/** How long news takes to reach all agents: see `npm run sim -- targets`. */
const spreadMs = 500;

/** All agents ask the first witnesses for their rows, at most so many a second (target-rumours.ts). */
const asksPerSecond = 1000;

/** So many agents have probed it by themselves when nobody doubts it any more. */
const witnesses = 10;

/** In 99 of 100 cases so many turns are over when that many of them have come (gamma distribution). */
const witnessTurns = 18.8;

/** What the interval of a target follows from. */
export interface TargetLoad {
  /** How many agents may probe it: all nodes of the list, for those that are joining, leaving or excluded probe too. */
  readonly nodes: number;
  /** All of them together send it at most this many probes a second. */
  readonly budgetPerSecond: number;
}

/**
 * How many rounds a second all agents together may send to a target. Each is three probes at the most. Even
 * if every round fails and is confirmed, no second sees more probes than the budget: the mean x of them solves
 * `x + 6 sqrt(x) = budget`. At 50 probes a second these are 7.3 rounds.
 */
export function roundsPerSecond(budgetPerSecond: number): number {
  const root = (Math.sqrt(deviations ** 2 + 4 * budgetPerSecond) - deviations) / 2;
  return root ** 2 / targetThresholds.failures;
}

/** The steady rounds a second of all agents together, at the most. */
function steadyPerSecond({ budgetPerSecond }: TargetLoad): number {
  return roundsPerSecond(budgetPerSecond) * steadyShare;
}

/** From how many places a target is probed. */
function placesOf({ from }: Pick<Target, 'from'>, { nodes }: TargetLoad): number {
  return from.length * Math.max(nodes, 1);
}

/** The time between two rounds from one plane of one node. */
export function targetIntervalMs(target: Target, load: TargetLoad): number {
  const places = placesOf(target, load);
  return Math.max(target.intervalMs, Math.ceil((places / steadyPerSecond(load)) * 1000));
}

/** All agents may start at once: over this time at least their first rounds are to be spread. */
export function targetPhaseMs(target: Target, load: TargetLoad): number {
  return (placesOf(target, load) / steadyPerSecond(load)) * 1000;
}

/** The first round to a target of a long interval comes within this time, where the budget allows it. */
const firstProbeMs = 5000;

/**
 * The time until the next turn of a node's plane. The name of the node decides it, so all agents that start at once are
 * spread over the interval, or over a part of it where few probe it rarely. The two planes of a node take turns by its wall
 * clock: what both see fail is met after half an interval by one of them.
 */
export function untilTurnMs(
  target: Target,
  load: TargetLoad,
  {
    node,
    plane,
    wallMs,
  }: { readonly node: string; readonly plane: Plane; readonly wallMs: number },
): number {
  const intervalMs = targetIntervalMs(target, load);
  const longestMs = Math.max(targetPhaseMs(target, load), firstProbeMs);
  const turnMs = intervalMs / Math.max(Math.floor(intervalMs / longestMs), 1);
  const share = nameHash(`${node} ${target.name}`) / 2 ** 32;
  const turn = share + Math.max(target.from.indexOf(plane), 0) / target.from.length;
  const untilMs = (turn * turnMs - wallMs) % turnMs;
  return untilMs < 0 ? untilMs + turnMs : untilMs;
}

/**
 * Whether so few nodes probe it that the budget is kept even if all of them do so in the same second from one plane after the
 * other: each sends three probes then, and the next of its steady round.
 */
export function areFew({ nodes, budgetPerSecond }: TargetLoad): boolean {
  return nodes * (targetThresholds.failures + 1) <= budgetPerSecond;
}

/**
 * The least time between two rounds out of turn to a target from one plane of one node, whoever asks for them. Each is
 * three probes at the most. Of many nodes all may be asked without end, and together they keep to the budget; of few
 * each sends three probes a second at the most, and the next of its steady round.
 */
export function leastRoundGapMs(load: TargetLoad): number {
  const { failures } = targetThresholds;
  return areFew(load)
    ? (1000 + latenessMs) / failures
    : (1000 * failures * load.nodes) / load.budgetPerSecond;
}

/** Rows tell ages in tenths of seconds: that the other plane is well counts if it was seen so much later. */
const besideAgainMs = 300;

/** Within this time hints reach nearly all agents. */
const hintsArriveMs = 2000;

/**
 * When a node that sees a target change from one plane probes it from its other one. Few nodes do so at once, and once more.
 * Of many, each waits for hints first and probes only if no other node sees the same: what all of them see
 * together tells enough, and twice as many rounds would be too much for the target.
 */
export function besideDelaysMs(load: TargetLoad, random: () => number): readonly number[] {
  return areFew(load) ? [0, besideAgainMs] : [hintsArriveMs * (1 + random())];
}

/** Few agents probe because of a hint within this time. */
const fewSpreadMs = 950;

/**
 * All agents hear the same hint. The rounds that follow are spread over this time, so that they keep to what
 * the steady rounds leave of the budget. At a recovery only those probe that see the target fail: no round is more than
 * two probes then, be it well or not, and so more of them fit into the budget.
 */
export function hintSpreadMs(
  target: Target,
  load: TargetLoad,
  change: 'failure' | 'recovery',
): number {
  if (areFew(load)) return fewSpreadMs;
  const steady = placesOf(target, load) / (targetIntervalMs(target, load) / 1000);
  const probes = change === 'recovery' ? targetThresholds.recovery : targetThresholds.failures;
  const rounds = (roundsPerSecond(load.budgetPerSecond) * targetThresholds.failures) / probes;
  return (Math.max(load.nodes, 1) / (rounds - steady)) * 1000;
}

/** The gap between the probes that confirm a change. The rounds are as many as chance makes them (Poisson). */
export function confirmationGapOf(target: Target, load: TargetLoad): number {
  if (areFew(load)) return shortGapMs;
  const rounds = (1000 * placesOf(target, load)) / targetIntervalMs(target, load);
  const most = targetThresholds.failures * (rounds + shortGapDeviations * Math.sqrt(rounds));
  return most <= load.budgetPerSecond ? shortGapMs : targetGapMs;
}

/** The cadence of one target from one plane. Its interval follows the load. */
export function targetCadence(target: Target, load: () => TargetLoad): Cadence {
  return {
    get intervalMs() {
      return targetIntervalMs(target, load());
    },
    // The interval has the budget in it: nothing else is to stretch it.
    budgetPerSecond: 1000,
    timeoutMs: target.timeoutMs,
    failureThreshold: targetThresholds.failures,
    recoveryThreshold: targetThresholds.recovery,
    get confirmationGapMs() {
      return confirmationGapOf(target, load());
    },
  };
}

/**
 * The plan of a target. Alone, the target dies right after a round in the worst case. With hints, a target
 * that nobody reaches any more is known when ten agents have probed and confirmed it, however many there are.
 * A target that one node alone cannot reach is known after the interval of that node: no hint can help there.
 */
export function planTarget(target: Target, load: TargetLoad): TargetPlan {
  const intervalMs = targetIntervalMs(target, load);
  const gapMs = confirmationGapOf(target, load);
  const confirmMs = (targetThresholds.failures - 1) * gapMs + target.timeoutMs + latenessMs;
  const timeToDetectMs = intervalMs + confirmMs;
  const everyProbeMs = intervalMs / placesOf(target, load);
  const meetMs =
    placesOf(target, load) < 2 * witnesses
      ? intervalMs
      : Math.min(witnessTurns * everyProbeMs, intervalMs);
  const askMs = (load.nodes / asksPerSecond) * 1000;
  const withHintsMs = Math.ceil((meetMs + confirmMs + spreadMs + askMs) / 100) * 100;
  return {
    intervalMs,
    timeToDetectMs,
    timeToDetectWithHintsMs:
      load.nodes < 2 ? timeToDetectMs : Math.min(withHintsMs, timeToDetectMs),
    budgetPerSecond: load.budgetPerSecond,
  };
}
