import { answeringFailures } from '../../model/failure.js';
import { singleWays, type Ways } from '../nouns/cause.js';
import { channelsIn } from '../nouns/channel-mask.js';
import { sideBy, type Side } from '../nouns/sight.js';
import { failureCodes } from './entry-list.js';
import type { ProbedSince } from './time-model.js';

/** By failure code: whether it is an answer, such as a refused connection. */
export const isAnswer = failureCodes.map(
  (failure) => failure !== undefined && answeringFailures.has(failure),
);

/** The channels on which most failing paths are answers, as a mask; the four numbers begin at `at`. */
export function answeringMask(
  bad: ArrayLike<number>,
  answering: ArrayLike<number>,
  at = 0,
): number {
  let mask = 0;
  for (let channel = 0; channel < 4; channel++) {
    if (2 * (answering[at + channel] ?? 0) > (bad[at + channel] ?? 0)) mask |= 1 << channel;
  }
  return mask;
}

/** Whether so large a share of the known paths has the trouble on some channel; the four numbers begin at `first`. */
export function hasShare(
  bad: ArrayLike<number>,
  probed: ArrayLike<number>,
  least: number,
  first = 0,
): boolean {
  for (let at = first; at < first + 4; at++) {
    const fails = bad[at] ?? 0;
    if (fails > 0 && fails >= least * (fails + (probed[at] ?? 0))) return true;
  }
  return false;
}

/** The numbers of the four channels of a node or zone pair. A view of the array would cost more than a copy. */
export function channelsAt(numbers: ArrayLike<number>, number: number): readonly number[] {
  const at = 4 * number;
  return [numbers[at] ?? 0, numbers[at + 1] ?? 0, numbers[at + 2] ?? 0, numbers[at + 3] ?? 0];
}

/** What is counted of the paths to each node, or of those from each node, by four times the node plus the channel. */
export class PathCounts {
  readonly bad: Uint32Array;
  readonly well: Float64Array;
  /** The sum of the ages of the trouble, in seconds. */
  readonly ageS: Float64Array;
  readonly probed: Float64Array;
  readonly reported: Float64Array;
  readonly #answers: Uint32Array;
  readonly #sides: (Side | undefined)[] = [];

  /** @param isTested only what was tested is known, so all that is known was looked at */
  constructor(nodes: number, isTested: boolean) {
    const perChannel = () => new Float64Array(4 * nodes);
    [this.bad, this.#answers] = [new Uint32Array(4 * nodes), new Uint32Array(4 * nodes)];
    [this.well, this.ageS] = [perChannel(), perChannel()];
    this.probed = isTested ? this.well : perChannel();
    this.reported = isTested ? this.well : perChannel();
  }

  addBad(at: number, ageS: number, code: number): void {
    this.bad[at] = (this.bad[at] ?? 0) + 1;
    this.ageS[at] = (this.ageS[at] ?? 0) + ageS;
    if (isAnswer[code] === true) this.#answers[at] = (this.#answers[at] ?? 0) + 1;
  }

  /** Adds to those that certainly work. */
  addWorking(at: number, { misfit, probed }: ProbedSince): void {
    this.well[at] = (this.well[at] ?? 0) + misfit;
    this.probed[at] = (this.probed[at] ?? 0) + probed;
  }

  /** Adds the same, nothing less than zero, and sets how many paths rows report, whenever they were probed. */
  setWell(at: number, { misfit, probed }: ProbedSince, reported: number): void {
    this.addWorking(at, { misfit: Math.max(misfit, 0), probed: Math.max(probed, 0) });
    this.reported[at] = reported;
  }

  /** Whether so large a share of a node's known paths has the trouble on some channel. Asked of each node, so nothing is made. */
  hasShare(node: number, least: number): boolean {
    return hasShare(this.bad, this.probed, least, 4 * node);
  }

  /** The paths of one node, once all is counted. They are asked for often, so they are kept. */
  of(node: number): Side {
    return (this.#sides[node] ??= sideBy((what) => channelsAt(this[what], node)));
  }

  /** The channels on which most failing paths of a node are answers, as a mask. */
  answersOf(node: number): number {
    return answeringMask(this.bad, this.#answers, 4 * node);
  }
}

/**
 * Counts the paths of a node on some channels, in one direction or both.
 * @returns how many have the trouble, the most of them on one channel in one direction, how many do not, and how many rows report
 */
export function countsAt(
  tally: { toNode(node: number): Side; fromNode(node: number): Side },
  node: number,
  mask: number,
  ways: Ways,
) {
  let [bad, most, probed, well, reported] = [0, 0, 0, 0, 0];
  for (const way of singleWays[ways]) {
    const side = way === 'in' ? tally.toNode(node) : tally.fromNode(node);
    for (const channel of channelsIn(mask)) {
      const fails = side.bad[channel] ?? 0;
      bad += fails;
      most = Math.max(most, fails);
      probed += side.probed[channel] ?? 0;
      well += side.well[channel] ?? 0;
      reported += side.reported[channel] ?? 0;
    }
  }
  return { bad, most, probed, well, reported };
}
