import { sizeOf } from '../nouns/channel-mask.js';
import type { Explanation } from './explanation.js';
import { reportedChannels } from '../evidence/coverage.js';
import { observerAt, type Facts } from '../evidence/observations.js';
import type { Tally } from '../evidence/tally.js';
import { getOrInsert } from '../nouns/get-or-insert.js';

/** With fewer paths the others may count wrong reports of their own. */
const leastOpen = 3;
/** So many times as many as are reported elsewhere must be more than chance. */
const chanceFactor = 4;

/**
 * In a large outage a row names the nodes with the lowest hashes, and only counts the failing paths
 * of the others. The local row names all of its own. Where the others count failures beyond what
 * they name, and the causes so far explain fewer, they see what the local row names there: each
 * counts as a witness, with the share of what it counts. What it counts is first taken for the nodes
 * that are silent, and of these for those that fail on the most channels, because most of a large outage is of whole nodes.
 * @param openShare the share of known pairs of nodes that are reported and not explained
 * @returns for an entry of the local row and a channel, by how much the weight of the path grows: 1 for none;
 * undefined if no observer leaves anything out
 */
export function impliedWitnesses(
  tally: Tally,
  explanation: Explanation,
  { input, localNode }: Pick<Facts, 'input' | 'localNode'>,
  openShare: number,
): ((entry: number, channel: number) => number) | undefined {
  const { observers, observerOf, entries } = tally.observations;
  const { hashes, nodes, zoneOf, zones, size } = tally.index;
  const own = observerAt(tally.observations, localNode);
  const counting = observers.filter(({ omitted }) => omitted.some((count) => count > 0));
  if (!own || counting.length === 0 || own.omitted.some((count) => count > 0)) return undefined;
  // What is open at present: a weight may be asked for later.
  const [first, end] = tally.rangeFrom(localNode);
  const open = Array.from({ length: end - first }, (_, at) => explanation.openMask(first + at));
  const ranks = Array.from({ length: end - first }, (_, at) => rankOf(first + at));
  // Mostly all failing nodes have the same rank.
  const known: ReturnType<typeof impliedOn>[] = [];
  const areZonesReported = counting.some(({ coverage }) => coverage.completeZones);
  return (entry, channel) => {
    const node = entries.to[entry] ?? 0;
    const hash = hashes[node] ?? 0;
    const rank = ranks[entry - first] ?? 0;
    const zone = areZonesReported ? (zoneOf[node] ?? -1) : -1;
    const key = (4 * rank + channel) * (zones.length + 1) + zone + 1;
    const { horizons, sums } = (known[key] ??= impliedOn(channel, rank, zone));
    let below = horizons.length - 1;
    while (below >= 0 && (horizons[below] ?? 0) >= hash) below--;
    return below === -1 ? 1 : 1 + (sums[below] ?? 0);
  };

  /** What is counted is taken for nodes of a higher rank first. */
  function rankOf(entry: number): number {
    const node = entries.to[entry] ?? 0;
    const heardMsAgo = input.heardMsAgo.get(nodes[node]?.name ?? '') ?? Infinity;
    const isSilent = observerOf[node] === -1 && heardMsAgo >= 1000 * tally.oldestS(entry);
    return sizeOf(tally.bad[entry] ?? 0) + (isSilent ? 4 : 0);
  }

  /**
   * The hashes beyond which observers only count, ascending, and the sums of their shares.
   * @param rank for nodes of that rank
   * @param zone for nodes of this zone; -1: no observer tells anything of a whole zone
   */
  function impliedOn(channel: number, rank: number, zone: number) {
    const paths: { readonly node: number; readonly kind: 'explained' | 'larger' | 'open' }[] = [];
    for (let entry = first; entry < end; entry++) {
      if ((((tally.bad[entry] ?? 0) >> channel) & 1) === 0) continue;
      const its = ranks[entry - first] ?? 0;
      const node = entries.to[entry] ?? 0;
      const isOpen = (((open[entry - first] ?? 0) >> channel) & 1) === 1;
      if (isOpen && its < rank) continue;
      paths.push({
        node,
        kind: !isOpen ? 'explained' : its > rank ? 'larger' : 'open',
      });
    }
    // Most observers share a horizon and their whole zones, and these decide what they only count.
    const countsOf = new Map<
      string | number,
      { explained: number; larger: number; open: number }
    >();
    const shares = counting.flatMap((observer) => {
      const { coverage, omitted } = observer;
      const horizon = coverage.horizons[channel] ?? -1;
      if (horizon < 0 || horizon === Infinity) return [];
      if (((coverage.completeZones?.[zone] ?? 0) >> channel) & 1) return [];
      const key = coverage.completeZones ? `${horizon} ${coverage.completeZones.join()}` : horizon;
      const beyond = getOrInsert(countsOf, key, () => {
        const counts = { explained: 0, larger: 0, open: 0 };
        for (const { node, kind } of paths)
          if (reportedChannels(observer, node, 1 << channel, tally.index) === 0) counts[kind]++;
        return counts;
      });
      const left = (omitted[channel] ?? 0) - beyond.explained - beyond.larger;
      const beyondNodes = size * (1 - horizon / 2 ** 32);
      const isChance = beyond.open < leastOpen + chanceFactor * openShare * beyondNodes;
      return isChance || left <= 0 ? [] : [{ horizon, share: Math.min(left / beyond.open, 1) }];
    });
    shares.sort((a, b) => a.horizon - b.horizon);
    let sum = 0;
    const byHorizon = new Map<number, number>();
    for (const { horizon, share } of shares) byHorizon.set(horizon, (sum += share));
    return { horizons: [...byHorizon.keys()], sums: [...byHorizon.values()] };
  }
}
