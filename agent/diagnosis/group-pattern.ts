import { causeMasks } from './channels.js';
import { masksOf, type Region } from './region.js';

/** The paths to a group of nodes, and those from it. */
export interface Group {
  readonly to: Region;
  readonly from: Region;
}

/**
 * The channels and the direction that one cause breaks for a group; undefined if no single cause
 * fits.
 */
export interface Pattern {
  readonly mask: number;
  readonly isWhole: boolean;
  readonly ways: 'in' | 'out' | 'both';
  readonly reverseWorks: boolean;
  readonly oks: number;
}

/** Finds the pattern that explains most of a group's failures. */
export function patternOf({ to, from }: Group): Pattern | undefined {
  const [into, outOf] = [masksOf(to), masksOf(from)];
  const seen = into.seen | outOf.seen;
  const failing = into.failing | outOf.failing;
  const both = (into.pure | ~into.seen) & (outOf.pure | ~outOf.seen) & failing & seen;
  const fits = [
    ['both', both, seen],
    ['in', into.pure, into.seen],
    ['out', outOf.pure, outOf.seen],
  ] as const;
  let best: Pattern | undefined;
  let most = 0;
  for (const [ways, pure, visible] of fits) {
    for (const causeMask of causeMasks) {
      const mask = causeMask & visible;
      if (
        mask === 0 ||
        (mask & ~pure) !== 0 ||
        sum(countsOf({ to, from }, ways).fails, mask) <= most
      ) {
        continue;
      }
      const { fails, oks } = countsOf({ to, from }, ways);
      most = sum(fails, mask);
      const isTwoWay = (into.failing & mask) !== 0 && (outOf.failing & mask) !== 0;
      const reverse = ways === 'in' ? from : to;
      best = {
        mask,
        isWhole: mask === seen,
        oks: sum(oks, mask),
        ways: ways === 'both' && !isTwoWay ? ((into.failing & mask) !== 0 ? 'in' : 'out') : ways,
        reverseWorks: ways !== 'both' && sum(reverse.oks, mask) > sum(reverse.fails, mask),
      };
    }
  }
  return best;
}

/** The counts of a group in one direction, or the sum of both. */
export function countsOf({ to, from }: Group, ways: 'in' | 'out' | 'both') {
  if (ways === 'in') return to;
  if (ways === 'out') return from;
  return {
    fails: to.fails.map((fails, channel) => fails + (from.fails[channel] ?? 0)),
    oks: to.oks.map((oks, channel) => oks + (from.oks[channel] ?? 0)),
  };
}

/** The sum of counts over a mask's channels. */
export function sum(counts: readonly number[], mask: number): number {
  return counts.reduce((all, count, channel) => all + ((mask >> channel) & 1 ? count : 0), 0);
}
