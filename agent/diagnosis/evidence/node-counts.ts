import type { Ways } from '../nouns/cause.js';
import { channelsIn } from '../nouns/channel-mask.js';
import type { Side } from '../nouns/sight.js';
import type { Tally } from './tally.js';

/**
 * Counts the paths of a node on some channels, in one direction or both.
 * @returns how many have the trouble, the most of them on one channel in one direction, and how many do not
 */
export function countsAt(
  tally: Pick<Tally, 'toNode' | 'fromNode'>,
  node: number,
  mask: number,
  ways: Ways,
) {
  let [bad, most, probed, well] = [0, 0, 0, 0];
  const add = (side: Side) => {
    for (const channel of channelsIn(mask)) {
      const fails = side.bad[channel] ?? 0;
      bad += fails;
      most = Math.max(most, fails);
      probed += side.probed[channel] ?? 0;
      well += side.well[channel] ?? 0;
    }
  };
  if (ways !== 'out') add(tally.toNode(node));
  if (ways !== 'in') add(tally.fromNode(node));
  return { bad, most, probed, well };
}
