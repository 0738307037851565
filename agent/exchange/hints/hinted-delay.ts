import { hintedGetsPerSecond, recoveryProbesPerSecond } from '../../model/hinted-rate.js';
import type { Protocol } from '../../model/sample.js';
import type { HintChange } from './hint.js';

/** After so many peers have seen a failure themselves, GETs wait less where no echo is answered. */
export const quorum = 5;

/**
 * How many probes a second one address may get because of hints, from all agents together. The
 * kernel answers an echo; a GET takes processor time of the agent that is probed.
 */
export const hintedPerSecond = {
  /** Echoes at an address that is said to fail. */
  echo: 200_000,
  /** GETs at an address that may live. */
  get: hintedGetsPerSecond,
  /**
   * GETs once a quorum has seen it, at an address that answers no echo: no work there is disturbed.
   */
  getByQuorumNoEcho: 10_000,
  /** At a path that is said to work again. */
  recovery: recoveryProbesPerSecond,
} as const;

/** A path is probed because of hints no more often than this. */
export const minHintedGapMs = 2000;

export interface HintCircumstances {
  readonly protocol: Protocol;
  readonly change: HintChange;
  /** How many nodes hear the same hint. */
  readonly nodes: number;
  /** How many peers saw the change themselves. */
  readonly witnesses: number;
  /** The same address has answered an echo of this agent since the hint was born. */
  readonly answersEchoes: boolean;
}

/**
 * The milliseconds over which the agents' probes of one path are spread, so that all of them
 * together keep to `looksPerSecond`. Each agent waits a random share of it.
 */
export function hintedSpreadMs(circumstances: HintCircumstances): number {
  return (circumstances.nodes / hintedPerSecond[rateOf(circumstances)]) * 1000;
}

function rateOf(circumstances: HintCircumstances): keyof typeof hintedPerSecond {
  const { protocol, change, witnesses, answersEchoes } = circumstances;
  if (change === 'recovery') return 'recovery';
  if (protocol === 'icmp') return 'echo';
  return witnesses >= quorum && !answersEchoes ? 'getByQuorumNoEcho' : 'get';
}
