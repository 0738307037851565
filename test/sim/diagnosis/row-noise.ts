import type { Random } from '../../fuzz/random.js';
import type { PathTold } from '../../rows/make-row.js';
import { icmpIntervalS, lossWindowS, type Conditions } from './scenarios/conditions.js';
import { hits } from './random-numbers.js';

/** What a row says by chance: paths reported wrongly, and paths that are lossy or slow. */
export interface RowNoise {
  /** For some targets, the channels that are reported wrongly, one bit each. */
  readonly wrong: ReadonlyMap<number, number>;
  /** What is said of some paths. The key is four times the target plus the channel's number. */
  readonly stray: ReadonlyMap<number, PathTold>;
}

const wrongAgeS = 10;

/** The share of wrong reports over all clusters: half of them have none, the others up to 1 %. */
const meanWrongShare = 0.0025;

/**
 * How likely a report is wrong, on exactly these channels and at least so old.
 * @param hidden channels on which the path fails for another reason, so that nobody sees whether a wrong report is about them too
 */
export function chanceOfWrongReport(mask: number, ageS: number, hidden = 0): number {
  let share = 0;
  for (const [wrong, of] of shareOfMask) if ((wrong & ~hidden) === mask) share += of;
  return meanWrongShare * share * Math.exp(-ageS / wrongAgeS);
}

/** Makes the noise of the rows of one cluster. */
export class NoiseSource {
  readonly #conditions: Conditions;
  readonly #random: Random;
  readonly #lossyChance: number;

  constructor(conditions: Conditions, random: Random) {
    this.#conditions = conditions;
    this.#random = random;
    this.#lossyChance = chanceOfLossy(conditions.strayLoss);
  }

  next(): RowNoise {
    const random = this.#random;
    const { names, wrongShare, straySlow } = this.#conditions;
    const wrong = new Map<number, number>();
    for (const target of hits(names.length, wrongShare, random)) {
      wrong.set(target, wrongChannels(random));
    }
    const stray = new Map<number, PathTold>();
    for (const path of hits(4 * names.length, straySlow, random)) {
      stray.set(path, { state: 'slow', ageSeconds: Math.round(60 * random.next()) });
    }
    // Only echoes are many enough to be lossy by chance.
    for (const path of hits(2 * names.length, this.#lossyChance, random)) {
      const drawn = random.next();
      // The last digits of what was drawn are as random: another number would change all scenarios of a seed.
      const lost = lostByChance(meanLost(this.#conditions.strayLoss), (1000 * drawn) % 1);
      stray.set(2 * path, { state: 'lossy', ageSeconds: Math.round(lossWindowS * drawn), lost });
    }
    return { wrong, stray };
  }
}

/** What `wrongChannels` gives, and how often. */
const shareOfMask: ReadonlyMap<number, number> = new Map([
  [0b0001, 0.15],
  [0b0010, 0.15],
  [0b0100, 0.15],
  [0b1000, 0.15],
  [0b0011, 0.1],
  [0b1100, 0.1],
  [0b1111, 0.2],
]);

function wrongChannels(random: Random): number {
  const kind = random.next();
  if (kind < 0.6) return 1 << random.below(4);
  if (kind < 0.8) return random.below(2) === 0 ? 0b0011 : 0b1100;
  return 0b1111;
}

/** A wrong report is always young, because the next probes correct it. */
export function wrongReport(truth: PathTold | undefined, random: Random): PathTold | undefined {
  if (truth !== undefined) return undefined;
  const ageSeconds = Math.round(-wrongAgeS * Math.log(1 - random.next()));
  return { state: 'unreachable', ageSeconds, failure: 'timeout' };
}

/** The probability that a path loses enough echoes in ten minutes by chance to be called lossy. */
function chanceOfLossy(strayLoss: number): number {
  if (strayLoss === 0) return 0;
  const mean = meanLost(strayLoss);
  let [chance, isLess] = [Math.exp(-mean), 0];
  for (let lost = 0; !isLossy(lost, sent); lost++) {
    isLess += chance;
    chance *= mean / (lost + 1);
  }
  return 1 - isLess;
}

const sent = lossWindowS / icmpIntervalS;
const meanLost = (strayLoss: number) => sent * 2 * strayLoss;

/**
 * How many echoes a path has lost that is lossy by chance.
 * @param drawn from 0 to 1
 */
function lostByChance(mean: number, drawn: number): number {
  const chances: number[] = [];
  for (let [lost, chance] = [0, Math.exp(-mean)]; lost < 30; lost++) {
    chances.push(isLossy(lost, sent) ? chance : 0);
    chance *= mean / (lost + 1);
  }
  let rest = drawn * chances.reduce((sum, chance) => sum + chance, 0);
  return chances.findIndex((chance) => (rest -= chance) < 0);
}

/** The agent's own rule for ten minutes: one stray loss is not enough. */
export function isLossy(lost: number, sent: number): boolean {
  return lost >= 2 && lost / sent >= 0.005;
}
