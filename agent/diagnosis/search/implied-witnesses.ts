import { isCovered } from '../../model/row-coverage.js';
import { sizeOf } from '../nouns/channel-mask.js';
import type { Explanation } from './explanation.js';
import type { Observer } from '../evidence/observations.js';
import type { Tally } from '../evidence/tally.js';
import { getOrInsert } from '../nouns/get-or-insert.js';

/**
 * In a large outage a row names the nodes with the lowest hashes, and only counts the failing paths
 * of the others. The local row names all of its own. Where the others count failures beyond what
 * they name, and the causes so far explain fewer, they see what the local row names there: each
 * counts as a witness, with the share of what it counts. What it counts is first taken for the nodes
 * that fail on the most channels, because most of a large outage is of whole nodes.
 * @param openShare the share of known pairs of nodes that are reported and not explained
 * @returns for an entry and a channel, by how much the weight of the path grows: 1 for none;
 * undefined if no observer leaves anything out
 */
export function impliedWitnesses(
  tally: Tally,
  explanation: Explanation,
  localNode: number,
  openShare: number,
): ((entry: number, channel: number) => number) | undefined {
  const { observers, observerOf, entries } = tally.observations;
  const own = observers[observerOf[localNode] ?? -1];
  const counting = observers.filter(({ omitted }) => omitted.some((count) => count > 0));
  if (!own || counting.length === 0 || own.omitted.some((count) => count > 0)) return undefined;
  const options = { tally, explanation, localNode, counting, openShare };
  // Mostly all failing nodes do so on as many channels.
  const known = new Map<number, Implied>();
  const impliedFor = (size: number, channel: number): Implied => {
    return getOrInsert(known, 4 * size + channel, () => impliedOn(channel, size, options));
  };
  return (entry, channel) => {
    if (entries.from[entry] !== localNode) return 1;
    const hash = tally.index.hashes[entries.to[entry] ?? 0] ?? 0;
    const size = sizeOf(tally.bad[entry] ?? 0);
    const { horizons, sums } = impliedFor(size, channel);
    const below = horizons.findLastIndex((horizon) => horizon < hash);
    return 1 + (sums[below] ?? 0);
  };
}

/** The hashes beyond which observers only count, ascending, and the sums of their shares. */
interface Implied {
  readonly horizons: readonly number[];
  readonly sums: readonly number[];
}

interface Counting {
  readonly tally: Tally;
  readonly explanation: Explanation;
  readonly localNode: number;
  readonly counting: readonly Observer[];
  readonly openShare: number;
}

/** With fewer paths the others may count wrong reports of their own. */
const leastOpen = 3;
/** So many times as many as are reported elsewhere must be more than chance. */
const chanceFactor = 4;

/** @param size for nodes that fail on so many channels */
function impliedOn(channel: number, size: number, options: Counting): Implied {
  const { tally, explanation, localNode, counting, openShare } = options;
  const { index, observations, bad } = tally;
  const [first, end] = tally.rangeFrom(localNode);
  const own: { readonly hash: number; readonly kind: 'explained' | 'larger' | 'open' }[] = [];
  for (let entry = first; entry < end; entry++) {
    const mask = bad[entry] ?? 0;
    if (((mask >> channel) & 1) === 0) continue;
    const hash = index.hashes[observations.entries.to[entry] ?? 0] ?? 0;
    const isOpen = ((explanation.openMask(entry) >> channel) & 1) === 1;
    if (isOpen && sizeOf(mask) < size) continue;
    own.push({ hash, kind: !isOpen ? 'explained' : sizeOf(mask) > size ? 'larger' : 'open' });
  }
  // Most observers share a horizon, and it decides what they only count.
  const countsOf = new Map<number, { explained: number; larger: number; open: number }>();
  const shares = counting.flatMap(({ coverage, omitted }) => {
    const horizon = coverage.horizons[channel] ?? -1;
    if (horizon < 0 || horizon === Infinity) return [];
    let beyond = countsOf.get(horizon);
    if (!beyond) {
      beyond = { explained: 0, larger: 0, open: 0 };
      for (const { hash, kind } of own) if (!isCovered(coverage, hash, channel)) beyond[kind]++;
      countsOf.set(horizon, beyond);
    }
    const left = (omitted[channel] ?? 0) - beyond.explained - beyond.larger;
    const beyondNodes = index.size * (1 - horizon / 2 ** 32);
    const isChance = beyond.open < leastOpen + chanceFactor * openShare * beyondNodes;
    return isChance || left <= 0 ? [] : [{ horizon, share: Math.min(left / beyond.open, 1) }];
  });
  shares.sort((a, b) => a.horizon - b.horizon);
  let sum = 0;
  const byHorizon = new Map<number, number>();
  for (const { horizon, share } of shares) byHorizon.set(horizon, (sum += share));
  return { horizons: [...byHorizon.keys()], sums: [...byHorizon.values()] };
}
