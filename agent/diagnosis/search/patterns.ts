import { sumOfWays, type Ways } from '../nouns/cause.js';
import { allMask, maskOf, sumOn } from '../nouns/channel-mask.js';
import { brokenPattern } from './broken-pattern.js';
import { leastOpen } from './explanation.js';
import { degradedChannelCost, leastShareOf, priorCost } from './prior.js';
import type { OpenSide, Pattern, SubjectPaths } from './subject-paths.js';

/** The best cause at a subject; undefined if none explains more than it costs. */
export function bestPattern(paths: SubjectPaths): Pattern | undefined {
  const { to, from } = paths;
  const open = maskOf(to.open, leastOpen) | maskOf(from.open, leastOpen);
  if (open === 0) return undefined;
  let best: Pattern | undefined;
  const { channelSetsOf, hasUsualShare } = paths.weights;
  const channelSets = channelSetsOf(paths.type);
  for (const ways of waysOf(paths)) {
    for (const channels of channelSets) {
      if ((channels & open) === 0) continue;
      const pattern = hasUsualShare
        ? degradedPattern(paths, ways)
        : brokenPattern(paths, channels, ways, best?.gain ?? 0);
      if (pattern && pattern.gain > (best?.gain ?? 0)) best = pattern;
    }
  }
  return best;
}

/** The directions in which paths are known to have the trouble. */
function waysOf({ to, from }: SubjectPaths): readonly Ways[] {
  if (sumOn(allMask, from.bad) === 0) return ['in'];
  return sumOn(allMask, to.bad) > 0 ? ['in', 'both', 'out'] : ['out'];
}

/** Of losses and slowness: the likelihood of so many such paths with this cause against that without one, channel by channel. */
function degradedPattern(paths: SubjectPaths, ways: Ways): Pattern | undefined {
  const { to, from, usual = [] } = paths;
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
    const least = isOpen ? 2 * rate : Math.max(leastShareOf(bad + works), 2 * rate);
    if (bad === 0 || share < least) continue;
    // What the other paths of its nodes have too says so much less of a pair.
    const common = bad * Math.log(Math.max((paths.around?.[channel] ?? 0) / rate, 1));
    const weight = sum((side) => side.open) - common;
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
  const cost = priorCost(paths, mask, ways, isOpen ? 'recovering' : 'none') + misfit;
  return { channels: mask, knownChannels: mask, ways, well, cost, gain: open - cost };
}
