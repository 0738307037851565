import { mostTellingLost } from '../../model/row.js';

/** A path is called lossy after so many lost probes, or one less where it is probed rarely: `isLossy` of `LossLog`. */
const leastLost = 3;

/** The usual share is that of the paths without the worst nodes, so chance may well take more than it says. */
const meanFactor = 1.25;

/**
 * What a path weighs that lost so many probes in ten minutes where a share of all paths is lossy by chance: the negative natural
 * logarithm of how likely it is that chance alone takes so many. The probes that chance takes from a path follow Poisson's law,
 * with the mean that makes just that share of the paths lossy, and a little more. So a path that lost as few as a lossy one must weighs no more
 * than that share says, and each further loss adds to it.
 * @param share above 0
 */
export function weightsOfLosses(share: number): Float64Array {
  const mean = meanFactor * meanOf(share);
  const weights = new Float64Array(mostTellingLost + 1);
  for (let lost = 0; lost <= mostTellingLost; lost++)
    weights[lost] = Math.max(-Math.log(chanceOfMore(mean, lost)), -Math.log(share));
  return weights;
}

/** What so many losses weigh, by `weightsOfLosses`. */
export function weightOfLost(weights: Float64Array | undefined, lost = 0): number {
  return weights?.[Math.min(lost, mostTellingLost)] ?? 0;
}

/** The mean with which a path becomes lossy with that chance, by bisection. */
function meanOf(share: number): number {
  let [low, high] = [0, 2 * leastLost];
  for (let step = 0; step < 40; step++) {
    const mean = (low + high) / 2;
    if (chanceOfMore(mean, leastLost) < share) low = mean;
    else high = mean;
  }
  return high;
}

/** How likely Poisson's law gives at least so many. */
function chanceOfMore(mean: number, least: number): number {
  let term = Math.exp(-mean);
  let sum = 0;
  for (let count = 0; count < least; count++) {
    sum += term;
    term *= mean / (count + 1);
  }
  if (1 - sum > 1e-6) return 1 - sum;
  // The rest is too small to be told from rounding.
  let tail = 0;
  for (let count = least; term > 1e-3 * tail; count++) {
    tail += term;
    term *= mean / (count + 1);
  }
  return tail;
}
