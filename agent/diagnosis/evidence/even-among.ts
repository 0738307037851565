import { countAt } from './better-half.js';
import type { Tally } from './tally.js';

/** So many of the worst nodes may have a trouble of their own: of a zone of fewer nodes than that one, or none. */
const [spared, fewNodes, leastNodes] = [3, 8, 4];
/** Nodes differ by chance no more than this, in standard deviations. */
const mostByChance = 3;
/** And that they differ says something if the variance of their shares is so large a part of the squared mean. */
const leastVariance = 0.1;

/**
 * Whether the paths with the trouble are spread over some nodes as evenly as chance spreads what is equally likely on each path. Where
 * a few of these nodes lose packets, their paths lose them at a far larger share than those of the others.
 * @param channels on which they are compared, as a mask
 */
export function isEvenAmong(tally: Tally, nodes: readonly number[], channels: number): boolean {
  const most = nodes.length < leastNodes ? 0 : nodes.length < fewNodes ? 1 : spared;
  const counts = nodes
    .map((node) => countAt(tally, node, channels))
    .filter(({ known }) => known > 0)
    .sort((a, b) => b.bad / b.known - a.bad / a.known)
    .slice(most);
  if (counts.length < 2) return true;
  const sumOf = (key: 'bad' | 'known') => counts.reduce((sum, one) => sum + one[key], 0);
  const bad = sumOf('bad');
  const share = bad / sumOf('known');
  if (share === 0 || share === 1) return true;
  const squares = counts.reduce((sum, { bad: fails, known }) => {
    const expected = share * known;
    return sum + (fails - expected) ** 2 / (expected * (1 - share));
  }, 0);
  const freedom = counts.length - 1;
  // One where chance alone makes them differ.
  const dispersion = squares / freedom;
  const isChance = dispersion <= 1 + mostByChance * Math.sqrt(2 / freedom);
  return isChance || ((dispersion - 1) * (1 - share) * counts.length) / bad < leastVariance;
}
