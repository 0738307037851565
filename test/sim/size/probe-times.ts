import { channelNumber, channels } from '../../../agent/model/channel.js';
import {
  confirmationBudget,
  confirmationGapMs,
  intervalMsOf,
  hintedBudget,
  onDemandBudget,
} from '../../../agent/probing/schedule/plan.js';
import { defaultCadence } from '../lib/default-cadence.js';

/** How each channel is probed in a cluster of that size, at default settings. Times are milliseconds. */
export class ProbeTimes {
  readonly nodes: number;
  readonly #seed: number;
  /** By channel, the time between two steady probes of a path. */
  readonly intervalMs: readonly number[];
  /** By channel, the time between two confirmations of an agent that has many, two looks, and two first probes. */
  readonly confirmationSpacingMs: readonly number[];
  readonly lookSpacingMs: readonly number[];
  readonly firstSpacingMs: readonly number[];
  readonly timeoutMs = defaultCadence.http.timeoutMs;

  constructor(nodes: number, seed: number) {
    this.nodes = nodes;
    this.#seed = seed;
    const cadences = channels.map(({ protocol }) => defaultCadence[protocol]);
    this.intervalMs = cadences.map((cadence) => intervalMsOf(cadence, 2 * nodes));
    this.confirmationSpacingMs = cadences.map((cadence) => 1000 / confirmationBudget(cadence));
    this.lookSpacingMs = cadences.map((cadence) => 1000 / hintedBudget(cadence));
    this.firstSpacingMs = cadences.map((cadence) => 1000 / onDemandBudget(cadence));
  }

  /** How rows say that their agent probes. */
  get httpIntervalMs(): number {
    return this.#interval(channelNumber('host', 'http'));
  }

  get httpTimeoutMs(): number {
    return this.timeoutMs;
  }

  /** When an agent sends its next steady probe of a path, from a time on. */
  next(from: number, to: number, channel: number, fromMs: number): number {
    const intervalMs = this.#interval(channel);
    const phaseMs = this.share(from, to, channel) * intervalMs;
    return fromMs + modulo(phaseMs - fromMs, intervalMs);
  }

  /** When it sent the last one until then. */
  last(from: number, to: number, channel: number, untilMs: number): number {
    const intervalMs = this.#interval(channel);
    const phaseMs = this.share(from, to, channel) * intervalMs;
    return untilMs - modulo(untilMs - phaseMs, intervalMs);
  }

  /** When an agent that has just started probes a path first. */
  firstMs(startMs: number, to: number, channel: number): number {
    const turn = 2 * to + (channel >> 1);
    return startMs + turn * (this.firstSpacingMs[channel] ?? 0);
  }

  /** By when an agent that started then has probed everything and decided on it. */
  sweptMs(startMs: number): number {
    const spacingMs = Math.max(...this.firstSpacingMs);
    return startMs + 2 * this.nodes * spacingMs + this.confirmMs('timeout');
  }

  /** From the first failed probe of a path to the verdict. */
  confirmMs(failure: string): number {
    const gapsMs = (defaultCadence.icmp.failureThreshold - 1) * confirmationGapMs;
    return gapsMs + (failure === 'timeout' ? this.timeoutMs : 0);
  }

  /** From the first answer to the verdict. */
  get recoveryMs(): number {
    return (defaultCadence.icmp.recoveryThreshold - 1) * confirmationGapMs;
  }

  /** A number from 0 to below 1 of two nodes and a purpose: always the same, and like chance. */
  share(from: number, to: number, purpose: number): number {
    let mixed = Math.imul(this.#seed ^ 0x9e37_79b9, 0x85eb_ca6b) + Math.imul(from + 1, 0xc2b2_ae35);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b_3c6d) + Math.imul(to + 1, 0x27d4_eb2f);
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0x297a_2d39) + Math.imul(purpose + 1, 0x1656_67b1);
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x7feb_352d);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x846c_a68b);
    return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32;
  }

  #interval(channel: number): number {
    return this.intervalMs[channel] ?? 0;
  }
}

/** The remainder, never below zero. */
export function modulo(value: number, by: number): number {
  return ((value % by) + by) % by;
}
