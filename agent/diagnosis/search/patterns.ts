import type { Ways } from '../nouns/cause.js';
import { maskOf } from '../nouns/channel-mask.js';
import type { Side } from '../nouns/sight.js';
import { brokenPattern } from './broken-pattern.js';
import { degradedPattern } from './degraded-pattern.js';
import { leastOpen } from './explanation.js';
import { noSide, type Pattern, type SubjectPaths } from './subject-paths.js';

/** The best cause at a subject; undefined if none explains more than it costs. */
export function bestPattern(paths: SubjectPaths): Pattern | undefined {
  const { to, from = noSide } = paths;
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
  if (!from || !hasBad(from)) return ['in'];
  return hasBad(to) ? ['in', 'both', 'out'] : ['out'];
}

function hasBad({ bad }: Side): boolean {
  return (bad[0] ?? 0) + (bad[1] ?? 0) + (bad[2] ?? 0) + (bad[3] ?? 0) > 0;
}
