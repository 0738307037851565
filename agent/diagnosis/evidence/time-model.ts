import { hintedGetsPerSecond, recoveryProbesPerSecond } from '../../model/hinted-rate.js';
import type { Row } from '../../model/row.js';

// What a row says is about the time at which it was confirmed. All times are seconds ago, so the
// larger one is the earlier one.

/** From the first lost probe to the verdict: three probes, 200 ms apart, and their timeout. */
export const detectS = 1.4;
/** The same where the connection is refused: nobody waits for an answer. */
export const detectRefusedS = 0.4;
/** The verdicts of one trouble come within this time. */
export const apartS = 5;
/** Ages in rows are rounded, and the clocks of two rows differ a little. */
export const clockErrorS = 1.6;
/** Rows tell whole seconds. */
export const roundedS = 1;
/** From the end of a fault to the verdict that its path works: two answers. */
const recoverS = 1.5;
/** Until the first of all observers has seen a trouble and told the others, nobody probes for it. */
export const newsS = 2;
/** From then on a hint brings a probe of a path in trouble within this time. */
export const hintS = 5;
/** So large a share of the agents may learn of a repair by their own sweep alone. */
const unhintedShare = 0.03;
/** From one row to the next a path is probed no sooner than after this time. */
const leastProbeS = 2;
/** By default so many echoes and GETs are sent in a second. */
const [echoesPerSecond, getsPerSecond] = [250, 40];
/** Rows of agents that do not tell it. */
const icmpShare = getsPerSecond / echoesPerSecond;

/** A working path contradicts a cause by at most this much, in natural logarithms of odds. */
export const mostMisfit = 3.5;
/** A path that still fails contradicts the end of a cause by at most this much. */
export const mostOverdue = 7;

/** Hints bring probes at so large a share of the rate of the steady probes (`agent/probing/schedule/plan.ts`). */
const hintedRate = 1 / 3;
/** What the other protocol sees change brings GETs at the same address at this rate. */
const checkRate = 4 / 3;

/** The probes that confirm the failures of a node come at this rate. */
const confirmRate = 4 / 3;

/** When a node's paths began to fail is known to an interval divided by their number, or by this one where they are more. */
const enoughPaths = 10;

/** How soon an observer probes one of its paths. */
export interface ProbeTime {
  /** It probes each path once in this time. */
  readonly sweepS: number;
  /** Once hints tell of a trouble there, it probes the path within this time. */
  readonly hintedS: number;
  /** The same once they tell that the path works again. */
  readonly recoveredS: number;
  /** Where much fails at once, the probes that confirm it wait for their turn for so long, at most. */
  readonly confirmS: number;
}

/** How soon the agents of a cluster probe a path, by the number of its channel. All of them probe alike. */
export class ProbeTimes {
  /** Where nobody tells of the trouble: only the two ends see it. */
  readonly alone: readonly ProbeTime[];
  /** The HTTP interval of an agent. */
  readonly intervalS: number;
  readonly #sweepS: readonly number[];
  readonly #nodes: number;

