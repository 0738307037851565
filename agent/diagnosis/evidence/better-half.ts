import { labelGroup } from '../nouns/node-groups.js';
import { countInOwnRow } from './even-among.js';
import { countsAt } from './path-counts.js';
import type { Tally } from './tally.js';

/** A node counts if so large a share is known of it as of the one at this place among the best known: the own row is always whole. */
const [leastKnown, place] = [0.5, 16];

/**
 * Counts the paths among the better half of the nodes, those of which the least share of paths has the trouble on some channels: by channel,
 * how many have it, and of how many it is known. A row may have no room to name all nodes, so only what it covers counts.
 */
export function betterHalf(
  tally: Tally,
  channels: number,
): { readonly bad: number[]; readonly known: number[] } {
  const { index } = tally;
  const nodes = Array.from({ length: index.size }, (_, node) => {
    const { bad, well } = countsAt(tally, node, channels, 'both');
    return { node, bad, known: bad + well };
  });
  const bestKnown = nodes.map((one) => one.known).sort((a, b) => b - a);
  const most = bestKnown[Math.min(place, Math.floor(bestKnown.length / 2))] ?? 0;
  const bestFirst = nodes
    .filter((one) => one.known >= leastKnown * most)
    .sort((a, b) => a.bad / a.known - b.bad / b.known)
    .map(({ node }) => node);
  const half = bestFirst.slice(0, bestFirst.length / 2);
  const group = labelGroup({ label: '', name: '' }, half, index);
  const side = { isIn: (node: number) => group.has[node] === 1, group };
  const rows = [0, 1, 2, 3].map((channel) =>
    half.map((node) => countInOwnRow(tally, node, side, 1 << channel)),
  );
  const sumsOf = (key: 'bad' | 'known') =>
    rows.map((counts) => counts.reduce((sum, one) => sum + one[key], 0));
  return { bad: sumsOf('bad'), known: sumsOf('known') };
}
