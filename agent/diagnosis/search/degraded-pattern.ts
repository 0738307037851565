import { sumOfWays, type Ways } from '../nouns/cause.js';
import { degradedChannelCost, leastDegradedShare, priorCost } from './prior.js';
import { noSide, type OpenSide, type Pattern, type SubjectPaths } from './subject-paths.js';

/**
 * For paths that lose probes or are slow: the likelihood of so many of them with this cause against
 * that without one, channel by channel.
 */
export function degradedPattern(paths: SubjectPaths, ways: Ways): Pattern | undefined {
  const { type, weights, subjects, to, from = noSide, usual = [], loneIn } = paths;
  // Chance and busy moments pass, so only a finding that is open stays with less than a new one needs.
  const isOpen = paths.known?.some((known) => known.isOpen) === true;
  let [mask, well, misfit, open, failing] = [0, 0, 0, 0, 0];
  for (let channel = 0; channel < 4; channel++) {
    const sum = (pick: (side: OpenSide) => ArrayLike<number>) =>
      sumOfWays(ways, pick(to)[channel], pick(from)[channel]);
    const bad = sum((side) => side.bad);
    const works = sum((side) => side.well);
    const share = Math.min(bad / (bad + works), 0.98);
    const rate = usual[channel] ?? 0.5;
    const least = isOpen ? 2 * rate : Math.max(leastDegradedShare, 2 * rate);
    if (bad === 0 || share < least) continue;
    const weight = sum((side) => side.open);
    const against = -bad * Math.log(share) - works * Math.log((1 - share) / (1 - rate));
    if (weight - against - degradedChannelCost <= 0.3) continue;
    open += weight;
    misfit += against + degradedChannelCost;
    well += works;
    mask |= 1 << channel;
    if ((to.bad[channel] ?? 0) > 0) failing |= 1;
    if ((from.bad[channel] ?? 0) > 0) failing |= 2;
  }
  if (mask === 0 || (ways === 'both' && failing !== 3)) return undefined;
  const prior = {
    type,
    weights,
    channels: mask,
    ways,
    subjects,
    loneIn,
    belief: isOpen ? 'recovering' : 'none',
  } as const;
  const cost = priorCost(prior) + misfit;
  return { channels: mask, knownChannels: mask, ways, well, cost, gain: open - cost };
}