  /** @param row one that says how its agent probes */
  constructor(row: Pick<Row, 'httpIntervalMs' | 'sweeps'> | undefined, nodes: number) {
    const httpS = (row?.httpIntervalMs ?? 5000) / 1000;
    this.intervalS = httpS;
    const icmp = row?.sweeps?.find(({ protocol }) => protocol === 'icmp');
    const icmpS = icmp ? icmp.intervalMs / 1000 : icmpShare * httpS;
    this.#sweepS = [icmpS, httpS, icmpS, httpS].map((s) => Math.max(leastProbeS, s));
    this.#nodes = Math.max(nodes, 1);
    this.alone = this.#sweepS.map((sweepS) => ({
      sweepS,
      hintedS: sweepS,
      recoveredS: sweepS,
      confirmS: 0,
    }));
  }

  /** The two directions of one cause at a node begin to fail within this time: the first of its paths is probed so soon. */
  get bothWaysS(): number {
    return detectS + roundedS + this.intervalS / Math.min(this.#nodes, enoughPaths);
  }

  /**
   * Where hints tell of a trouble at so many nodes: an observer probes them one after the other.
   * @param channels those that fail, as a mask: an echo that fails brings a GET at the same address
   */
  hinted(nodes: number, channels: number): readonly ProbeTime[] {
    return this.#sweepS.map((sweepS, channel) => {
      const isEcho = (channel & 1) === 0;
      const spreadS = isEcho ? hintS : Math.max(hintS, this.#nodes / hintedGetsPerSecond);
      const byHintS = spreadS + this.#queuedS(nodes, channel, false);
      const echo = channel & ~1;
      const fails = ((channels >> echo) & 1) === 1;
      const byEchoS =
        hintS + this.#queuedS(nodes, echo, false) + this.#queuedS(nodes, channel, true);
      const hintedS = Math.min(sweepS, byHintS, fails ? byEchoS : Infinity);
      return { sweepS, hintedS, recoveredS: this.#recoveredS(sweepS, hintedS), confirmS: 0 };
    });
  }

  /** At one node of which hints tell, beside so many others that began to fail at about the same time. */
  beside(others: number): readonly ProbeTime[] {
    const share = Math.min(others / this.#nodes, 1);
    const alone = this.hinted(1, 0);
    return this.hinted(1 + others, 0).map(({ sweepS, ...time }, channel) => {
      // The intervals of a small cluster are longer than its agents need for their paths, two to each node.
      const nodesPerSecond = ((channel & 1) === 0 ? echoesPerSecond : getsPerSecond) / 2;
      const queuedS = others / (nodesPerSecond * hintedRate);
      const sweptS = Math.min(share * sweepS, others / nodesPerSecond);
      const confirmS = sweptS / confirmRate;
      const least = alone[channel]?.hintedS ?? 0;
      const hintedS = Math.max(least, Math.min(time.hintedS, hintS + queuedS));
      return { sweepS, hintedS, recoveredS: this.#recoveredS(sweepS, hintedS), confirmS };
    });
  }

  #recoveredS(sweepS: number, hintedS: number): number {
    return Math.min(sweepS, Math.max(hintedS, this.#nodes / recoveryProbesPerSecond));
  }

  /** How long an observer takes to probe some nodes, in seconds. It is a check where the other protocol sees a change at the same address. */
  #queuedS(nodes: number, channel: number, isCheck: boolean): number {
    const share = Math.min(nodes / this.#nodes, 1);
    return (share * (this.#sweepS[channel] ?? 0)) / (isCheck ? checkRate : hintedRate);
  }
}

/** The probability that an observer has probed a path since a cause began, and told so, by when it confirmed its row last. */
export function probedShare(
  beganS: number,
  confirmedS: number,
  { sweepS, hintedS, confirmS }: ProbeTime,
): number {
  const s = beganS - confirmedS - detectS - confirmS;
  return clamped(Math.max(s / sweepS, (s - newsS) / hintedS));
}

/** Within this time after a cause began all observers probe a path of it. */
export function allProbedS({ sweepS, hintedS, confirmS }: ProbeTime): number {
  return Math.min(sweepS, newsS + hintedS) + confirmS;
}

/** How much a path that works contradicts a cause: nothing in a row from before it, at most `mostMisfit`. */
export function misfitOf(probed: number): number {
  return probed <= 0 ? 0 : Math.min(-Math.log(1 - probed), mostMisfit);
}

/** How much a path that still fails contradicts that its cause ended: nothing in a row from before the end. */
export function overdueOf(
  endedS: number,
  confirmedS: number,
  { sweepS, recoveredS }: ProbeTime,
): number {
  const s = endedS - recoverS - confirmedS;
  if (s <= 0) return 0;
  const missing =
    (1 - unhintedShare) * (1 - clamped(s / recoveredS)) + unhintedShare * (1 - clamped(s / sweepS));
  return Math.min(-Math.log(missing), mostOverdue);
}

function clamped(share: number): number {
  return share < 0 ? 0 : share > 1 ? 1 : share;
}

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
 * @param beganS the time since which it was probed; Infinity: at any time
 * @param times negative: they are taken away again
 */
export function addWorking(
  working: ProbedSince,
  beganS: number,
  confirmedS: number,
  time: ProbeTime,
  times: number,
): void {
  const share = probedShare(beganS, confirmedS, time);
  working.probed += share * times;
  working.misfit += (share === 1 ? 1 : misfitOf(share) / mostMisfit) * times;
}
